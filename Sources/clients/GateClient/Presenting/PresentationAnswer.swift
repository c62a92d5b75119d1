public import GateModel

/// A person's answer to a presentation.
@nonexhaustive
public enum PresentationAnswer: Hashable, Sendable {
    /// The answer that the person chose, typed or gave by a gesture.
    case answer(ChallengeAnswer)
    /// The person closed it without an answer.
    case dismiss
    /// There is no answer, because the state closes the presentation: a sign-in after `OpenPresentation.logIn`, a
    /// paywall that is paid for in a store, a form that was opened with `OpenPresentation.form` and completed.
    case closedByState
}

/// Shows a presentation, and returns what the person did. Its task is cancelled when the presentation can no longer be
/// answered or the state has closed it; the handler then has to take it off the screen and return.
///
/// If an answer is not valid ("90x", or no passcode), the handler is called again with the same question and its
/// `refusal`. After ten times the question is dismissed, if it may be.
///
/// - A `hold` is reported as it happens: call `report(.pressed)`, and then return the answer `.released`.
/// - For a sign-in, call `logIn`, as often as necessary.
/// - For a form, call `form`, and answer and complete that.
/// - A sign-in, a form or a paywall may stay on the screen until the task is cancelled, which happens when somebody has
///   signed in, the form is completed, or the paywall is paid.
/// - What is new is answered with `ChallengeAnswer.acknowledged`.
/// - If a presentation is dismissed that is not `isDismissible`, it comes again, with a refusal that says so.
public typealias PresentationHandler = @Sendable (OpenPresentation) async -> PresentationAnswer
