import GateModel

/// What was typed, as an answer.
enum AnswerText {
    /// The letters of the choices, in the order they are shown.
    static let letters: [Character] = ["a", "b", "c"]

    /// A letter stands for its choice; everything else goes to the daemon as it was typed, which alone says what is a
    /// number. `nil` for a line with nothing on it.
    static func answer(_ line: String, to challenge: Challenge) -> String? {
        let text = trimmed(line)
        guard let first = text.first else { return nil }
        switch challenge {
        case .arithmeticChoice(_, let choices):
            guard text.count == 1, let index = letters.firstIndex(of: Character(first.lowercased())),
                choices.indices.contains(index)
            else { return String(text) }
            return String(choices[index])
        case .arithmeticEntry:
            return String(text)
        }
    }

    /// What is asked for, in a few words.
    static func request(for challenge: Challenge) -> String {
        switch challenge {
        case .arithmeticChoice(_, let choices):
            let letters = letters.prefix(choices.count).map(String.init)
            return letters.dropLast().joined(separator: ", ") + " or " + (letters.last ?? "the value")
        case .arithmeticEntry:
            return "your answer"
        }
    }

    private static func trimmed(_ line: String) -> Substring {
        let rest = line.drop { $0.isWhitespace }
        guard let last = rest.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return rest[...last]
    }
}
