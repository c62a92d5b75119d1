import Glibc

/// A terminal that is drawn on as a whole. The lines that were there before are back when it is left, however this program
/// ends, short of `kill -9`.
final class FullScreen {
    private let terminal: Terminal
    private let before: termios
    private var isLeft = false

    /// The other screen, without a cursor, all of it, from its own first row on. No row goes on in the next: whatever a
    /// terminal makes of a character, it moves nothing but what stands behind it.
    ///
    /// The mouse is reported, as 1006 has it: where it was pressed and released, and nothing of how it moves.
    private static let enter =
        "\u{1b}[?1049h\u{1b}[r\u{1b}[?6l\u{1b}[4l\u{1b}[?7l\u{1b}[?25l\u{1b}[2J\u{1b}[?1000h\u{1b}[?1006h"
    fileprivate static let leave: StaticString =
        "\u{1b}[?1006l\u{1b}[?1000l\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"

    /// `nil` where the terminal is gone.
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

    /// Each row by its own address, cleared first, and all below. Gate's own come last, the frame too: nothing is drawn over
    /// them.
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

    /// After the terminal was resized, or something else was written on it.
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

    /// A terminal that has hung up takes nothing more, and that is no reason to end otherwise than in order.
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

/// Gives the terminal back where this program crashes: a person must not be left with keys that don't show.
private enum CrashRestoration {
    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT]
    /// Written while no handler is set, and touched before it is: a handler may not allocate.
    nonisolated(unsafe) private static var input: CInt = -1
    nonisolated(unsafe) private static var output: CInt = -1
    /// Not a termios itself: the compiler gives a global one three bytes too few.
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

    /// Does what would have happened, once this has returned.
    private static func crashed(_ number: CInt) {
        tcsetattr(input, TCSAFLUSH, before)
        _ = write(output, FullScreen.leave.utf8Start, FullScreen.leave.utf8CodeUnitCount)
        sigaction(number, &actions[Int(number)], nil)
        raise(number)
    }
}
