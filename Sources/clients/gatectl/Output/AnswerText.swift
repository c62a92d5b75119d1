import GateModel
import GateTexts

enum PersonInput: Hashable, Sendable {
    case answer(ChallengeAnswer)
    case pressed
}

/// Turns typed text into an answer.
enum AnswerText {
    static let letters: [Character] = ["a", "b", "c", "d"]

    /// The answer that a line means; `nil` if the line is empty. A letter stands for its choice, and a choice for
    /// itself. Everything else goes to the daemon as it was typed, since only the daemon decides what is a number or a
    /// date.
    ///
    /// - Parameter isPressed: whether a hold has begun. Then Space ends it.
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

    /// Says what to type, in a few words.
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

    /// The keys that answer by themselves, without Return.
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
