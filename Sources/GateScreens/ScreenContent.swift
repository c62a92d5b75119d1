import GateModel

extension Presentation.Content {
    /// The question on the screen; `nil`: there is no screen for it.
    var body: ScreenPicture.Body? {
        switch self {
        case .challenge(let challenge): challenge.body
        case .signIn, .paywall, .form, .whatsNew, .unrecognized: nil
        }
    }

    /// The answer that a button stands for; `nil`: there is no such button.
    func answer(choice index: Int) -> ChallengeAnswer? {
        switch self {
        case .challenge(.arithmeticChoice(_, let choices)):
            choices.indices.contains(index) ? .text(String(choices[index])) : nil
        case .challenge, .signIn, .paywall, .form, .whatsNew, .unrecognized: nil
        }
    }
}

extension Challenge {
    fileprivate var body: ScreenPicture.Body? {
        switch self {
        case .arithmeticChoice(let problem, let choices):
            .sum(
                left: String(problem.left), sign: String(problem.operator.rawValue), right: String(problem.right),
                choices: choices.map { String($0) })
        case .arithmeticEntry, .shapes, .quiz, .confirm, .birthdate, .passcode, .totp, .hold, .swipe: nil
        }
    }
}
