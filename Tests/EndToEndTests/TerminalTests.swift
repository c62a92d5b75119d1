import Foundation
import Glibc
import ProcessSupport
import Testing

/// What a person sees and types, on real terminals.
@Suite("A question on a terminal", .serialized, .waitsForProcesses)
struct TerminalTests {
    @Test("gatectl present shows who asks and for what, a letter answers, and the terminal is as it was")
    func presents() throws {
        let gate = try RunningGate()
        let terminal = try gate.presenterOnTerminal()
        let requester = try gate.gatectlRunning("authorize", "link.open", "--details", "https://example.org/")
        try terminal.shows("= ?")
        #expect(terminal.text.contains("Open a web page"))
        #expect(terminal.text.contains("https://example.org/"))
        #expect(terminal.text.contains("process \(requester.pid)"))
        try terminal.shows("c)")
        let sum = try #require(terminal.sum, "\(terminal.text)")
        terminal.type("\(try #require(terminal.letter(of: sum)))")
        #expect(try requester.ended().status == 0)
        try terminal.shows("Right.")
        terminal.type("q")
        let ended = try terminal.ended()
        #expect(ended.status == 0)
        #expect(ended.before == ended.after)
        #expect(terminal.drawn.hasLeft)
    }

    @Test("Escape dismisses, and the requester ends with 3; a wrong letter ends it with 1")
    func escape() throws {
        let gate = try RunningGate()
        let terminal = try gate.presenterOnTerminal()
        let first = try gate.gatectlRunning("authorize", "link.open")
        try terminal.shows("= ?")
        terminal.type("\u{1b}")
        #expect(try first.ended().status == 3)
        try terminal.shows("Dismissed.")

        terminal.forget()
        let second = try gate.gatectlRunning("authorize", "link.open")
        try terminal.shows("c)")
        let sum = try #require(terminal.sum, "\(terminal.text)")
        let letter = try #require("abc".first { $0 != terminal.letter(of: sum) })
        terminal.type("\(letter)")
        #expect(try second.ended().status == 1)
    }

    @Test(
        "however the presenter is asked to end, the terminal is as it was, and the question goes on to another screen",
        arguments: [SIGTERM, SIGHUP, SIGINT])
    func signals(signal: Int32) throws {
        let gate = try RunningGate()
        let terminal = try gate.presenterOnTerminal()
        let requester = try gate.gatectlRunning("authorize", "link.open")
        try terminal.shows("= ?")
        let screen = try RelayScreen(gate)
        kill(try terminal.pid(), signal)
        let ended = try terminal.ended()
        #expect(ended.before == ended.after)
        #expect(terminal.drawn.hasLeft)
        try screen.answerSum(right: true)
        #expect(try requester.ended().status == 0)
    }

    @Test("a requester that is killed clears the terminal")
    func requesterDies() throws {
        let gate = try RunningGate()
        let terminal = try gate.presenterOnTerminal()
        let requester = try gate.gatectlRunning("authorize", "link.open", "--details", "https://example.org/")
        try terminal.shows("= ?")
        terminal.forget()
        requester.kill()
        try terminal.shows("Nothing is asked")
        #expect(try #require(terminal.text.range(of: "Nothing is asked")).lowerBound > terminal.text.startIndex)
        terminal.type("q")
        #expect(try terminal.ended().status == 0)
    }

    @Test("a terminal that grows is drawn anew, with large digits where they fit")
    func resize() throws {
        let gate = try RunningGate()
        let terminal = try gate.presenterOnTerminal()
        let requester = try gate.gatectlRunning("authorize", "link.open")
        try terminal.shows("= ?")
        let sum = try #require(terminal.sum)
        let cleared = terminal.drawn.components(separatedBy: "\u{1b}[2J").count
        let resized = try ChildProcess(
            "/usr/bin/stty", ["-F", terminal.device, "rows", "40", "cols", "120"], hasInput: false)
        #expect(try resized.ended().status == 0)
        try eventually("all of it is drawn anew, large") {
            let parts = terminal.drawn.components(separatedBy: "\u{1b}[2J")
            return parts.count > cleared && parts.last?.contains("= ?") == false && parts.last?.contains(")") == true
        }
        terminal.type("\(try #require(terminal.letter(of: sum)))")
        #expect(try requester.ended().status == 0)
    }

