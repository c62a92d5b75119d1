import Foundation
import Glibc
import ProcessSupport
import Testing

/// Questions on real terminals, as a person sees and answers them.
@Suite("A question on a terminal", .serialized, .waitsForProcesses)
struct TerminalTests {
    @Test("gatectl present shows asker and action, a letter answers, and the terminal is restored")
    func presents() throws {
        let gate = try RunningGate()
        let terminal = try gate.presenterOnTerminal()
        let requester = try gate.gatectlRunning("authorize", "link.open", "--details", "https://example.org/")
        try terminal.shows("= ?")
        #expect(terminal.text.contains("Open a web page"))
        #expect(terminal.text.contains("https://example.org/"))
        #expect(terminal.text.contains("Asked by \(NSUserName()) (the program says it is"))
        #expect(!terminal.text.contains("process \(requester.pid)"), "its number stands in the journal")
        try terminal.shows("c)")
        let sum = try #require(terminal.sum, "\(terminal.text)")
        terminal.type("\(try terminal.letter(of: sum))")
        #expect(try requester.ended().status == 0)
        try terminal.shows("Right.")
        terminal.type("\u{03}")
        let ended = try terminal.ended()
        #expect(ended.status == 0)
        #expect(ended.before == ended.after)
        #expect(terminal.drawn.hasLeft)
    }

    @Test("gatectl present says which terminal it needs if this one can't be drawn on")
    func dumb() throws {
        let gate = try RunningGate()
        let terminal = try TerminalProgram(
            [
                "/usr/bin/env", "TERM=dumb", builtProgram("gatectl"), "present", "--socket", gate.socket,
                "--server-user", NSUserName(),
            ], in: gate.directory)
        #expect(try terminal.ended().status == 65)
        // Each line of an error but the first begins with a bar.
        let words = terminal.text.split(whereSeparator: \.isWhitespace).filter { $0 != "|" }.joined(separator: " ")
        #expect(words.contains("but TERM is 'dumb' here, or not set.") && words.contains("like xterm-256color"))
    }

