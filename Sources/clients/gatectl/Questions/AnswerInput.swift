import GateClient
import GateModel
import GateTexts
import Glibc

/// Where answers come from: the keys of a terminal, or the lines of standard input.
enum AnswerInput: Sendable {
    case terminal(Terminal)
    case lines

    enum Typed: Hashable, Sendable {
        case line(GateSecret)
        /// The input has ended, or Escape or a signal like Ctrl-C took the question away.
        case ended
        /// The task was cancelled.
        case stopped
    }

    /// What is shown in front of the line, and which keys it takes.
    struct Prompt: Sendable {
        /// What to type, in a few words.
        let request: String
        /// The end of the countdown; `nil` if there is none.
        let deadline: BootTime?
        /// Keys that answer by themselves, without Return.
        let singleKeys: Set<UInt8>
        /// Whether the typed text is not shown at all, not even its length.
        let isSecret: Bool
        /// The characters that are taken.
        let alphabet: LineEditor.Alphabet
        let maximumBytes: Int
        /// Whether Ctrl-B enters the line `<`.
        let goesBack: Bool

        init(for challenge: Challenge, isPressed: Bool, deadline: BootTime?) {
            request = AnswerText.request(for: challenge, isPressed: isPressed, onTerminal: true)
            singleKeys = AnswerText.singleKeys(for: challenge)
            isSecret = challenge.kind.isSecret
            alphabet = isSecret ? .any : .ascii
            self.deadline = deadline
            maximumBytes = LineEditor.maximumBytes
            goesBack = false
        }

        /// For text that is not the answer to a challenge.
        init(request: String, isSecret: Bool, deadline: BootTime?) {
            self.request = request
            self.isSecret = isSecret
            self.deadline = deadline
            singleKeys = []
            alphabet = .any
            maximumBytes = LineEditor.maximumBytes
            goesBack = false
        }

        init(inForm request: String, deadline: BootTime?) {
            self.request = request
            self.deadline = deadline
            isSecret = false
            singleKeys = []
            alphabet = .any
            maximumBytes = LineEditor.maximumFormBytes
            goesBack = true
        }

        /// For something that single keys answer, such as release notes or a paywall.
        init(request: String, singleKeys: Set<UInt8>, deadline: BootTime?) {
            self.request = request
            self.singleKeys = singleKeys
            self.deadline = deadline
            isSecret = false
            alphabet = .any
            maximumBytes = LineEditor.maximumBytes
            goesBack = false
        }
    }

    /// Reads the next line on a thread of its own, which ends with the line. Cancellation stops it at once.
    ///
    /// - Parameter signal: is woken when a signal takes the question away from the person.
    func next(_ prompt: Prompt, signal: Wakeup) async -> Typed {
        guard let stop = Wakeup() else { return .ended }
        return await stop.wokenByCancellation {
            switch self {
            case .lines: readLine(prompt, stop, signal)
            case .terminal(let terminal): readLine(from: terminal, prompt, stop, signal)
            }
        } ?? .ended
    }

    private func readLine(_ prompt: Prompt, _ stop: Wakeup, _ signal: Wakeup) -> Typed {
        var editor = LineEditor(maximumBytes: prompt.maximumBytes)
        while true {
            let event: LineEditor.Event
            switch Self.nextByte(from: STDIN_FILENO, stop, signal, timeout: -1) {
            case .byte(let byte): event = editor.byteReceived(byte)
            case .inputEnded: event = editor.inputEnded()
            case .signalled: return .ended
            case .stopped: return .stopped
            case .nothing: continue
            }
            switch event {
            case .edited: continue
            case .finished(let line): return .line(line)
            case .ended, .dismissed: return .ended
            }
        }
    }

    private func readLine(from terminal: Terminal, _ prompt: Prompt, _ stop: Wakeup, _ signal: Wakeup) -> Typed {
        let typed = terminal.withSingleKeys {
            var editor = LineEditor(
                singleKeys: prompt.singleKeys, alphabet: prompt.alphabet, maximumBytes: prompt.maximumBytes)
            var keys = KeyDecoder()
            while true {
                let untilRedraw = Self.draw(prompt, on: terminal, typed: prompt.isSecret ? "" : editor.text)
                let timeout = keys.isWaiting ? KeyDecoder.patienceMilliseconds : untilRedraw
                let key: Key?
                switch Self.nextByte(from: terminal.input, stop, signal, timeout: timeout) {
                case .byte(let byte): key = keys.byteReceived(byte)
                case .nothing: key = keys.waitedInVain()
                case .inputEnded, .signalled: return Typed.ended
                case .stopped: return .stopped
                }
                if prompt.goesBack, key == .back { return .line(GateSecret("<".utf8)) }
                switch key.map({ editor.keyReceived($0) }) {
                case .edited, nil: continue
                case .finished(let line): return .line(line)
                case .ended, .dismissed: return .ended
                }
            }
        }
        terminal.draw("\n")
        return typed
    }

    private enum Byte {
        case byte(UInt8)
        case inputEnded
        case signalled
        case stopped
        /// The time is over, or there was nothing to read after all.
        case nothing
    }

    /// Reads one byte at a time, since everything after the line is for the next reader.
    private static func nextByte(from input: CInt, _ stop: Wakeup, _ signal: Wakeup, timeout: CInt) -> Byte {
        var descriptors = [stop.descriptor, signal.descriptor, input].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&descriptors, nfds_t(descriptors.count), timeout) > 0 else { return .nothing }
        if descriptors[0].revents != 0 { return .stopped }
        if descriptors[1].revents != 0 { return .signalled }
        var byte: UInt8 = 0
        let count = Glibc.read(input, &byte, 1)
        if count < 0, errno == EINTR || errno == EAGAIN { return .nothing }
        return count > 0 ? .byte(byte) : .inputEnded
    }

    /// Draws the prompt over itself, on one line. A dumb terminal can't do that: there, the caller prints the prompt
    /// once.
    ///
    /// - Returns: after how many milliseconds to draw again; -1: never.
    private static func draw(_ prompt: Prompt, on terminal: Terminal, typed: String) -> CInt {
        guard !Colours.isDumb else { return -1 }
        let left = prompt.deadline.map { BootTime.now().duration(to: $0) }
        let label = (left.map { "\(DurationWords.left($0))   " } ?? "") + prompt.request
        let room = terminal.columns - TextWidth.columns(of: label) - 3
        terminal.draw("\r\(label): \(TextWidth.suffix(VisibleText.own(typed), columns: max(0, room)))\u{1b}[K")
        guard let left, left > .zero else { return -1 }
        let milliseconds = left.millisecondsRoundedUp % 1000
        return CInt(milliseconds == 0 ? 1000 : milliseconds)
    }
}
