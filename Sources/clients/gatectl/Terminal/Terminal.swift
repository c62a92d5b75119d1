import Glibc

/// The terminal at which a person sits.
struct Terminal: Sendable {
    let input: CInt
    /// The descriptor to draw to: the first of standard output and error that is a terminal, otherwise the input.
    let output: CInt

    /// `nil` if standard input is not a terminal.
    static func ofThisProcess() -> Terminal? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        let output = [STDOUT_FILENO, STDERR_FILENO].first { isatty($0) == 1 }
        return Terminal(input: STDIN_FILENO, output: output ?? STDIN_FILENO)
    }

    /// In characters; 80 by 24 if the terminal does not tell.
    var size: (columns: Int, rows: Int) { Self.size(of: output) }

    /// In characters; `nil` if the descriptor is not a terminal.
    static func columns(of descriptor: CInt) -> Int? {
        isatty(descriptor) == 1 ? size(of: descriptor).columns : nil
    }

    private static func size(of descriptor: CInt) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    var columns: Int { size.columns }

    /// Drops what was typed before the person was asked, since it is not an answer.
    func forgetTyped() {
        tcflush(input, TCIFLUSH)
    }

    func draw(_ text: String) {
        Output.write(text, to: output)
    }

    /// While the body runs, keys come one by one and are not shown; afterwards everything is as before. Ctrl-C stays a
    /// signal. Ctrl-Z does nothing, since a stopped program would leave the terminal in this state.
    func withSingleKeys<Result>(_ body: () -> Result) -> Result {
        guard let before = takeSingleKeys() else { return body() }
        defer { restore(before) }
        return body()
    }

    /// - Returns: the state to `restore`; `nil` if the terminal is gone.
    func takeSingleKeys() -> termios? {
        var before = termios()
        guard tcgetattr(input, &before) == 0 else { return nil }
        var during = before
        during.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &during.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
            keys[Int(VSUSP)] = 0
        }
        tcsetattr(input, TCSADRAIN, &during)
        return before
    }

    /// Restores the terminal. Unread input is dropped: it was meant for a question, and the next program would show it.
    func restore(_ before: termios) {
        var before = before
        tcsetattr(input, TCSAFLUSH, &before)
    }
}
