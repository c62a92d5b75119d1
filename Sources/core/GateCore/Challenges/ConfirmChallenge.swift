import GateModel

/// Asks for permission: yes or no.
enum ConfirmChallenge {
    static func make() -> SealedChallenge {
        SealedChallenge(.confirm, solution: .permission)
    }

    static func verdict(on answer: ChallengeAnswer) -> SealedChallenge.Verdict {
        switch TypedAnswer(answer)?.word {
        case "yes": .right
        case "no": .refused
        case _: .notAnAnswer("Please answer yes or no.")
        }
    }
}
