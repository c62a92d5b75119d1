import GateClient
import GateModel
import GateProtocol
import Glibc

/// Prints what a verb has to say. Lines are written at once, so that a program at the end of a pipe gets each at once.
struct Output: Sendable {
    let isJSON: Bool
    let colours: Colours

    init(isJSON: Bool, colours: Colours = .ofTerminal(STDOUT_FILENO)) {
        self.isJSON = isJSON
        self.colours = colours
    }

    /// Prints a line to standard output: for people, or JSON with `--json`.
    func line(_ text: String) {
        isJSON ? json(text) : Self.write(Self.shown(text, on: STDOUT_FILENO), to: STDOUT_FILENO)
    }

    /// Prints JSON to standard output, even without `--json`.
    func json(_ text: String) {
        Self.write(JSONText.printable(text) + "\n", to: STDOUT_FILENO)
    }

    /// Prints a line to standard error, for anything but results.
    func note(_ text: String) {
        Self.write(Self.shown(text, on: STDERR_FILENO), to: STDERR_FILENO)
    }

    /// On a terminal, long lines are broken here and their continuations marked. If the terminal broke them, others'
    /// words could look like a line of Gate's.
    private static func shown(_ text: String, on descriptor: CInt) -> String {
        let columns = Terminal.columns(of: descriptor)
        return lines(of: text, columns: columns).map { "\($0)\n" }.joined()
    }

    /// - Parameter columns: the width of the terminal; `nil` if it is not a terminal.
    static func lines(of text: String, columns: Int?) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { VisibleText.own(String($0)) }
        guard let columns else { return lines }
        return lines.flatMap { TextWidth.marked($0, columns: columns) }
    }

    func result<Message: WireMessage>(_ message: Message, _ human: @autoclosure () -> String) throws(GateError) {
        line(isJSON ? try message.json() : human())
    }

    /// The same for the outcome of a call, after the revision of the state that the call made.
    func result<Message: WireMessage>(
        _ message: Message, at revision: Revision, _ human: @autoclosure () -> String
    ) throws(GateError) {
        try result(message, RevisionText.row(revision, human()))
    }

    func table(_ rows: [[String]], orNone none: @autoclosure () -> String) {
        for row in TextTable(rows: rows).lines { line(row) }
        if rows.isEmpty { note(none()) }
    }

    /// Prints a list: as a table, or with `--json` an object for each page, as the daemon sends it.
    func list<Page: ListReply>(
        _ elements: [Page.Element], as _: Page.Type, orNone none: @autoclosure () -> String,
        columns: (Page.Element) async throws(GateError) -> [String]
    ) async throws(GateError) {
        guard !isJSON else {
            for page in elements.pages { line(try Page(page, nextPageToken: "").json()) }
            return
        }
        var rows: [[String]] = []
        for element in elements { rows.append(try await columns(element)) }
        table(rows, orNone: none())
    }

    func mode(_ message: some WireMessage, _ revision: Revision, _ state: ModeState) throws(GateError) {
        try result(message, ModeLine(revision: revision, state: state).text(now: .now(), colours: colours))
    }

    /// Prints an error. With `--json` it goes to standard output, where scripts look.
    func report(_ error: GateError) {
        if isJSON {
            line(JSONText.object(of: error))
        } else {
            note("gatectl: \(ErrorText.lines(of: error).map { VisibleText.line($0) }.joined(separator: "\n"))")
        }
    }

    static func write(_ text: String, to descriptor: CInt, isUTF8: Bool = TerminalText.isUTF8) {
        var rest = TerminalText.bytes(text, for: descriptor, isUTF8: isUTF8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                // The reader has read enough. End like any filter does; NIO has made the process ignore the signal.
                signal(SIGPIPE, SIG_DFL)
                raise(SIGPIPE)
            } else if errno == EAGAIN {
                var descriptors = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&descriptors, 1, -1)
            } else if errno != EINTR {
                // End with an error, so that a script does not take a truncated file for a whole one.
                let problem = "gatectl: The output can't be written: \(String(cString: strerror(errno))).\n"
                if descriptor != STDERR_FILENO {
                    _ = Array(problem.utf8).withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
                }
                _exit(69)
            }
        }
    }
}

extension WireMessage {
    /// The message as proto3 JSON, on one line.
    func json() throws(GateError) -> String {
        try MessageJSON.text(of: encoded(), as: Self.descriptor)
    }
}
