import Foundation
import Glibc
import ProcessSupport
import Testing

/// A mouse on a real terminal: its reports come as bytes, like keys.
@Suite("A mouse on a terminal that presents", .serialized, .waitsForProcesses)
struct MouseTests {
    @Test("a click on the right choice answers, and mouse reports are switched off when the terminal is left (S-17)")
    func choice() throws {
        let gate = try RunningGate()
        // The terminal is so small that the sum is shown as plain text.
        let terminal = try gate.gatectlOnTerminal("present")
        try terminal.shows("There is no question now")
        let requester = try gate.gatectlRunning("authorize", "link.open", "--details", "https://example.org/")
        try terminal.shows("c) ")
        let sum = try #require(terminal.sum, "\(terminal.text)")
        try terminal.press(on: "\(try terminal.letter(of: sum))) \(sum)")
        #expect(try requester.ended().status == 0)
        try terminal.shows("Right.")
        terminal.type("\u{03}")
        #expect(try terminal.ended().status == 0)
        #expect(terminal.drawn.hasTakenMouse && terminal.drawn.hasLeftMouse)
    }

    @Test("a yes takes clicks in two places; a double click is not enough")
    func permission() throws {
        let gate = try RunningGate(policy: "gated-actions:\n  games.play: {requires: {challenge: confirm}}\n")
        let terminal = try presenter(gate)
        let requester = try gate.gatectlRunning("authorize", "games.play", hasInput: false)
        try terminal.shows("I have read it")
        try terminal.press(on: "y) Allow")
        #expect(requester.isRunning)
        try terminal.press(on: "I have read it")
        try terminal.shows("y or n")
        try terminal.press(on: "y) Allow")
        #expect(try requester.ended().status == 0)
    }

    @Test("a click beside a sheet dismisses it; a click within it, or in the first second, does not (F-07)")
    func beside() throws {
        let gate = try RunningGate()
        let terminal = try presenter(gate)
        let requester = try gate.gatectlRunning("authorize", "link.open")
        try terminal.shows("c) ")
        terminal.type("\u{1b}[<0;40;3M\u{1b}[<0;40;3m")
        #expect(requester.isRunning)
        terminal.press(column: 1, row: 12)
        #expect(try requester.ended().status == 3)
        try terminal.shows("Dismissed.")
    }

    @Test("truncated or forged mouse reports answer nothing, and keys work as before")
    func hostile() throws {
        let gate = try RunningGate()
        let terminal = try presenter(gate)
        let requester = try gate.gatectlRunning("authorize", "link.open", hasInput: false)
        try terminal.shows("c) ")
        terminal.type("\u{1b}[<0;1;M\u{1b}[<0;99999;1M\u{1b}[<M\u{1b}[M\u{20}\u{61}")
        usleep(1_200_000)
        #expect(requester.isRunning)
        terminal.type("\u{1b}")
        #expect(try requester.ended().status == 3)
    }

    @Test("whatever signal ends the presenter, mouse reports are switched off", arguments: [SIGTERM, SIGHUP, SIGSEGV])
    func signals(signal: Int32) throws {
        let gate = try RunningGate()
        let terminal = try presenter(gate)
        kill(try terminal.pid(), signal)
        let ended = try terminal.ended()
        #expect(ended.before == ended.after)
        #expect(terminal.drawn.hasTakenMouse && terminal.drawn.hasLeftMouse)
    }

    private func presenter(_ gate: RunningGate) throws -> TerminalProgram {
        let terminal = try gate.gatectlOnTerminal("present", columns: 80, rows: 24)
        try terminal.shows("There is no question now")
        return terminal
    }
}

extension String {
    fileprivate var hasTakenMouse: Bool { contains("\u{1b}[?1000h") && contains("\u{1b}[?1006h") }

    /// Whether the mouse was released after it was last taken.
    fileprivate var hasLeftMouse: Bool {
        guard let taken = range(of: "\u{1b}[?1006h", options: .backwards) else { return false }
        let rest = self[taken.upperBound...]
        return rest.contains("\u{1b}[?1006l") && rest.contains("\u{1b}[?1000l")
    }
}
