import GateModel
import GateTexts
import Glibc

/// Asks for lines while something is set up: at the terminal, or from standard input with `--stdin`. As long as it
/// exists, Ctrl-C and similar signals only end the asking, and the terminal is restored.
final class LinePrompt: Sendable {
    private enum Source {
        case terminal(Terminal)
        case standardInput
    }

    private enum Typed: Sendable {
        case line(GateSecret)
        case tooLong
        /// The input has ended, or a signal came.
        case ended
        /// The task was cancelled.
        case stopped
    }

    static let maximumBytes = 1024

    private let source: Source
    private let signals: DismissingSignals

    /// The terminal at which the person is asked; `nil` with `--stdin`.
    var terminal: Terminal? {
        switch source {
        case .terminal(let terminal): terminal
        case .standardInput: nil
        }
    }

    /// - Parameter advice: what to do if nobody can be asked.
    /// - Throws: `ABORTED` (`noPresenter`) if nobody can be asked.
    init(readsStandardInput: Bool, orElse advice: String) throws(GateError) {
        if readsStandardInput {
            source = .standardInput
        } else if let terminal = Terminal.ofThisProcess() {
            source = .terminal(terminal)
        } else {
            throw GateError(
                .aborted, .noPresenter, saying: localized("This asks a person. {advice}", ["advice": advice]))
        }
        guard let signals = DismissingSignals() else {
            throw GateError(
                .unavailable, .unspecified, saying: localized("This program has no descriptors left to ask with."))
        }
        self.signals = signals
    }

    deinit {
        signals.stopCatching()
    }

    /// Tells the person something that is not a result. With `--stdin` it prints nothing.
    func say(_ text: String) {
        guard let terminal else { return }
        terminal.draw(Output.lines(of: text, columns: terminal.columns).map { "\($0)\n" }.joined())
    }

    /// Explains something in Gate's own words alone, so its continuations need no mark.
    func explain(_ text: String) {
        guard let terminal else { return }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
            TextWidth.wrapped(String($0), columns: terminal.columns)
        }
        terminal.draw(lines.map { "\($0)\n" }.joined())
    }

    func line(_ request: String) async throws(GateError) -> String {
        try await next(request, isHidden: false).withBytes { String(decoding: $0, as: UTF8.self) }
    }

    func secret(_ request: String) async throws(GateError) -> GateSecret {
        try await next(request, isHidden: true)
    }

    /// On a terminal the person is asked again if the line is too long.
    private func next(_ request: String, isHidden: Bool) async throws(GateError) -> GateSecret {
        guard let stop = Wakeup() else {
            throw GateError(
                .unavailable, .unspecified, saying: localized("This program has no descriptors left to ask with."))
        }
        let typed = await withTaskCancellationHandler {
            await OwnThread.run { self.read(request, isHidden: isHidden, stop) }
        } onCancel: {
            stop.wake()
        }
        switch typed {
        case .line(let line): return line
        case .tooLong:
            let sentence = localized("That line has more than {count} bytes.", ["count": "\(Self.maximumBytes)"])
            guard terminal != nil else { throw GateError(.invalidArgument, .invalidRequest, saying: sentence) }
            say(sentence)
            return try await next(request, isHidden: isHidden)
        case .ended, nil: throw GateError(.cancelled, .dismissed, saying: localized("Nothing more was entered."))
        case .stopped: throw GateError(.cancelled, .unspecified, saying: localized("The call was cancelled."))
        }
    }

    private func read(_ request: String, isHidden: Bool, _ stop: Wakeup) -> Typed {
        switch source {
        case .standardInput: return readLine(from: STDIN_FILENO, stop)
        case .terminal(let terminal):
            // Leave at least one column, since the typed text continues the line.
            let lines = TextWidth.wrapped("\(request):", columns: terminal.columns - 2)
            terminal.draw(lines.joined(separator: "\n") + " ")
            let typed = terminal.withWholeLines(isHidden: isHidden) { readLine(from: terminal.input, stop) }
            switch typed {
            case .line where !isHidden, .tooLong where !isHidden: break
            case .line, .tooLong, .ended, .stopped: terminal.draw("\n")
            }
            return typed
        }
    }

    /// Reads one byte at a time, since everything after the line is for the next reader.
    private func readLine(from input: CInt, _ stop: Wakeup) -> Typed {
        // It never grows, so that no copy of a secret stays in memory.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.maximumBytes + 1)
        defer { bytes.withUnsafeMutableBytes { wipe($0) } }
        var isTooLong = false
        while true {
            var descriptors = [stop.descriptor, signals.wakeup.descriptor, input].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            guard poll(&descriptors, nfds_t(descriptors.count), -1) > 0 else { continue }
            if descriptors[0].revents != 0 { return .stopped }
            if descriptors[1].revents != 0 { return .ended }
            var byte: UInt8 = 0
            let count = Glibc.read(input, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            let isEnd = count <= 0
            if isEnd, bytes.isEmpty { return .ended }
            guard isEnd || byte == UInt8(ascii: "\n") else {
                if bytes.count == Self.maximumBytes { isTooLong = true } else { bytes.append(byte) }
                continue
            }
            if isTooLong { return .tooLong }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            return .line(bytes.withUnsafeBytes { GateSecret($0) })
        }
    }
}

extension Terminal {
    /// Lets the person type and correct whole lines, shown or hidden, while the body runs; then restores the terminal.
    fileprivate func withWholeLines<Result>(isHidden: Bool, _ body: () -> Result) -> Result {
        var before = termios()
        guard tcgetattr(input, &before) == 0 else { return body() }
        var during = before
        during.c_lflag |= tcflag_t(ICANON)
        if isHidden { during.c_lflag &= ~tcflag_t(ECHO | ECHONL) }
        // Ctrl-Z does nothing: a stopped program would leave the terminal in this state.
        withUnsafeMutableBytes(of: &during.c_cc) { $0[Int(VSUSP)] = 0 }
        // Drop what was typed in view before a hidden prompt, and what was typed after the line.
        let whatWasTyped = isHidden ? TCSAFLUSH : TCSADRAIN
        tcsetattr(input, whatWasTyped, &during)
        defer { tcsetattr(input, whatWasTyped, &before) }
        return body()
    }
}
