import Foundation
import GatePolicy
import Testing

/// Files come from people and their editors: half saved, pasted together, out of another program.
@Suite("Damaged policies")
struct DamagedPolicyTests {
    @Test("whatever becomes of the example, it is read or refused with a place in it", arguments: 0..<20)
    func damaged(seed: UInt64) throws {
        var random = LinearGenerator(state: seed)
        let example = try #require(FileManager.default.contents(atPath: Self.example))
        for _ in 0..<50 {
            var bytes = Array(example)
            for _ in 0..<Int.random(in: 1...6, using: &random) { Self.damage(&bytes, &random) }
            let text = String(decoding: bytes, as: UTF8.self)
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
            do throws(PolicyError) {
                _ = try PolicyReader.read(text)
            } catch {
                #expect(!error.problems.isEmpty)
                for problem in error.problems {
                    #expect(problem.file == "policy.yaml")
                    #expect((problem.line ?? 1) <= lines + 1, "\(problem)")
                    #expect(!problem.message.unicodeScalars.contains { $0.value < 0x20 }, "\(problem)")
                }
            }
        }
    }

    private static let example = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("examples/device/policy.yaml").path

    private static func damage(_ bytes: inout [UInt8], _ random: inout LinearGenerator) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 1...30, using: &random))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<end)
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
        case 3:
            bytes.insert(contentsOf: "&*!|>'\"%@`[]{},:#?-\n\t\\".utf8.shuffled(using: &random).prefix(3), at: place)
        default: bytes.removeSubrange(place...)
        }
        if bytes.isEmpty { bytes = [0x0a] }
    }
}

/// The same numbers in every run.
private struct LinearGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 31)
    }
}
