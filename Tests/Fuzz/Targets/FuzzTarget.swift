public import GateScripting

/// Something that reads what comes from outside, and what it promises of any bytes. One for both: libFuzzer, which
/// looks for an input that breaks a promise, and the tests, which replay what was found.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The name, also of the target's folders: "policy".
    public let name: String
    /// Longer inputs find nothing that shorter ones don't, and take more time.
    public let maximumBytes: Int
    /// The words of its language, for libFuzzer to put together: a file of Tests/Fuzz/Dictionaries, without its ending.
    public let dictionary: String?
    /// How many generated inputs the tests try: as many as take a fraction of a second.
    public let testedCount: Int
    /// Throws if a promise is broken; any other fault traps by itself.
    public let check: @Sendable ([UInt8]) throws -> Void
    /// What an honest peer or author would send, mostly broken in a few places.
    public let generate: @Sendable (inout SeededGenerator) -> [UInt8]

    init(
        _ name: String, maximumBytes: Int = 4096, dictionary: String? = nil, testedCount: Int = 1000,
        generate: @escaping @Sendable (inout SeededGenerator) -> [UInt8],
        check: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        self.maximumBytes = maximumBytes
        self.dictionary = dictionary
        self.generate = generate
        self.testedCount = testedCount
        self.check = check
    }

    public var description: String { name }

    public static let all: [FuzzTarget] =
        frameTargets + messageTargets + formTargets + policyTargets + receiptTargets + [expression, statusPage]

    /// A target that loses what it is given, to show how a finding looks.
    public static let forgetful = FuzzTarget("forgetful") {
        $0.bytes(upTo: 8)
    } check: { input in
        try promise(input.isEmpty, "\(input.count) bytes got lost")
    }

    public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

    /// The first inputs: always the same, and as current as the code that makes them.
    public func seeds(_ count: Int) -> [[UInt8]] {
        (0..<count).map { index in
            var random = SeededGenerator(seed: UInt64(index))
            return generate(&random)
        }
    }
}
