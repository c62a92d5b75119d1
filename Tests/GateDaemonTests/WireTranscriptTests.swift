import Foundation
import GateModel
import Testing

@testable import GateDaemon

/// The dialogues of docs/wire.md, with a daemon whose clocks stand at the beginning. With `GATE_REWRITE=1` they are written as the
/// daemon says them now, to be read and committed.
@Suite("The transcripts of docs/wire.md", .timeLimit(.minutes(10)), .serialized)
struct WireTranscriptTests {
    private static let page = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/wire.md")

    /// The files that the page gives for them: the policy, and a form.
    private static func files(of page: String) -> [String] {
        page.components(separatedBy: "\n```yaml\n").dropFirst().map { $0.components(separatedBy: "\n```\n")[0] + "\n" }
    }

    @Test("each transcript agrees with what the daemon answers")
    func transcripts() async throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let files = Self.files(of: text)
        try #require(files.count == 2)
        var (written, rest, count) = ("", text[...], 0)
        while let start = rest.range(of: "\n```transcript\n"), let end = rest[start.upperBound...].range(of: "\n```\n")
        {
            let transcript = String(rest[start.upperBound..<end.lowerBound])
            var now = ""
            // The process that the broker of the page asks for.
            let processes = SettableProcesses([Subject(uid: 1002, pid: 4242, startTime: 99): "game"])
            try await LiveGate.with(policy: files[0], form: files[1], processes: processes) { gate, _ in
                now = try await WireTranscript(transcript).replayed(with: gate)
            }
            #expect(now == transcript)
            written += rest[..<start.upperBound] + now + rest[end]
            rest = rest[end.upperBound...]
            count += 1
        }
        #expect(count >= 7)
        if ProcessInfo.processInfo.environment["GATE_REWRITE"] != nil {
            try (written + rest).write(to: Self.page, atomically: true, encoding: .utf8)
        }
    }
}