    @Test("what a requester calls itself and what it wants draws nothing of its own on the terminal")
    func noControlCharacters() throws {
        let gate = try RunningGate()
        let terminal = try gate.presenterOnTerminal()
        #expect(try gate.gatectl("authorize", "link.open", "--details", "a\u{1b}[2Jb").status == 65)
        #expect(try gate.gatectl("authorize", "link.open", "--details", "a\u{202e}b").status == 65)
        #expect(try gate.gatectl("authorize", "link.open", "--details", "a\nb").status == 65)
        let impostor = gate.directory + "/a\u{1b}[31mb"
        try copyProgram(builtProgram("gatectl"), to: impostor)
        let requester = try ChildProcess(
            impostor, ["authorize", "link.open", "--socket", gate.socket, "--server-user", NSUserName()])
        try terminal.shows("= ?")
        #expect(!terminal.drawn.contains("\u{1b}[31mb"))
        terminal.type("\u{1b}")
        #expect(try requester.ended().status == 3)
    }

    @Test("a passcode that is typed is not seen, and opens")
    func passcode() throws {
        let gate = try RunningGate(policy: "gated-actions:\n  purchase: {requires: {challenge: passcode}}\n")
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "tr0ub4dor\n").status == 0)
        let terminal = try gate.presenterOnTerminal()
        let requester = try gate.gatectlRunning("authorize", "purchase")
        try terminal.shows("passcode")
        terminal.type("tr0ub4dor\r")
        #expect(try requester.ended().status == 0)
        #expect(!terminal.drawn.contains("tr0ub"))
    }

    @Test("without a presenter gatectl asks on its own terminal, and leaves it as it was")
    func ownTerminal() throws {
        let gate = try RunningGate()
        let mark = gate.directory + "/mark"
        let terminal = try TerminalProgram(
            [
                builtProgram("gatectl"), "run", "--gate", "link.open", "--socket", gate.socket, "--server-user",
                NSUserName(), "--", "touch", mark,
            ], in: gate.directory, columns: 20)
        try terminal.shows("= ?")
        try terminal.shows("c)")
        #expect(!FileManager.default.fileExists(atPath: mark))
        let sum = try #require(terminal.sum, "\(terminal.text)")
        terminal.type("\(try #require(terminal.letter(of: sum)))")
        let ended = try terminal.ended()
        #expect(ended.status == 0)
        #expect(ended.before == ended.after)
        #expect(FileManager.default.fileExists(atPath: mark))
    }

    @Test("with a presenter gatectl waits for it, and Ctrl-C on its own terminal takes the question back")
    func otherScreenFirst() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let terminal = try gate.gatectlOnTerminal("authorize", "link.open")
        _ = try screen.shown()
        try terminal.shows("another screen")
        terminal.type("\u{03}")
        let ended = try terminal.ended()
        #expect(ended.status == 3)
        #expect(ended.before == ended.after)
        try screen.cleared()
    }
}

extension RunningGate {
    /// `gatectl present` on a terminal of its own, waiting for what is asked.
    fileprivate func presenterOnTerminal() throws -> TerminalProgram {
        let terminal = try gatectlOnTerminal("present")
        try terminal.shows("Nothing is asked")
        return terminal
    }
}

extension String {
    /// Whether the screen that was there before is back, with its cursor.
    fileprivate var hasLeft: Bool {
        guard let entered = range(of: "\u{1b}[?1049h", options: .backwards),
            let left = range(of: "\u{1b}[?1049l", options: .backwards),
            let cursor = range(of: "\u{1b}[?25h", options: .backwards)
        else { return false }
        return left.lowerBound > entered.lowerBound && cursor.lowerBound > entered.lowerBound
    }
}
