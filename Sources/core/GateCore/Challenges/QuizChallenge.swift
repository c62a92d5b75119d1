import GateModel

/// Asks a question of general knowledge from the question bank.
///
/// Random numbers choose the question first, then the order of its choices, which is the same in all languages.
enum QuizChallenge {
    /// A question of this difficulty. If the bank has none, the nearest easier difficulty that it has, or else the
    /// nearest harder one. An empty bank gives a typed sum; but a policy with a quiz can't have an empty bank.
    static func make(
        _ difficulty: ChallengeSpecification.Difficulty, questions: [QuizQuestion],
        using random: inout some RandomNumberGenerator
    ) -> SealedChallenge {
        let usable = questions.compactMap(UsableQuestion.init)
        let candidates = preference(difficulty).lazy
            .map { wanted in usable.filter { $0.difficulty == wanted } }
            .first { !$0.isEmpty }
        guard let candidates else { return ArithmeticChallenge.entry(difficulty, using: &random) }
        let question = candidates.drawn(using: &random)
        // The index of each choice in the bank, where 0 is the right one.
        let order = Array(0..<choiceCount).shuffled(using: &random)
        let texts = question.texts.map { text in
            let choices = [text.right] + text.wrong
            return QuizText(language: text.language, question: text.question, choices: order.map { choices[$0] })
        }
        let solution = (order.firstIndex(of: 0) ?? 0) + 1
        return SealedChallenge(.quiz(texts), solution: .choice(solution, of: choiceCount))
    }

    static let choiceCount = 4

    private static func preference(
        _ difficulty: ChallengeSpecification.Difficulty
    ) -> [ChallengeSpecification.Difficulty] {
        switch difficulty {
        case .easy: [.easy, .medium, .hard]
        case .medium: [.medium, .easy, .hard]
        case .hard: [.hard, .medium, .easy]
        }
    }

    /// A question with only those languages that have all four choices.
    private struct UsableQuestion {
        let difficulty: ChallengeSpecification.Difficulty
        /// Never empty.
        let texts: [QuizQuestion.Text]

        init?(_ question: QuizQuestion) {
            difficulty = question.difficulty
            texts = question.texts.filter { $0.wrong.count == choiceCount - 1 }
            guard !texts.isEmpty else { return nil }
        }
    }

    /// Judges the number of a choice, from 1. As in arithmetic, only digits are an answer.
    static func verdict(on answer: ChallengeAnswer, solution: Int, of count: Int) -> SealedChallenge.Verdict {
        guard case .number(let number) = TypedAnswer(answer)?.wholeNumber, (1...count).contains(number) else {
            return .notAnAnswer("Answer with the number of a choice, from 1 to \(count). Try again.")
        }
        return number == solution ? .right : .wrong
    }
}
