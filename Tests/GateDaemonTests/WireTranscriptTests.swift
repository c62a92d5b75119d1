import Foundation
import Testing

@testable import GateDaemon

/// The dialogues of docs/wire.md, with a daemon whose clocks stand at the beginning. With `GATE_REWRITE=1` they are written as the
/// daemon says them now, to be read and committed.
@Suite("The transcripts of docs/wire.md", .timeLimit(.minutes(10)), .serialized)
struct WireTranscriptTests {
    private static let page = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/wire.md")

    /// The policy that the page gives for them.
    private static func policy(of page: String) throws -> String {
        let start = try #require(page.range(of: "\n```yaml\n"))
        let end = try #require(page[start.upperBound...].range(of: "\n```\n"))
        return page[start.upperBound..<end.lowerBound] + "\n"
    }

    @Test("each is what the daemon says")
    func transcripts() async throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let policy = try Self.policy(of: text)
        var (written, rest, count) = ("", text[...], 0)
        while let start = rest.range(of: "\n```transcript\n"), let end = rest[start.upperBound...].range(of: "\n```\n")
        {
            let transcript = String(rest[start.upperBound..<end.lowerBound])
            var now = ""
            try await LiveGate.with(policy: policy) { gate, _ in
                now = try await WireTranscript(transcript).replayed(with: gate)
            }
            #expect(now == transcript)
            written += rest[..<start.upperBound] + now + rest[end]
            rest = rest[end.upperBound...]
            count += 1
        }
        #expect(count >= 6)
        if ProcessInfo.processInfo.environment["GATE_REWRITE"] != nil {
            try (written + rest).write(to: Self.page, atomically: true, encoding: .utf8)
        }
    }
}
