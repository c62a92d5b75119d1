public import GateModel

/// A person's answer to a presentation.
@nonexhaustive
public enum PresentationAnswer: Hashable, Sendable {
    /// The answer that they chose, typed or gave by a gesture.
    case answer(ChallengeAnswer)
    /// Closed it without an answer.
    case dismiss
    /// There is nothing to bring back: the state closes it. For sign-ins, where `OpenPresentation.logIn` has the person's
    /// name and password, for paywalls, where a store has their money, and for forms, which `OpenPresentation.form` fills in
    /// and completes.
    case closedByState
}

/// Shows a question, a sign-in, a paywall, a form or what is new, and returns what the person did. Its task is cancelled when that can no longer be
/// answered, or the state has closed it; it has to take it off the screen then, and return.
///
/// An input that can't be an answer ("90x", no passcode) is asked again: this is called once more, with the same question and its
/// `refusal`. After ten times the question is dismissed.
///
/// A `hold` is reported as it happens: `report(.pressed)`, then the answer `.released`.
///
/// A sign-in calls `logIn` on what it shows, as often as it takes; a form `form`, and answers and completes that. They and a
/// paywall may stay until the task is cancelled: that happens when somebody has signed in, the form is completed, or it was
/// paid for. What is new is answered with `ChallengeAnswer.acknowledged`. What is not `isDismissible` and is dismissed all the same comes
/// again, with a refusal that says so.
public typealias PresentationHandler = @Sendable (OpenPresentation) async -> PresentationAnswer
