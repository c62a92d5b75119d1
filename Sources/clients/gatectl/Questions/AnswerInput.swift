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

    /// Reads on a thread of its own, which ends with the line. Cancellation stops it at once. `signal` is woken when a
    /// signal takes the question away from the person.
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

    /// Draws the prompt over itself, on one line. A dumb terminal can't do that: there, the caller prints it once.
    /// Returns after how many milliseconds to draw again; -1: never.
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

enum PersonInput: Hashable, Sendable {
    case answer(ChallengeAnswer)
    case pressed
}

/// Turns typed text into an answer.
enum AnswerText {
    static let letters: [Character] = ["a", "b", "c", "d"]

    /// `nil` if the line is empty. A letter, or the text of a quiz's choice, stands for that choice; yes, no and dates
    /// are read as the person's language and region write them. Everything else goes to the daemon without the spaces
    /// around it: the daemon decides what is right. `isPressed`: a hold has begun, which Space ends.
    static func input(_ line: GateSecret, to challenge: Challenge, isPressed: Bool) -> PersonInput? {
        switch challenge.answering {
        case .secret:
            // Exactly as it was typed, with spaces. It never becomes a String, whose copies could not be wiped.
            return line.byteCount > 0 ? .answer(.secret(line)) : nil
        case .result(let results):
            return answer(trimmed(line)) { index in results.indices.contains(index) ? String(results[index]) : nil }
        case .choice(let texts):
            return quizAnswer(trimmed(line), texts)
        case .permission:
            let text = trimmed(line)
            return WritingHabits.ofPerson.isYes(text).map { .answer(.text($0 ? "yes" : "no")) } ?? answer(text)
        case .hold:
            return holdInput(line, isPressed: isPressed)
        case .date:
            return answer(WritingHabits.ofPerson.iso(dateAtStartOf: trimmed(line)))
        case .number, .swipe:
            return answer(trimmed(line))
        }
    }

    static func request(for challenge: Challenge, isPressed: Bool = false, onTerminal: Bool = false) -> String {
        switch challenge.answering {
        case .result(let results): letters(results.count)
        case .choice(let texts): letters(texts.first?.choices.count ?? 0)
        case .number: localized("your answer")
        case .permission: onTerminal ? localized("y or n") : localized("yes or no")
        case .date(let calendar):
            localized(
                "a date, like {example}",
                ["example": WritingHabits.ofPerson.date(atStartOf: BirthdateText.example(calendar))])
        case .secret(.passcode):
            onTerminal ? localized("the passcode (it does not show), and Return") : localized("the passcode")
        case .secret(.totp):
            onTerminal ? localized("the six digits (they do not show), and Return") : localized("the six digits")
        case .hold where onTerminal: isPressed ? localized("Space again, when the time is over") : localized("Space")
        case .hold: localized("press, and later release")
        case .swipe: localized("the direction and the number of fingers, like left 3")
        }
    }

    static func singleKeys(for challenge: Challenge) -> Set<UInt8> {
        switch challenge.answering {
        case .result(let results): letterKeys(results.count)
        case .choice(let texts):
            letterKeys(texts.first?.choices.count ?? 0).union("1234".utf8.prefix(texts.first?.choices.count ?? 0))
        case .permission: Set("yYnN".utf8)
        case .hold: Set(" ".utf8)
        case .number, .date, .secret, .swipe: []
        }
    }

    private static func letterKeys(_ count: Int) -> Set<UInt8> {
        let letters = String(letters.prefix(count))
        return Set(letters.utf8).union(letters.uppercased().utf8)
    }

    private static func letters(_ count: Int) -> String {
        let letters = letters.prefix(count).map { String($0) }
        return ListText.alternatives(letters)
    }

    /// - Parameter choice: returns the answer for a letter's index, or `nil` if there is no such choice.
    private static func answer(_ text: String, letter choice: (Int) -> String? = { _ in nil }) -> PersonInput? {
        guard let first = text.first else { return nil }
        guard text.count == 1, let index = letters.firstIndex(of: Character(first.lowercased())),
            let chosen = choice(index)
        else { return .answer(.text(text)) }
        return .answer(.text(chosen))
    }

    /// Answers with the number of the choice, from 1, which is the same in all languages of the quiz.
    private static func quizAnswer(_ text: String, _ texts: [QuizText]) -> PersonInput? {
        let same = texts.lazy.compactMap { texts in
            texts.choices.firstIndex { $0.lowercased() == text.lowercased() }
        }.first
        if let same { return .answer(.text(String(same + 1))) }
        let count = texts.first?.choices.count ?? 0
        return answer(text) { $0 < count ? String($0 + 1) : nil }
    }

    private static func holdInput(_ line: GateSecret, isPressed: Bool) -> PersonInput? {
        let text = string(line)
        switch text == " " ? (isPressed ? "release" : "press") : trimmed(text) {
        case "": return nil
        case "press": return .pressed
        case "release": return .answer(.released)
        case let other: return .answer(.text(other))
        }
    }

    private static func string(_ line: GateSecret) -> String {
        line.withBytes { String(decoding: $0, as: UTF8.self) }
    }

    private static func trimmed(_ line: GateSecret) -> String { trimmed(string(line)) }

    private static func trimmed(_ line: String) -> String {
        let rest = line.drop { $0.isWhitespace }
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(rest[...last])
    }
}