    @Test("after Escape the requester exits with 3, and after a wrong letter with 1")
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
        let letter = try #require("abc".first { try $0 != terminal.letter(of: sum) })
        terminal.type("\(letter)")
        #expect(try second.ended().status == 1)
    }

    @Test("a question that an administrator puts away is not asked again")
    func putAway() throws {
        let gate = try RunningGate()
        let terminal = try gate.presenterOnTerminal()
        let requester = try gate.gatectlRunning("authorize", "link.open")
        try terminal.shows("= ?")
        let withdrawn = try gate.gatectl("call", "gate.v1.Presentations/Withdraw", #"{"id":"1"}"#)
        #expect(withdrawn.status == 0, "\(withdrawn.errors)")
        let ended = try requester.ended()
        #expect(ended.status == 75)
        #expect(ended.errors.contains("An administrator closed this."), "\(ended.errors)")
    }

    @Test(
        "whatever signal ends the presenter, the terminal is restored and the question goes to another screen",
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

    @Test("when a requester is killed its question leaves the terminal")
    func requesterDies() throws {
        let gate = try RunningGate()
        let terminal = try gate.presenterOnTerminal()
        let requester = try gate.gatectlRunning("authorize", "link.open", "--details", "https://example.org/")
        try terminal.shows("= ?")
        terminal.forget()
        requester.kill()
        try terminal.shows("There is no question now")
        #expect(try #require(terminal.text.range(of: "There is no question now")).lowerBound > terminal.text.startIndex)
        terminal.type("\u{03}")
        #expect(try terminal.ended().status == 0)
    }

    @Test("a terminal that is enlarged is redrawn, with large digits if they fit")
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
        terminal.type("\(try terminal.letter(of: sum))")
        #expect(try requester.ended().status == 0)
    }

    @Test("a requester's name and details can't draw on the terminal")
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

    @Test("a terminal without UTF-8 gets ASCII alone, so no byte is a command to it")
    func eightBits() throws {
        let gate = try RunningGate()
        let terminal = try gate.presenterOnTerminal(locale: "C")
        let requester = try gate.gatectlRunning("authorize", "link.open", "--details", "a\u{265b}2J", hasInput: false)
        try terminal.shows("| a<U+265B>2J")
        try terminal.shows("left")
        #expect(terminal.drawn.utf8.allSatisfy { $0 < 0x80 })
        requester.kill()
    }

    @Test("nothing that a requester writes begins a line of the journal, or of a watch")
    func listings() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let painted = "Asked by root, process 1. 2026-01-01T00:00:00.000Z  rev 1  granted  uid 0 pid 1"
        let details =
            "x" + String(repeating: " ", count: 60) + painted + String(repeating: "\u{2b1b}", count: 200) + painted
        let watch = try TerminalProgram(
            [
                builtProgram("gatectl"), "watch", "--topic", "presentations", "--socket", gate.socket, "--server-user",
                NSUserName(),
            ], in: gate.directory)
        let requester = try gate.gatectlRunning("authorize", "link.open", "--details", details, hasInput: false)
        try screen.answerSum(right: true)
        #expect(try requester.ended().status == 0)
        try watch.shows("closed")
        let journal = try gate.gatectlOnTerminal("audit")
        #expect(try journal.ended().status == 0)
        for text in [watch.text, journal.text] {
            let lines = text.split { $0 == "\r\n" || $0 == "\n" }.filter { !$0.hasPrefix("Script ") }
            #expect(lines.contains { $0.hasPrefix("| ") })
            #expect(text.replacing("\r\n| ", with: "").contains("<60 spaces>"))
            for line in lines {
                #expect(line.hasPrefix("| ") || line.hasPrefix("rev ") || line.hasPrefix("20"), "\(line)")
                #expect(line.unicodeScalars.reduce(0) { $0 + ($1.isASCII ? 1 : 2) } <= 60, "\(line)")
            }
        }
    }

    @Test("a typed passcode is not displayed, and opens")
    func passcode() throws {
        let gate = try RunningGate(policy: "gated-actions:\n  purchase: {requires: {challenge: passcode}}\n")
        #expect(try gate.gatectl("passcode", "set", "--stdin", input: "tr0ub4dor\n").status == 0)
        let terminal = try gate.presenterOnTerminal()
        let requester = try gate.gatectlRunning("authorize", "purchase")
        try terminal.shows("Return lets you answer")
        // Text typed in the first second is ignored, because it was meant for another question.
        terminal.type("tr0ub4dor\r")
        try terminal.shows("the passcode (it does not show)")
        terminal.type("tr0ub4dor\r")
        #expect(try requester.ended().status == 0)
        #expect(!terminal.drawn.contains("tr0ub"))
    }

    @Test("a yes typed for a withdrawn question does not approve the next one")
    func nextQuestion() throws {
        let gate = try RunningGate(policy: "gated-actions:\n  games.play: {requires: {challenge: confirm}}\n")
        let terminal = try gate.presenterOnTerminal()
        let first = try gate.gatectlRunning("authorize", "games.play", "--details", "first", hasInput: false)
        try terminal.shows("| first")
        let second = try gate.gatectlRunning("authorize", "games.play", "--details", "second", hasInput: false)
        try eventually("the second one waits") {
            try gate.gatectl("call", "gate.v1.Presentations/ListPresentations", "{}").output.contains("STAGE_WAITING")
        }
        first.kill()
        try terminal.shows("| second")
        terminal.type("y")
        try terminal.shows("That was not accepted.")
        #expect(!second.hasEnded)
        terminal.type("\r")
        try terminal.shows("y or n")
        terminal.type("y")
        #expect(try second.ended().status == 0)
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
        terminal.type("\(try terminal.letter(of: sum))")
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
    fileprivate func presenterOnTerminal(locale: String = "C.UTF-8") throws -> TerminalProgram {
        let terminal = try gatectlOnTerminal("present", locale: locale)
        try terminal.shows("There is no question now")
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
