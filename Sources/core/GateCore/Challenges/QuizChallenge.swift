import GateModel

/// Draws a question of general knowledge (F-14) from the question bank.
///
/// Draws the question, then the order of its choices, which is the same in all languages.
enum QuizChallenge {
    /// A question of this difficulty; where the bank has none, the next easier that it has, or else the next harder. An
    /// empty bank, which a policy that asks for a quiz may not have, gives a sum to be typed.
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
        // Where each choice stands in the bank; 0 is the right one.
        let order = Array(0..<choiceCount).shuffled(using: &random)
        let texts = question.texts.map { text in
            let choices = [text.right] + text.wrong
            return QuizText(language: text.language, question: text.question, choices: order.map { choices[$0] })
        }
        let solution = (order.firstIndex(of: 0) ?? 0) + 1
        return SealedChallenge(.quiz(texts), solution: .choice(solution, of: choiceCount))
    }

    static let choiceCount = 4

    /// In which order of difficulty the bank is searched.
    private static func preference(
        _ difficulty: ChallengeSpecification.Difficulty
    ) -> [ChallengeSpecification.Difficulty] {
        switch difficulty {
        case .easy: [.easy, .medium, .hard]
        case .medium: [.medium, .easy, .hard]
        case .hard: [.hard, .medium, .easy]
        }
    }

    /// A question in those of its languages that have all four choices.
    private struct UsableQuestion {
        let difficulty: ChallengeSpecification.Difficulty
        /// Not empty.
        let texts: [QuizQuestion.Text]

        init?(_ question: QuizQuestion) {
            difficulty = question.difficulty
            texts = question.texts.filter { $0.wrong.count == choiceCount - 1 }
            guard !texts.isEmpty else { return nil }
        }
    }

    /// The number of a choice, from 1, as strict as other numbers (F-24).
    static func verdict(on answer: ChallengeAnswer, solution: Int, of count: Int) -> SealedChallenge.Verdict {
        guard case .number(let number) = TypedAnswer(answer)?.wholeNumber, (1...count).contains(number) else {
            return .notAnAnswer("Answer with the number of a choice, from 1 to \(count). The question stays open.")
        }
        return number == solution ? .right : .wrong
    }
}
