import Foundation
import ProcessSupport
import Testing

/// Gated actions from a script, or from a program in another language.
@Suite("Gated actions from the shell", .serialized, .waitsForProcesses)
struct GateTests {
    @Test("the example policy without a presenter decides checks and authorizations without a question (F-14, F-16)")
    func examplePolicy() throws {
        let gate = try RunningGate(
            policy: String(contentsOfFile: repositoryFile("examples/device/policy.yaml"), encoding: .utf8),
            files: [
                "questionnaires.d/consent.yaml": Array(
                    Data(contentsOf: URL(filePath: repositoryFile("examples/device/questionnaires.d/consent.yaml"))))
            ])
        let before = try gate.gatectl("status", "--json").output
        #expect(try gate.gatectl("check", "photos.delete").status == 2)
        #expect(try gate.gatectl("check", "link.open").status == 2)
        #expect(try gate.gatectl("check", "nobody.named.this").status == 1)
        let refused = try gate.gatectl("authorize", "photos.delete")
        #expect(refused.status == 2)
        #expect(refused.errors.contains("gatectl toggle"))
        #expect(try gate.gatectl("authorize", "nobody.named.this").status == 1)

        let mark = gate.directory + "/mark"
        let run = try ChildProcess(
            "/usr/bin/setsid",
            [
                "-w", builtProgram("gatectl"), "run", "--gate", "link.open", "--socket", gate.socket, "--server-user",
                NSUserName(), "--", "touch", mark,
            ], hasInput: false)
        #expect(try run.ended().status == 2)
        #expect(!FileManager.default.fileExists(atPath: mark))
        // Nothing was opened, granted or counted by that.
        #expect(try gate.gatectl("status", "--json").output == before)

        #expect(try gate.gatectl("override", "parent", "--reason", "a test").status == 0)
        #expect(try gate.gatectl("check", "photos.delete").status == 0)
        #expect(try gate.gatectl("check", "nobody.named.this").status == 1)
        #expect(try gate.gatectl("authorize", "photos.delete").status == 0)
    }

    @Test("a right answer grants once without changing the mode, and a wrong answer refuses (F-17, F-18)")
    func answers() throws {
        let gate = try RunningGate()
        #expect(try authorize(gate) { $0.right } == 0)
        #expect(try gate.gatectl("status").output.contains("child"))
        let journal = try gate.gatectl("audit", "--json").output
        #expect(journal.components(separatedBy: "AUDIT_KIND_GRANTED").count == 2)
        #expect(journal.components(separatedBy: "AUDIT_KIND_REDEEMED").count == 2)
        #expect(journal.contains("https://example.org/"))

        // The grant was not kept, so the next request asks again, and this time the answer is wrong.
        #expect(try authorize(gate) { $0.wrong } == 1)
        #expect(try authorize(gate) { _ in nil } == 3)
        #expect(try gate.gatectl("audit", "--json").output.components(separatedBy: "AUDIT_KIND_GRANTED").count == 2)
        #expect(try gate.gatectl("status").output.contains("child"))
    }

