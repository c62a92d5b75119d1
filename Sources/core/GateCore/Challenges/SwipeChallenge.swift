import GateModel

/// Asks for a swipe in a direction with a number of fingers. Random numbers choose the direction first, then the
/// number of fingers.
enum SwipeChallenge {
    static func make(
        _ difficulty: ChallengeSpecification.Difficulty, using random: inout some RandomNumberGenerator
    ) -> SealedChallenge {
        let direction = SwipeGesture.Direction.allCases.drawn(using: &random)
        let gesture = SwipeGesture(direction, fingers: Int.random(in: fingers(difficulty), using: &random))
        return SealedChallenge(.swipe(gesture), solution: .swipe(gesture))
    }

    /// The possible numbers of fingers. More fingers are harder for a small hand.
    static func fingers(_ difficulty: ChallengeSpecification.Difficulty) -> ClosedRange<Int> {
        switch difficulty {
        case .easy: 2...2
        case .medium: 2...3
        case .hard: 3...4
        }
    }

    /// Judges a swipe as the presenter saw it, or as the person typed it on a device without a touch screen: "left 3".
    static func verdict(on answer: ChallengeAnswer, solution: SwipeGesture) -> SealedChallenge.Verdict {
        guard let gesture = gesture(answer) else {
            return .notAnAnswer(
                "Swipe, or say the direction and the number of fingers, like \"left 3\". Try again.")
        }
        return gesture == solution ? .right : .wrong
    }

    private static func gesture(_ answer: ChallengeAnswer) -> SwipeGesture? {
        switch answer {
        case .swiped(let gesture): gesture.fingers > 0 ? gesture : nil
        case .text(let text): gesture(TypedAnswer(text))
        case .secret, .released, .acknowledged: nil
        }
    }

    private static func gesture(_ typed: TypedAnswer) -> SwipeGesture? {
        let words = typed.word.split(separator: " ")
        guard words.count == 2, let direction = SwipeGesture.Direction(rawValue: String(words[0])),
            case .number(let fingers) = TypedAnswer.WholeNumber(words[1].utf8), fingers > 0
        else { return nil }
        return SwipeGesture(direction, fingers: fingers)
    }
}
