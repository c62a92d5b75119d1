import Foundation
import GateScripting
import Testing

/// Everything that decodes, fed with what nobody would send. Nothing may trap, and what is accepted must mean the same
/// when it is sent again.
///
/// Quick as part of all tests. `make fuzz` sets `GATE_FUZZ_SECONDS` for a longer run; `GATE_FUZZ_SEED` chooses another one.
/// The same seed makes the same inputs. In a long run the newest input lies in a file, for the case of a trap.
@Suite("Fuzz", .serialized)
enum FuzzTests {
    /// How many tests share `GATE_FUZZ_SECONDS`.
    static let targetCount = 11
}

/// One input, and how to get it again.
struct FuzzCase: CustomStringConvertible {
    let target: String
    let seed: UInt64
    let iteration: Int
    var random: SeededGenerator
    private let newestInput: FileHandle?

    init(target: String, seed: UInt64, iteration: Int, newestInput: FileHandle?) {
        self.target = target
        self.seed = seed
        self.iteration = iteration
        self.newestInput = newestInput
        // Each iteration has its own numbers, so that one can be had without those before it.
        random = SeededGenerator(seed: seed &* 0x1_0000_0001 ^ UInt64(iteration) << 20)
    }

    var description: String { "\(target), GATE_FUZZ_SEED=\(seed), iteration \(iteration)" }

    /// Keeps the input on disk while it is tried.
    func trying(_ input: [UInt8]) {
        guard let newestInput else { return }
        try? newestInput.seek(toOffset: 0)
        try? newestInput.write(contentsOf: input)
        try? newestInput.truncate(atOffset: UInt64(input.count))
    }
}

/// How long, and from which seed.
enum FuzzRun {
    static let seed = ProcessInfo.processInfo.environment["GATE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    static let seconds = ProcessInfo.processInfo.environment["GATE_FUZZ_SECONDS"].flatMap { Double($0) }

    /// - Parameter iterations: how many, where no time is set.
    static func run(_ target: String, iterations: Int, _ body: (inout FuzzCase) throws -> Void) throws {
        guard let seconds else {
            for iteration in 0..<iterations {
                var fuzzCase = FuzzCase(target: target, seed: seed, iteration: iteration, newestInput: nil)
                try body(&fuzzCase)
            }
            return
        }
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("gate-fuzz-\(target)").path
        let isCreated = FileManager.default.createFile(atPath: path, contents: nil)
        let newestInput = isCreated ? FileHandle(forWritingAtPath: path) : nil
        let end = ContinuousClock.now + .seconds(seconds / Double(FuzzTests.targetCount))
        var iteration = 0
        while ContinuousClock.now < end {
            var fuzzCase = FuzzCase(target: target, seed: seed, iteration: iteration, newestInput: newestInput)
            try body(&fuzzCase)
            iteration += 1
        }
        print("fuzz \(target): \(iteration) inputs from seed \(seed); the newest is in \(path)")
    }
}
