import Glibc

/// A terminal that is drawn on as a whole. Its earlier content is restored at the end, even after a crash or a signal.
final class FullScreen {
    private let terminal: Terminal
    private let before: termios
    private var isLeft = false

    /// Switches to the alternate screen and clears it. It has no cursor and no scrolling region; rows are counted from
    /// its top, and long ones cut, not wrapped: whatever a terminal makes of a character, it can move only what comes
    /// after it in its row. The mouse is reported in the format 1006: presses and releases, but no movements.
    private static let enter =
        "\u{1b}[?1049h\u{1b}[r\u{1b}[?6l\u{1b}[4l\u{1b}[?7l\u{1b}[?25l\u{1b}[2J\u{1b}[?1000h\u{1b}[?1006h"
    fileprivate static let leave: StaticString =
        "\u{1b}[?1006l\u{1b}[?1000l\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

    /// `nil` if the terminal is gone.
    init?(_ terminal: Terminal) {
        guard let before = terminal.takeSingleKeys() else { return nil }
        self.terminal = terminal
        self.before = before
        CrashRestoration.arm(terminal, before)
        write(Self.enter)
    }

    deinit {
        leave()
    }

    func draw(_ rows: [PresenterRow]) {
        write(Self.drawing(rows))
    }

    /// Draws each row at its own address after clearing it, then clears everything below. Gate's own rows and the frame
    /// are drawn last, so that nothing covers them.
    static func drawing(_ rows: [PresenterRow]) -> String {
        var foreign = ""
        var own = ""
        for (index, row) in rows.enumerated() {
            func at(_ column: Int, _ text: String) -> String {
                "\u{1b}[\(index + 1);\(column + 1)H\u{1b}[0m\(text)\u{1b}[0m"
            }
            let text = "\u{1b}[\(index + 1);1H\u{1b}[0m\u{1b}[2K" + at(row.column, row.text)
            if row.isForeign { foreign += text } else { own += text }
            if !row.left.isEmpty { own += at(0, row.left) }
            if !row.right.isEmpty { own += at(row.rightColumn, row.right) }
        }
        return "\(foreign)\u{1b}[\(rows.count + 1);1H\u{1b}[0m\u{1b}[J\(own)"
    }

    /// Call it after the terminal was resized, or another program wrote on it.
    func clear() {
        write("\u{1b}[2J")
    }

    func leave() {
        guard !isLeft else { return }
        isLeft = true
        CrashRestoration.disarm()
        write(Self.leave.description)
        terminal.restore(before)
    }

    /// Writes all of the text. If the terminal has hung up, the rest is dropped, so that the program ends in order.
    private func write(_ text: String) {
        var rest = TerminalText.bytes(text, for: terminal.output)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(terminal.output, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var descriptors = pollfd(fd: terminal.output, events: Int16(POLLOUT), revents: 0)
                poll(&descriptors, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }
}

/// Restores the terminal if this program crashes. Otherwise it would no longer show what the person types.
private enum CrashRestoration {
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]
    /// Written only while no handler is set, and always before one is: the first access allocates, which a handler must
    /// not do.
    nonisolated(unsafe) private static var input: CInt = -1
    nonisolated(unsafe) private static var output: CInt = -1
    /// A pointer, since the compiler makes a global `termios` three bytes too short.
    nonisolated(unsafe) private static let before = UnsafeMutablePointer<termios>.allocate(capacity: 1)
    nonisolated(unsafe) private static var actions = Array(repeating: sigaction(), count: 65)

    static func arm(_ terminal: Terminal, _ terminalBefore: termios) {
        (input, output) = (terminal.input, terminal.output)
        before.initialize(to: terminalBefore)
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in CrashRestoration.crashed(number) }
            sigaction(number, &action, &actions[Int(number)])
        }
    }

    static func disarm() {
        for number in signals { sigaction(number, &actions[Int(number)], nil) }
    }

    /// Restores the terminal. The signal is raised again, and does what it does without this handler.
    private static func crashed(_ number: CInt) {
        tcsetattr(input, TCSAFLUSH, before)
        _ = write(output, FullScreen.leave.utf8Start, FullScreen.leave.utf8CodeUnitCount)
        sigaction(number, &actions[Int(number)], nil)
        raise(number)
    }
}
