/// A person's answer to a challenge, or to notes on what is new.
@nonexhaustive
public enum ChallengeAnswer: Hashable, Sendable {
    /// A choice or a typed text. A quiz's choice is its number, from 1; a permission "yes" or "no"; a date YYYY-MM-DD.
    case text(String)
    /// A passcode, or the code of an authenticator.
    case secret(GateSecret)
    /// The button of a hold was released.
    case released
    /// A swipe, as the presenter recognized it.
    case swiped(SwipeGesture)
    /// The notes on what is new were put away with this button.
    case acknowledged(NotesButton)

    /// A button below the notes on what is new.
    @nonexhaustive
    public enum NotesButton: Hashable, Sendable, CaseIterable {
        /// The first button, which only puts the notes away.
        case primary
        /// The second button, which opens a link or means something to the app.
        case secondary
    }
}

/// What happened on the screen of a presentation, other than an answer.
@nonexhaustive
public enum PresentationInput: Hashable, Sendable, CaseIterable {
    /// A person can see the presentation now.
    case shown
    /// A hold began: the button was pressed.
    case pressed
    /// On a paywall, the person says that they have paid already, so the provider should look again.
    case restore
}
