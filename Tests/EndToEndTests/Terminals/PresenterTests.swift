import Foundation
import Glibc
import ProcessSupport
import Testing

/// One program asks, and another one's screen shows it.
@Suite("Two programs and a question between them", .serialized, .waitsForProcesses)
struct PresenterTests {
    @Test("a link: the question is on the other screen, the right answer opens it once, the mode stays child (F-17)")
    func rightAnswer() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let (requester, opened) = try open(gate, "https://Example.org:443/a b?c#d")
        let question = try screen.shown()
        // The question says who asks, and for what exactly; nothing has opened yet.
        #expect(question.contains("https://example.org/a%20b?c#d"))
        #expect(question.contains("Open a web page"))
        #expect(question.contains("\(requester.pid)"))
        #expect(!question.contains("cookie"))
        #expect(linesOfFile(opened).isEmpty)
        try screen.answerSum(right: true)
        let result = try requester.ended()
        // The exit status is the browser's.
        #expect(result.status == 7, "\(result.errors)")
        #expect(linesOfFile(opened) == ["https://example.org/a%20b?c#d"])
        #expect(try gate.gatectl("status").output.contains("child"))
        #expect(screen.everything.count == 1)
    }

    @Test(
        "after a wrong answer on the other screen gatectl exits with 1, after a dismissal with 3, and nothing opens",
        arguments: [1, 3])
    func noAnswer(status: Int32) throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let (requester, opened) = try open(gate, "https://example.org")
        if status == 1 {
            try screen.answerSum(right: false)
        } else {
            _ = try screen.shown()
            try screen.answer("")
        }
        #expect(try requester.ended().status == status)
        #expect(linesOfFile(opened).isEmpty)
        #expect(try gate.gatectl("status").output.contains("child"))
    }

    @Test("parent mode is asked for on the other screen too")
    func parentMode() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let requester = try gate.gatectlRunning("toggle", hasInput: false)
        let question = try screen.answerSum(right: true)
        #expect(question.contains("Parent mode"))
        #expect(try requester.ended().status == 0)
        #expect(try gate.gatectl("status").output.contains("parent"))
    }

    @Test("when a presenter is killed its question goes to another, which answers it")
    func presenterDies() throws {
        let gate = try RunningGate()
        let first = try RelayScreen(gate)
        let second = try RelayScreen(gate)
        let (requester, opened) = try open(gate, "https://example.org")
        // Either screen may get the question; then the other does not have it.
        try eventually("the question is somewhere") { first.json != nil || second.json != nil }
        let (dying, heir) = first.json != nil ? (first, second) : (second, first)
        #expect(heir.everything.isEmpty)
        dying.process.kill()
        let question = try heir.answerSum(right: true)
        #expect(try requester.ended().status == 7)
        #expect(linesOfFile(opened).count == 1)
        // The question is the same as before, so a child who kills presenters can't choose another one.
        let (old, new) = (try #require(Answers(json: dying.everything[0])), try #require(Answers(json: question)))
        #expect(old.right == new.right && old.wrong == new.wrong)
    }

    @Test(
        "when the last presenter leaves, the requester is told at once",
        arguments: [SIGKILL, SIGTERM])
    func lastPresenterDies(signal: Int32) throws {
        let gate = try RunningGate()
        for _ in 0..<2 {
            let screen = try RelayScreen(gate)
            let (requester, opened) = try open(gate, "https://example.org")
            _ = try screen.shown()
            screen.process.signal(signal)
            #expect(try requester.ended().status == 2)
            #expect(linesOfFile(opened).isEmpty)
        }
        // The screen belonged to the asker's user: a user who ends it has seen a question and left it, and the first
        // time costs nothing.
        #expect(try gate.gatectl("lockouts", "--json").output.contains("link.open"))
    }

    @Test("when a requester is killed its question leaves the screen", arguments: [SIGKILL, SIGTERM, SIGINT])
    func requesterDies(signal: Int32) throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let (requester, _) = try open(gate, "https://example.org/1")
        _ = try screen.shown()
        requester.signal(signal)
        try screen.cleared()
        // The screen goes on with the next one.
        let (next, opened) = try open(gate, "https://example.org/2")
        #expect(try screen.answerSum(right: true).contains("https://example.org/2"))
        #expect(try next.ended().status == 7)
        #expect(linesOfFile(opened) == ["https://example.org/2"])
    }

    @Test("a presenter that registers late gets no question that another has, and can't claim it")
    func lateScreen() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let (requester, _) = try open(gate, "https://example.org")
        _ = try screen.shown()
        let late = try RelayScreen(gate)
        let list = try gate.gatectl("call", "gate.v1.Presentations/ListPresentations", "{}").output
        let id = try #require(list.firstMatch(of: #/"id":"(\d+)"/#)?.1)
        #expect(!list.contains("cookie"))
        let claim = try gate.gatectl("call", "gate.v1.Presentations/Claim", #"{"id":"\#(id)"}"#)
        #expect(claim.status == 77, "who is no presenter claims nothing")
        let thief = try RawPeer(gate.socket)
        // A sum with choices, as a sheet.
        thief.write(
            RawPeer.request(
                stream: 1, "gate.v1.Presentations", "RegisterPresenter", payload: [0x0a, 1, 1, 0x12, 1, 1], flags: 1))
        let nothing = try #require(thief.read())
        #expect(nothing.type == 3 && nothing.data.isEmpty, "nothing is on offer for it")
        thief.write(RawPeer.request(stream: 3, "gate.v1.Presentations", "Claim", payload: [0x08, 1]))
        let refusal = try #require(thief.read())
        #expect(refusal.stream == 3 && RawPeer.code(refusal) == 10)
        try screen.answerSum(right: true)
        #expect(try requester.ended().status == 7)
        #expect(late.everything.isEmpty)
    }

    @Test("questions are shown one after the other, and each answer goes to its requester (F-17)")
    func queue() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let (first, openedFirst) = try open(gate, "https://example.org/1")
        _ = try screen.shown()
        let (second, openedSecond) = try open(gate, "https://example.org/2")
        try eventually("the second one waits") {
            try gate.gatectl("call", "gate.v1.Presentations/ListPresentations", "{}").output.contains("STAGE_WAITING")
        }
        #expect(screen.everything.count == 1)
        try screen.answerSum(right: false)
        #expect(try first.ended().status == 1)
        try eventually("the second one comes") { screen.everything.count == 2 }
        try screen.answerSum(right: true)
        #expect(try second.ended().status == 7)
        #expect(linesOfFile(openedFirst).isEmpty)
        #expect(linesOfFile(openedSecond) == ["https://example.org/2"])
    }

    @Test("a program that crashes counts as a dismissal; one that can't be started ends the presenter")
    func programs() throws {
        let gate = try RunningGate()
        let crashing = gate.directory + "/crashing"
        try writeProgram("#!/bin/sh\nkill -SEGV $$\n", to: crashing)
        let presenter = try gate.gatectlRunning("present", "--exec", crashing)
        _ = try presenter.nextLineAnywhere()
        #expect(try gate.gatectl("authorize", "link.open").status == 3)
        #expect(try gate.gatectl("present", "--exec", gate.directory + "/nothing").status == 65)
    }

    @Test("a process that the program leaves running does not delay the answer")
    func leftBehind() throws {
        let gate = try RunningGate(policy: Self.permission)
        let program = gate.directory + "/program"
        // That program keeps its output open, for as long as the tests run.
        try writeProgram(
            "#!/bin/sh\nsleep 100000 &\necho $! > '\(gate.directory)/left'\nsleep 1.1\necho yes\n", to: program)
        let presenter = try gate.gatectlRunning("present", "--exec", program)
        _ = try presenter.nextLineAnywhere()
        defer {
            if let left = linesOfFile(gate.directory + "/left").first.flatMap({ Int32($0) }) { kill(left, SIGKILL) }
        }
        #expect(try gate.gatectl("authorize", "games.play").status == 0)
    }

    @Test("an answer that comes too early to have been read is refused, and the program is started again")
    func tooSoon() throws {
        let gate = try RunningGate(policy: Self.permission)
        let program = gate.directory + "/program"
        let notes = gate.directory + "/notes"
        try writeProgram(
            "#!/bin/sh\necho \"note: $GATE_NOTE\" >> '\(notes)'\necho yes\n", to: program)
        let presenter = try gate.gatectlRunning("present", "--exec", program)
        _ = try presenter.nextLineAnywhere()
        #expect(try gate.gatectl("authorize", "games.play").status == 0)
        let lines = linesOfFile(notes)
        #expect(lines.count == 2 && lines.first == "note: " && lines.last?.contains("too fast to have read") == true)
    }

    @Test("the late answer of a program whose question is gone answers no other question")
    func lateAnswer() throws {
        let gate = try RunningGate(policy: Self.permission)
        let program = gate.directory + "/program"
        let first = gate.directory + "/first"
        // The first program goes on after it is told to end, and says yes once there is another question.
        try writeProgram(
            """
            #!/bin/sh
            cd '\(gate.directory)'
            if mkdir first 2>/dev/null; then
                trap '' TERM
                sleep 1.5
                echo yes
                exit 0
            fi
            echo second > second
            sleep 1.5
            exit 1

            """, to: program)
        let presenter = try gate.gatectlRunning("present", "--exec", program)
        _ = try presenter.nextLineAnywhere()
        let withdrawn = try gate.gatectlRunning("authorize", "games.play", hasInput: false)
        try eventually("the first one is started") { FileManager.default.fileExists(atPath: first) }
        let next = try gate.gatectlRunning("authorize", "games.play", hasInput: false)
        withdrawn.signal(SIGTERM)
        _ = try withdrawn.ended()
        #expect(try next.ended().status == 3, "dismissed by the second one")
        #expect(FileManager.default.fileExists(atPath: gate.directory + "/second"))
    }

    @Test("a watcher of presentations sees them open, shown and closed, and never their content (F-55)")
    func watch() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let watcher = try gate.gatectlRunning("watch", "--topic", "presentations")
        let machine = try gate.gatectlRunning("watch", "--topic", "presentations", "--json")
        #expect(try machine.nextLine().contains("snapshot"))
        let (requester, _) = try open(gate, "https://example.org")
        let come = try watcher.lines(through: "shown").last ?? ""
        #expect(come.contains("link.open: https://example.org/") && come.contains("pid \(requester.pid)"))
        try screen.answerSum(right: true)
        let gone = try watcher.lines(through: "closed").last ?? ""
        #expect(gone.contains("challenge 1"))
        let lines = try machine.lines(through: #""presentations":{"presentations":[]}"#)
        #expect(lines.contains { $0.contains("STAGE_SHOWN") })
        #expect(!lines.contains { $0.contains("cookie") || $0.contains("choices") || $0.contains("\"mode\":{") })
    }

    // MARK: -

    private static let permission = """
        gated-actions:
          games.play: {requires: {challenge: confirm}}

        """

    /// `gatectl open` with a browser that notes what it is given, and ends with 7.
    private func open(_ gate: RunningGate, _ link: String) throws -> (requester: ChildProcess, opened: String) {
        let opened = gate.directory + "/opened-" + UUID().uuidString.prefix(8)
        let browser = opened + "-browser"
        try writeProgram("#!/bin/sh\nprintf '%s\\n' \"$@\" >> '\(opened)'\nexit 7\n", to: browser)
        return (try gate.gatectlRunning("open", link, "--browser", browser, hasInput: false), opened)
    }
}
