import Glibc

/// The terminal that a person sits at.
struct Terminal: Sendable {
    /// Where keys come from.
    let input: CInt
    /// Where is drawn: the first of standard output and error that is a terminal, else the input itself.
    let output: CInt

    /// `nil` where standard input is no terminal.
    static func ofThisProcess() -> Terminal? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        let output = [STDOUT_FILENO, STDERR_FILENO].first { isatty($0) == 1 }
        return Terminal(input: STDIN_FILENO, output: output ?? STDIN_FILENO)
    }

    /// In characters; 80 by 24 where the terminal does not say.
    var size: (columns: Int, rows: Int) { Self.size(of: output) }

    /// In characters; `nil`: that is no terminal.
    static func columns(of descriptor: CInt) -> Int? {
        isatty(descriptor) == 1 ? size(of: descriptor).columns : nil
    }

    private static func size(of descriptor: CInt) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    var columns: Int { size.columns }

    /// The character that strokes are drawn with.
    var ink: Character { TextLocale.ofEnvironment().ink }

    /// Forgets what was typed before somebody was asked: it is no answer.
    func forgetTyped() {
        tcflush(input, TCIFLUSH)
    }

    func draw(_ text: String) {
        Output.write(text, to: output)
    }

    /// Has keys come one by one, unseen, while the body runs, then puts everything back as it was. Ctrl-C stays a signal;
    /// Ctrl-Z does nothing, since a stopped program would leave the terminal like this.
    func withSingleKeys<Result>(_ body: () -> Result) -> Result {
        guard let before = takeSingleKeys() else { return body() }
        defer { restore(before) }
        return body()
    }

    /// - Returns: what to `restore`; `nil` where the terminal is gone.
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

    /// Restores the terminal. What was typed and not read goes: it was meant for a question, and anyone who reads next
    /// would show and keep it.
    func restore(_ before: termios) {
        var before = before
        tcsetattr(input, TCSAFLUSH, &before)
    }
}
