import GateModel
import GateTexts
import Glibc

/// Asks for lines while something is set up: a person at the terminal, or, with `--stdin`, whatever feeds standard input.
/// While it lives, Ctrl-C and the like end the asking, with the terminal as it was.
final class LinePrompt: Sendable {
    private enum Source {
        case terminal(Terminal)
        case standardInput
    }

    /// The input of one line.
    private enum Typed: Sendable {
        case line(GateSecret)
        case tooLong
        /// The end of the input, or a signal.
        case ended
        /// Nobody waits for it any more.
        case stopped
    }

    static let maximumBytes = 1024

    private let source: Source
    private let signals: DismissingSignals

    /// The terminal that is asked at; `nil` with `--stdin`.
    var terminal: Terminal? {
        switch source {
        case .terminal(let terminal): terminal
        case .standardInput: nil
        }
    }

    /// - Parameter advice: what to do where nobody can be asked.
    /// - Throws: `ABORTED` (`noPresenter`) where nobody can be asked.
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

    /// Says what is no result, and for the person alone.
    func say(_ text: String) {
        guard let terminal else { return }
        terminal.draw(Output.lines(of: text, columns: terminal.columns).map { "\($0)\n" }.joined())
    }

    /// A line that is seen while it is typed.
    func line(_ request: String) async throws(GateError) -> String {
        try await next(request, isHidden: false).withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// A line that is not seen.
    func secret(_ request: String) async throws(GateError) -> GateSecret {
        try await next(request, isHidden: true)
    }

    /// `false` unless the answer is a yes.
    func agrees(_ question: String) async throws(GateError) -> Bool {
        let answer = try await line(localized("{question} [y/N]", ["question": question]))
        return WritingHabits.ofPerson.isYes(answer.filter { $0 != " " }) ?? false
    }

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
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized("That line has more than {count} bytes.", ["count": "\(Self.maximumBytes)"]))
        case .ended, nil: throw GateError(.cancelled, .dismissed, saying: localized("Nothing more was entered."))
        case .stopped: throw GateError(.cancelled, .unspecified, saying: localized("The call was cancelled."))
        }
    }

    private func read(_ request: String, isHidden: Bool, _ stop: Wakeup) -> Typed {
        switch source {
        case .standardInput: return readLine(from: STDIN_FILENO, stop)
        case .terminal(let terminal):
            // The line goes on with what is typed, so one column is left at least.
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

    /// One byte at a time: what comes after the line is for the next reader.
    private func readLine(from input: CInt, _ stop: Wakeup) -> Typed {
        // Never grows, so that no copy of a secret is left behind.
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
    /// Lines with the keys that correct them, seen or not, while the body runs; then everything is as it was.
    fileprivate func withWholeLines<Result>(isHidden: Bool, _ body: () -> Result) -> Result {
        var before = termios()
        guard tcgetattr(input, &before) == 0 else { return body() }
        var during = before
        during.c_lflag |= tcflag_t(ICANON)
        if isHidden { during.c_lflag &= ~tcflag_t(ECHO | ECHONL) }
        // A stopped program would leave the terminal like this.
        withUnsafeMutableBytes(of: &during.c_cc) { $0[Int(VSUSP)] = 0 }
        // What was typed ahead of a hidden prompt was seen, and is not meant for it; what is typed past it is for nobody else.
        let whatWasTyped = isHidden ? TCSAFLUSH : TCSADRAIN
        tcsetattr(input, whatWasTyped, &during)
        defer { tcsetattr(input, whatWasTyped, &before) }
        return body()
    }
}
