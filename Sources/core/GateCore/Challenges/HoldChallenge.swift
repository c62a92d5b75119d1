import GateModel

/// Asks the person to press and hold. The daemon measures the time; the presenter reports the beginning and the end.
enum HoldChallenge {
    static func make(_ duration: Duration) -> SealedChallenge {
        SealedChallenge(.hold(duration), solution: .hold(duration))
    }

    /// - Parameter pressedAt: when the presenter reported the beginning; `nil`: it has not.
    static func verdict(
        on answer: ChallengeAnswer, duration: Duration, pressedAt: BootTime?, releasedAt: BootTime
    ) -> SealedChallenge.Verdict {
        switch answer {
        case .released:
            guard let pressedAt else {
                return .notAnAnswer("Nothing was pressed yet. Press first, then let go. Try again.")
            }
            return pressedAt.duration(to: releasedAt) >= duration ? .right : .wrong
        case .text, .secret, .swiped, .acknowledged:
            return .notAnAnswer("Press and hold, then release. Try again.")
        }
    }
}
