/// A person's answer to a challenge, or to notes of what is new.
@nonexhaustive
public enum ChallengeAnswer: Hashable, Sendable {
    /// Chosen or typed. A choice of a quiz by its number from 1; a permission as "yes" or "no"; a date as YYYY-MM-DD.
    case text(String)
    /// A passcode, or the code of an authenticator.
    case secret(GateSecret)
    /// A hold has ended.
    case released
    /// A swipe, as the presenter saw it.
    case swiped(SwipeGesture)
    /// The notes were read (F-57).
    case acknowledged(NotesButton)

    /// A button below notes of what is new.
    @nonexhaustive
    public enum NotesButton: Hashable, Sendable, CaseIterable {
        /// The notes were read.
        case primary
        /// The other thing that the notes offer.
        case secondary
    }
}

/// An input on the screen before there is an answer.
@nonexhaustive
public enum PresentationInput: Hashable, Sendable, CaseIterable {
    /// A person can see it now.
    case shown
    /// A hold has begun.
    case pressed
    /// On a paywall: it was paid for already, and the provider is to look again (S-08).
    case restore
}
