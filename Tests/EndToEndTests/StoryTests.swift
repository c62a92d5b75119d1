import Foundation
import ProcessSupport
import Testing

/// One device with two terminals, as a person sees it.
@Suite("Two terminals on one device", .serialized, .waitsForProcesses)
struct StoryTests {
    @Test("a watcher sees each step that another terminal takes, in order and with revisions (F-01, F-04, F-07, G-01)")
    func twoTerminals() throws {
        let gate = try RunningGate()
        let watcher = try gate.gatectlRunning("watch", "--json")
        let snapshot = try watcher.nextLine()
        #expect(snapshot.contains("MODE_CHILD"))

        #expect(try answer(gate, "toggle", right: false) == 1)
        #expect(try answer(gate, "toggle", right: true) == 0)
        #expect(try gate.gatectl("extend", "5m", "--stdin").status == 0)
        #expect(try gate.gatectl("toggle").status == 0)

        var modes: [String] = []
        var number = try number(snapshot)
        for _ in 0..<6 {
            let line = try watcher.nextLine()
            modes.append(try mode(line))
            // No revision is told twice, and none is left out.
            #expect(try object(line)["firstNumber"] as? String == "\(number + 1)")
            number = try self.number(line)
        }
        #expect(
            modes == ["MODE_VERIFYING", "MODE_CHILD", "MODE_VERIFYING", "MODE_PARENT", "MODE_PARENT", "MODE_CHILD"])
    }

    @Test("a crash: the watcher shows child, and resumes when the daemon is back (G-01)")
    func crashAndResume() throws {
        let gate = try RunningGate()
        let watcher = try gate.gatectlRunning("watch", "--json")
        _ = try watcher.nextLine()
        #expect(try answer(gate, "toggle", right: true) == 0)
        _ = try watcher.lines(through: "MODE_PARENT")

        try gate.crash()
        let lost = try watcher.lines(through: "\"lost\"").last!
        #expect(lost.contains("MODE_CHILD"))
        try gate.start()
        let resumed = try watcher.lines(through: "revision").last!
        #expect(try mode(resumed) == "MODE_CHILD")
        #expect(try answer(gate, "toggle", right: true) == 0)
        _ = try watcher.lines(through: "MODE_PARENT")
        let status = try gate.gatectl("status", "--json")
        #expect(status.output.contains("MODE_PARENT"))
    }

    @Test("parent mode does not survive a crash, a lockout and the journal do (G-03, G-05)")
    func lockoutSurvives() throws {
        let gate = try RunningGate()
        #expect(try answer(gate, "toggle", right: true) == 0)
        try gate.crash()
        try gate.start()
        #expect(try gate.gatectl("status").output.contains("child"))

        for _ in 0..<3 { #expect(try answer(gate, "toggle", right: false) == 1) }
        try gate.crash()
        try gate.start()
        let refused = try gate.gatectl("toggle", "--stdin", "--json", input: "")
        #expect(refused.status == 75)
        #expect(refused.output.contains("REASON_LOCKED_OUT"))

        let journal = try gate.gatectl("audit", "--json").output
        #expect(journal.components(separatedBy: "AUDIT_KIND_ANSWERED_WRONG").count == 4)
        #expect(journal.components(separatedBy: "AUDIT_KIND_STARTED").count == 4)
        #expect(journal.contains("AUDIT_KIND_PARENT_ENTERED"))
    }

    @Test("when a requester is killed its question is cancelled")
    func requesterDies() throws {
        let gate = try RunningGate()
        let watcher = try gate.gatectlRunning("watch", "--json")
        let requester = try gate.gatectlRunning("toggle", "--stdin", "--json")
        _ = try requester.nextLine()
        _ = try watcher.lines(through: "MODE_VERIFYING")
        requester.signal(SIGKILL)
        _ = try watcher.lines(through: "MODE_CHILD")
    }

    @Test("end of input and an interrupt are a dismissal (F-07)", arguments: [nil, SIGINT, SIGHUP, SIGTERM])
    func dismissal(signal: Int32?) throws {
        let gate = try RunningGate()
        let requester = try gate.gatectlRunning("toggle", "--stdin")
        _ = try requester.nextLine()
        if let signal { requester.signal(signal) } else { requester.closeInput() }
        #expect(try requester.ended().status == 3)
        #expect(try gate.gatectl("status").output.contains("child"))
        #expect(try gate.gatectl("audit", "--json").output.contains("AUDIT_KIND_DISMISSED"))
    }

    @Test("a lease ends by itself, and watchers are told (G-02, G-12)")
    func leaseEnds() throws {
        let gate = try RunningGate()
        let watcher = try gate.gatectlRunning("watch", "--json")
        _ = try watcher.nextLine()
        #expect(try gate.gatectl("override", "parent", "--for", "1s", "--reason", "a test").status == 0)
        _ = try watcher.lines(through: "MODE_PARENT")
        #expect(try mode(try watcher.nextLine()) == "MODE_CHILD")
        #expect(try gate.gatectl("audit", "--json").output.contains("AUDIT_KIND_LEASE_EXPIRED"))
    }

    @Test("without a presenter toggle exits with 2 at once and changes nothing")
    func nobodyToAsk() throws {
        let gate = try RunningGate()
        let before = try gate.gatectl("status", "--json").output
        #expect(try gate.gatectl("toggle").status == 2)
        #expect(try gate.gatectl("status", "--json").output == before)
    }

    @Test("an orderly stop tells every watcher, and ends with 0")
    func orderlyStop() throws {
        let gate = try RunningGate()
        let watcher = try gate.gatectlRunning("watch", "--json")
        _ = try watcher.nextLine()
        #expect(try gate.stop() == 0)
        let lost = try watcher.lines(through: "\"lost\"").last!
        #expect(lost.contains("stopping"))
        #expect(!FileManager.default.fileExists(atPath: gate.socket))
    }

    @Test("any method can be called from the shell, and an unknown one is refused by name (G-09)")
    func call() throws {
        let gate = try RunningGate()
        let mode = try gate.gatectl("call", "gate.v1.Mode/GetMode", "{}")
        #expect(mode.status == 0)
        #expect(mode.output.contains(#""mode":"MODE_CHILD""#))
        let wrong = try gate.gatectl("call", "gate.v1.Mode/Nope", "{}")
        #expect(wrong.status == 65)
        #expect(wrong.errors.contains("Nope"))
    }

    @Test("a hang-up signal to the daemon reads the configuration again")
    func reload() throws {
        let gate = try RunningGate()
        gate.daemon.signal(SIGHUP)
        try eventually("the reload is in the journal") {
            try gate.gatectl("audit", "--json").output.contains("AUDIT_KIND_RELOADED")
        }
        let reload = try gate.gatectl("reload")
        #expect(reload.status == 0)
        #expect(reload.output.contains("gate-admin"))
    }

    // MARK: -

    /// Answers one question; returns gatectl's exit status.
    private func answer(_ gate: RunningGate, _ verb: String, right: Bool) throws -> Int32 {
        let process = try gate.gatectlRunning(verb, "--stdin", "--json")
        let question = try process.nextLine()
        let answers = try #require(Answers(json: question), "\(question)")
        process.write((right ? answers.right : answers.wrong) + "\n")
        return try process.ended().status
    }

    private func object(_ line: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private func mode(_ line: String) throws -> String {
        let mode = try object(line)["mode"] as? [String: Any]
        return try #require(mode?["mode"] as? String, "\(line)")
    }

    private func number(_ line: String) throws -> Int {
        let revision = try object(line)["revision"] as? [String: Any]
        return try #require((revision?["number"] as? String).flatMap { Int($0) }, "\(line)")
    }
}
