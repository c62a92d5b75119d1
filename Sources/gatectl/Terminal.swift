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

    /// In characters; 80 where the terminal does not say.
    var columns: Int {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// A full block where the locale has one.
    var ink: Character {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            guard let value = getenv(name), value.pointee != 0 else { continue }
            let locale = String(cString: value).lowercased()
            return locale.contains("utf-8") || locale.contains("utf8") ? "█" : "#"
        }
        return "#"
    }

    func draw(_ text: String) {
        Output.write(text, to: output)
    }

    /// Has keys come one by one, unseen, while the body runs, then puts everything back as it was. Ctrl-C stays a signal;
    /// Ctrl-Z does nothing, since a stopped program would leave the terminal like this.
    func withSingleKeys<Result>(_ body: () -> Result) -> Result {
        var before = termios()
        guard tcgetattr(input, &before) == 0 else { return body() }
        var during = before
        during.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &during.c_cc) { keys in
            keys[Int(VMIN)] = 1
            keys[Int(VTIME)] = 0
            keys[Int(VSUSP)] = 0
        }
        tcsetattr(input, TCSADRAIN, &during)
        defer { tcsetattr(input, TCSADRAIN, &before) }
        return body()
    }
}
