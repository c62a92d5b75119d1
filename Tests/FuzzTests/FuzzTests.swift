import Foundation
import FuzzTargets
import GateProtocol
import GateScripting
import TestRounds
import Testing

/// Everything that decodes, fed with what nobody would send (docs/quality/fuzzing.md). libFuzzer looks for such inputs;
/// here what it has found is replayed, and inputs with a shape are made from nothing.
///
/// `GATE_FUZZ_SEED` chooses other ones of these. The same seed makes the same inputs.
@Suite("Fuzz")
struct FuzzTests {
    private static let seed = ProcessInfo.processInfo.environment["GATE_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1

    @Test("the fuzzer's corpus keeps every promise", arguments: FuzzTarget.all)
    func corpus(_ target: FuzzTarget) throws {
        let inputs = try FuzzFiles.corpus(of: target)
        #expect(!inputs.isEmpty, "\(target) has no corpus: make fuzz TARGET=\(target) MERGE=1")
        for (index, input) in inputs.enumerated() {
            Self.check(target, input, "line \(index + 1) of \(FuzzFiles.corpusName(of: target))")
        }
    }

    @Test("inputs that failed once keep every promise now", arguments: FuzzTarget.all)
    func failures(_ target: FuzzTarget) throws {
        for (name, input) in try FuzzFiles.failures(of: target) { Self.check(target, input, name) }
    }

    /// In quarters, so that the slowest target does not have one processor for itself in the end.
    @Test(
        "valid messages with a few bytes broken keep every promise", arguments: FuzzTarget.all, 0..<4)
    func generated(_ target: FuzzTarget, quarter: Int) {
        let count = TestRounds.count(target.testedCount / 4, all: target.testedCount)
        for iteration in stride(from: quarter, to: count, by: 4) {
            // Each input has its own seed, so that it can be made without those before it.
            var random = SeededGenerator(seed: Self.seed &* 0x1_0000_0001 ^ UInt64(iteration) << 20)
            Self.check(target, target.generate(&random), "GATE_FUZZ_SEED=\(Self.seed), iteration \(iteration)")
        }
    }

    @Test("a broken promise is reported")
    func brokenPromise() {
        let decoder = FuzzTarget.forgetful
        #expect(throws: BrokenPromise.self) { try decoder.check([1, 2, 3]) }
        #expect(throws: Never.self) { try decoder.check([]) }
    }

    @Test("the list of messages has every message of the wire")
    func everyMessage() {
        let used = ServiceCatalog.all.flatMap(\.methods).flatMap { [$0.input, $0.output] }
        #expect(Set(WireMessages.all.map { $0.descriptor }) == Set(used))
    }

    @Test("every corpus, folder of failures and dictionary belongs to a target")
    func files() throws {
        let names = Set(FuzzTarget.all.map(\.name))
        #expect(names.count == FuzzTarget.all.count)
        for found in try FuzzFiles.names(in: "Corpus") {
            #expect(found.hasSuffix(".base64") && names.contains(String(found.dropLast(7))), "Corpus/\(found)")
        }
        for found in try FuzzFiles.names(in: "Failures") { #expect(names.contains(found), "Failures/\(found)") }
        let dictionaries = Set(FuzzTarget.all.compactMap(\.dictionary).map { "\($0).dict" })
        #expect(try Set(FuzzFiles.names(in: "Dictionaries")) == dictionaries)
    }

    private static func check(_ target: FuzzTarget, _ input: [UInt8], _ origin: String) {
        do {
            try target.check(input)
        } catch {
            Issue.record("\(target), \(origin): \(error); in base64: \(Data(input).base64EncodedString())")
        }
    }
}
