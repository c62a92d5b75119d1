import Foundation
import ProcessSupport
import Testing

/// The kernel says who a peer is. Needs root, to act as other users.
@Suite(
    "Two users on one device", .serialized, .waitsForProcesses,
    .enabled(if: geteuid() == 0, "only root can become another user"))
struct PeerTests {
    /// Debian's "nobody", and another one.
    private static let users = ["65534", "65533"]

    @Test("another user has the rights of an app, and can't administer anything")
    func appOnly() throws {
        let gate = try RunningGate(isOpenToOthers: true)
        #expect(try gatectl(gate, as: Self.users[0], "status").status == 0)
        #expect(try gatectl(gate, as: Self.users[0], "lock").status == 0)
        for verb in [["audit"], ["reload"], ["recover"], ["override", "parent", "--reason", "because"]] {
            let result = try gatectl(gate, as: Self.users[0], verb)
            #expect(result.status == 77, "\(verb): \(result.output)\(result.errors)")
        }
        #expect(try gate.gatectl("status").output.contains("child"))
    }

    @Test("one user's wrong answers do not lock out another (G-03)")
    func lockoutsApart() throws {
        let gate = try RunningGate(isOpenToOthers: true)
        for _ in 0..<3 { #expect(try answer(gate, as: Self.users[0], right: false) == 1) }
        #expect(try gatectl(gate, as: Self.users[0], "toggle", "--stdin").status == 75)
        #expect(try answer(gate, as: Self.users[1], right: true) == 0)
        let journal = try gate.gatectl("audit", "--json").output
        #expect(journal.contains(#""uid":65534"#) && journal.contains(#""uid":65533"#))
    }

    @Test("nobody can cancel, close, answer or take over another user's question")
    func questionsApart() throws {
        let gate = try RunningGate(isOpenToOthers: true)
        let requester = try start(gate, as: Self.users[0], ["toggle", "--stdin", "--json"])
        let question = try requester.nextLine()
        let answers = try #require(Answers(json: question))
        #expect(try gatectl(gate, as: Self.users[1], "cancel").status == 77)
        #expect(try gatectl(gate, as: Self.users[1], "lock").status == 1)
        let object = try JSONSerialization.jsonObject(with: Data(question.utf8)) as? [String: Any]
        let cookie = try #require((object?["presentation"] as? [String: Any])?["cookie"] as? String)
        let stolen = "{\"cookie\":\"\(cookie)\",\"text\":\"\(answers.right)\"}"
        let theft = try gatectl(gate, as: Self.users[1], "call", "gate.v1.Presentations/Complete", stolen)
        #expect(theft.status == 77)
        requester.write(answers.right + "\n")
        #expect(try requester.ended().status == 0)
    }

    @Test("in a user namespace without the daemon's user a client says so, and trusts nothing")
    func unmappedServer() throws {
        let gate = try RunningGate(isOpenToOthers: true)
        let sandbox = try ChildProcess(
            "/usr/bin/unshare",
            ["--user", try gate.copied("gatectl"), "ping", "--json", "--socket", gate.socket, "--server-user", "root"],
            hasInput: false)
        let result = try sandbox.ended()
        #expect(
            result.status == 77 && result.output.contains("REASON_UNMAPPED_SERVER"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("user namespace"))
        let page = try ChildProcess(
            "/usr/bin/unshare",
            [
                "--user", try gate.copied("gatectl"), "status", "--page", "--socket", gate.socket, "--server-user",
                "root",
            ], hasInput: false
        ).ended()
        #expect(page.status == 77 && page.output.contains("child"), "\(page.output)\(page.errors)")
        #expect(page.errors.contains("user namespace"))
        // The number that stands for all unmapped users is not believed even if the person names it.
        let overflow = try String(contentsOfFile: "/proc/sys/kernel/overflowuid", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        for words in [["ping", "--json"], ["status", "--json"], ["status", "--page"]] {
            let fooled = try ChildProcess(
                "/usr/bin/unshare",
                ["--user", try gate.copied("gatectl")] + words + ["--socket", gate.socket, "--server-user", overflow],
                hasInput: false
            ).ended()
            #expect(fooled.status == 77, "\(words): \(fooled.output)\(fooled.errors)")
            #expect((fooled.output + fooled.errors).contains("user namespace"), "\(words)")
        }
        // With its user mapped in a namespace the peer is served as ever, whoever that user is outside.
        let mapped = try ChildProcess(
            "/usr/bin/unshare",
            [
                "--user", "--map-root-user", try gate.copied("gatectl"), "ping", "--socket", gate.socket,
                "--server-user", "root",
            ],
            hasInput: false)
        #expect(try mapped.ended().status == 0)
    }

    @Test("a client refuses a server that runs as an untrusted user")
    func untrustedServer() throws {
        let gate = try RunningGate(isOpenToOthers: true)
        let impostor = gate.directory + "/impostor.sock"
        let state = gate.directory + "/impostor"
        try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
        chown(state, 65533, 65533)
        chmod(gate.directory, 0o777)
        let server = try ChildProcess(
            "/usr/bin/setpriv",
            [
                "--reuid", "65533", "--regid", "65533", "--clear-groups", try gate.copied("gated"), "--socket",
                impostor,
                "--state-directory", state,
            ])
        try eventually("the impostor listens") { FileManager.default.fileExists(atPath: impostor) }
        let refused = try ChildProcess(
            builtProgram("gatectl"), ["status", "--socket", impostor, "--server-user", "nobody"])
        let result = try refused.ended()
        #expect(result.status == 77)
        #expect(result.errors.contains("65533"))
        let trusted = try ChildProcess(
            builtProgram("gatectl"), ["status", "--socket", impostor, "--server-user", "65533"])
        #expect(try trusted.ended().status == 0)
        server.signal(SIGTERM)
        #expect(try server.ended().status == 0)
    }

    // MARK: -

    private func start(_ gate: RunningGate, as uid: String, _ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/setpriv",
            ["--reuid", uid, "--regid", uid, "--clear-groups", try gate.copied("gatectl")]
                + arguments + ["--socket", gate.socket, "--server-user", "root"])
    }

    private func gatectl(
        _ gate: RunningGate, as uid: String, _ arguments: String...
    ) throws -> ChildProcess.Result {
        try gatectl(gate, as: uid, arguments)
    }

    private func gatectl(
        _ gate: RunningGate, as uid: String, _ arguments: [String]
    ) throws -> ChildProcess.Result {
        let process = try start(gate, as: uid, arguments)
        process.closeInput()
        return try process.ended()
    }

    private func answer(_ gate: RunningGate, as uid: String, right: Bool) throws -> Int32 {
        let process = try start(gate, as: uid, ["toggle", "--stdin", "--json"])
        let answers = try #require(Answers(json: try process.nextLine()))
        process.write((right ? answers.right : answers.wrong) + "\n")
        return try process.ended().status
    }
}
