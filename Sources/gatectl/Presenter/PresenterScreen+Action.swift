import GateClient
import GateModel

extension PresenterScreen {
    /// The next thing for the caller to do.
    enum Action: Hashable, Sendable {
        case report(PresentationInput)
        case complete(ChallengeAnswer)
        case logIn(name: String, password: GateSecret)
        /// A typed line goes to the one who asks for the items of the form.
        case formLine(GateSecret)
        case dismiss
        /// Give the terminal back, and what is open to the next presenter.
        case leave
    }

    /// The daemon, as far as it is known.
    enum Link: Hashable {
        case connecting
        case registered
        case lost
    }

    /// The last words to the person, until the next key.
    struct Note: Hashable {
        var text: String
        /// `nil`: neither good nor bad.
        var isGood: Bool?
    }

    /// After how long something on the screen changes by itself; `nil`: it does not.
    var redrawInterval: Duration? {
        if isAuthenticating { return ProgressLine.interval }
        return cameAt != nil || pressedAt != nil || mode.deadline != nil ? .seconds(1) : nil
    }

    /// Whether a name and a password are being checked, from here or from elsewhere (F-66, F-68).
    var isAuthenticating: Bool {
        guard case .signIn = presentation?.content else { return false }
        return isChecking || signIn.isAuthenticating
    }
}
