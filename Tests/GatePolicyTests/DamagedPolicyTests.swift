import Foundation
import GatePolicy
import Testing

/// Files are written by people and their editors, so they may be half saved, pasted together or of another program.
@Suite("Damaged policies")
struct DamagedPolicyTests {
    @Test("the example policy with random damage is read, or refused with a place", arguments: 0..<20)
    func damaged(seed: UInt64) throws {
        let example = try #require(FileManager.default.contents(atPath: Self.examples + "policy.yaml"))
        try damage(Array(example), seed: seed, file: "policy.yaml") { text throws(PolicyError) in
            try PolicyReader.read(text)
        }
    }

    @Test("the example of providers with random damage is read, or refused with a place", arguments: 0..<20)
    func damagedProviders(seed: UInt64) throws {
        let example = try String(contentsOfFile: Self.examples + "providers.yaml", encoding: .utf8).withSettingsInUse
        let file = "/etc/gate/providers.yaml"
        try damage(Array(example.utf8), seed: seed, file: file) { text throws(PolicyError) in
            try PolicyReader.read(providers: text, rootFiles: ["roots/AppleRootCA-G3.cer": TestCertificate.der])
        }
    }

    @Test(
        "a form or release notes with random damage are read, or refused with a place",
        arguments: ["questionnaires.d/consent.yaml", "release-notes.d/org.example.draw.yaml"], 0..<10)
    func damagedForms(file: String, seed: UInt64) throws {
        let example = try #require(FileManager.default.contents(atPath: Self.examples + file))
        try damage(Array(example), seed: seed, file: file) { text throws(PolicyError) in
            try PolicyReader.read([PolicySource(name: file, text: text)])
        }
    }

    @Test("a form in JSON with random damage is read, or refused with a place", arguments: 0..<10)
    func damagedJSON(seed: UInt64) throws {
        let file = "questionnaires.d/school.json"
        try damage(Array(SampleForms.json.utf8), seed: seed, file: file) { text throws(PolicyError) in
            try PolicyReader.read([PolicySource(name: file, text: text)])
        }
    }

    private func damage(
        _ example: [UInt8], seed: UInt64, file: String, read: (String) throws(PolicyError) -> Policy
    ) throws {
        var random = LinearGenerator(state: seed)
        for _ in 0..<50 {
            var bytes = example
            for _ in 0..<Int.random(in: 1...6, using: &random) { Self.damage(&bytes, &random) }
            let text = String(decoding: bytes, as: UTF8.self)
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).count
            do throws(PolicyError) {
                _ = try read(text)
            } catch {
                #expect(!error.problems.isEmpty)
                for problem in error.problems {
                    #expect(problem.file == file)
                    #expect((problem.line ?? 1) <= lines + 1, "\(problem)")
                    #expect(!problem.message.unicodeScalars.contains { $0.value < 0x20 }, "\(problem)")
                }
            }
        }
    }

    private static let examples =
        URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("examples/device").path + "/"

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

/// A random generator with the same numbers in every run.
private struct LinearGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 31)
    }
}
