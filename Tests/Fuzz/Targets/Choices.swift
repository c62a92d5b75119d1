/// What else happens while bytes come in: an input that begins with a count, and so many bytes that choose.
///
/// So libFuzzer can change what a service does as well as what it is sent. When all are used, the first one is next.
struct Choices {
    private let bytes: [UInt8]
    private var position = 0

    /// - Returns: the choices, and what is behind them.
    static func split(_ input: [UInt8]) -> (choices: Choices, rest: ArraySlice<UInt8>) {
        guard let count = input.first.map({ Int($0) }) else { return (Choices(bytes: []), []) }
        return (Choices(bytes: Array(input.dropFirst().prefix(count))), input.dropFirst(1 + count))
    }

    /// An input with up to 20 of them.
    static func join(_ rest: [UInt8], using random: inout some RandomNumberGenerator) -> [UInt8] {
        let count = UInt8.random(in: 0...20, using: &random)
        return [count] + (0..<count).map { _ in .random(in: .min ... .max, using: &random) } + rest
    }

    /// - Returns: 0 where there are none at all.
    mutating func next(below bound: Int) -> Int {
        guard !bytes.isEmpty else { return 0 }
        defer { position = (position + 1) % bytes.count }
        return Int(bytes[position]) % bound
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