    @Test("the third wrong answer locks this gated action alone (F-17)")
    func lockout() throws {
        let gate = try RunningGate()
        for _ in 0..<3 { #expect(try authorize(gate) { $0.wrong } == 1) }
        #expect(try gate.gatectl("authorize", "link.open", "--stdin").status == 75)
        #expect(try gate.gatectl("check", "link.open").status == 2)
        // The mode asks as before.
        #expect(try gate.gatectl("toggle", "--stdin", input: "").status == 3)
        #expect(try gate.gatectl("lockouts").output.contains("link.open"))
        #expect(try gate.gatectl("lockouts", "clear").status == 0)
        #expect(try authorize(gate) { $0.right } == 0)
    }

    @Test("a kept grant is asked for once and listed, and asked for again after it is revoked (F-18)")
    func keptGrant() throws {
        let gate = try RunningGate(
            policy: "gated-actions:\n  link.open: {requires: {challenge: arithmetic-choice}, keep: 5m}\n")
        #expect(try gate.gatectl("check", "link.open").status == 2)
        #expect(try authorize(gate) { $0.right } == 0)
        #expect(try gate.gatectl("check", "link.open").status == 0)
        #expect(try gate.gatectl("authorize", "link.open", "--details", "another").status == 0)
        #expect(try gate.gatectl("grants").output.contains("link.open"))
        // The kept grant survives the daemon, because it is in the store.
        try gate.crash()
        try gate.start()
        #expect(try gate.gatectl("check", "link.open").status == 0)
        #expect(try gate.gatectl("grants", "revoke", "link.open").status == 0)
        #expect(try gate.gatectl("check", "link.open").status == 2)
    }

    @Test("entering parent mode grants a waiting request without an answer (F-16)")
    func redecided() throws {
        let gate = try RunningGate(
            policy: """
                gated-actions:
                  store.open: {requires: {any: [{mode: parent}, {challenge: arithmetic-choice}]}}

                """)
        let screen = try RelayScreen(gate)
        let requester = try gate.gatectlRunning("authorize", "store.open", hasInput: false)
        _ = try screen.shown()
        #expect(try gate.gatectl("override", "parent", "--reason", "a test").status == 0)
        #expect(try requester.ended().status == 0)
        try screen.cleared()
    }

    // MARK: Grants

    @Test("a grant is taken once, for its gated action and its details, and for no other")
    func grantIsSingle() throws {
        let gate = try RunningGate()
        #expect(try gate.gatectl("override", "parent", "--reason", "a test").status == 0)
        let holder = try gate.gatectlRunning(
            "authorize", "photos.delete", "--details", "beach.jpg", "--redeemer", NSUserName())
        let proof = try holder.nextLine()
        func redeem(_ action: String, _ details: String, _ proof: String) throws -> Int32 {
            try gate.gatectl("redeem", action, "--details", details, input: proof + "\n").status
        }
        #expect(try redeem("link.open", "beach.jpg", proof) == 1)
        #expect(try redeem("photos.delete", "birthday.jpg", proof) == 1)
        #expect(try redeem("photos.delete", "", proof) == 1)
        let last = proof.hasSuffix("0") ? "1" : "0"
        #expect(try redeem("photos.delete", "beach.jpg", proof.dropLast() + last) == 1)
        #expect(try redeem("photos.delete", "beach.jpg", "no proof") == 65)
        // None of these calls has taken the grant.
        #expect(try redeem("photos.delete", "beach.jpg", proof) == 0)
        #expect(try redeem("photos.delete", "beach.jpg", proof) == 1)
    }

    @Test("a grant dies with the process that asked for it", arguments: [SIGKILL, SIGTERM])
    func grantDiesWithRequester(signal: Int32) throws {
        let gate = try RunningGate()
        #expect(try gate.gatectl("override", "parent", "--reason", "a test").status == 0)
        let holder = try gate.gatectlRunning("authorize", "photos.delete", "--redeemer", NSUserName())
        let proof = try holder.nextLine()
        holder.signal(signal)
        _ = try holder.ended()
        // Until the daemon has noticed the end of the connection, the grant is still there.
        try eventually("the daemon has seen it go") {
            try gate.gatectl("call", "gate.v1.Control/GetStatistics", "{}").output.contains(#""connections":1,"#)
        }
        let late = try gate.gatectl("redeem", "photos.delete", input: proof + "\n")
        #expect(late.status == 1)
    }

    @Test("a grant without a redeemer works only on the connection that asked for it")
    func grantOfOwnConnection() throws {
        let gate = try RunningGate()
        #expect(try gate.gatectl("override", "parent", "--reason", "a test").status == 0)
        let requester = try RawPeer(gate.socket)
        let action = [0x0a, 13] + Array("photos.delete".utf8)
        requester.write(RawPeer.request(stream: 1, "gate.v1.Authorization", "Authorize", payload: action))
        let granted = try #require(requester.read())
        #expect(RawPeer.code(granted) == nil)
        // The proof is the one field of 24 bytes in it.
        let start = try #require(granted.data.indices.first { granted.data[$0...].starts(with: [0x12, 24]) })
        let proof = Array(granted.data[(start + 2)...].prefix(24))
        let theft = try gate.gatectl(
            "call", "gate.v1.Authorization/Redeem",
            #"{"proof":"\#(Data(proof).base64EncodedString())","gatedAction":"photos.delete"}"#)
        #expect(theft.status == 77, "\(theft.output)\(theft.errors)")
        // The peer that was granted it can redeem it, once.
        let redeem = [0x0a, 24] + proof + [0x12, 13] + Array("photos.delete".utf8)
        for (stream, code) in [(UInt32(3), nil), (5, 9)] as [(UInt32, UInt8?)] {
            requester.write(RawPeer.request(stream: stream, "gate.v1.Authorization", "Redeem", payload: redeem))
            let answer = try #require(requester.read())
            #expect(answer.stream == stream && RawPeer.code(answer) == code)
        }
    }

    // MARK: -

    /// Asks for a link on this process's own terminal, so to say; `nil`: ends the input without an answer.
    private func authorize(_ gate: RunningGate, _ line: (Answers) -> String?) throws -> Int32 {
        let process = try gate.gatectlRunning(
            "authorize", "link.open", "--details", "https://example.org/", "--stdin", "--json")
        let question = try process.nextLine()
        if let line = line(try #require(Answers(json: question), "\(question)")) {
            process.write(line + "\n")
        }
        process.closeInput()
        return try process.ended().status
    }
}
