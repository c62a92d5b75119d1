import GateModel
import GateTexts

/// The words of the questions that a terminal and the window of gate-settings have in common.
extension SetupConversation {
    /// The open question, if it is answered with yes or no; otherwise `nil`.
    var decision: String? {
        switch question {
        case .anotherPasscode: localized("A passcode is set. Set another one?")
        case .authenticator:
            situation.secrets.contains(.totp)
                ? localized("An authenticator is set up. Set up another one in its place?")
                : localized("If the policy asks for `totp`, a phone shows changing codes. Set one up?")
        case .links: localized("Ask before links open?")
        case .software: localized("Install programs only in parent mode?")
        case .time: localized("Let children ask for more time?")
        case .screen: localized("Use this screen?")
        case .role, .born, .passcode, .screenWord, nil: nil
        }
    }

    /// What has to be known before the open question is answered; `nil` if it needs no words.
    var explanation: String? {
        switch question {
        case .passcode:
            situation.secrets.contains(.passcode)
                ? nil : localized("The passcode is a secret that grown-ups know and children do not.")
        case .links:
            localized(
                "Links that a child opens from other programs can ask a grown-up first. Pages inside the browser do not ask."
            )
        case .software:
            localized(
                "Installing programs can be limited to parent mode. The system still asks for a password, as it does today."
            )
        case .time:
            localized(
                "timekpr ends a child's session when the time of the day is used up. A child can ask for more before that, and a grown-up answers with an amount."
            )
        case .screen:
            localized(
                "Anyone who runs a child's session sees what is typed there. Gate can ask for passcodes on a screen of its own, and switch there and back by itself."
            )
        case .screenWord:
            localized("Choose a word or two for that screen. By them you can tell it from an imitation.")
        case .role, .born, .anotherPasscode, .authenticator, nil: nil
        }
    }
}
