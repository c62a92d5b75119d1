public import GateModel

extension GateError {
    /// Whether the question that was answered can still be answered: it was no answer at all, was not checked, or
    /// was a dismissal of what only the state closes.
    public var leavesQuestionOpen: Bool {
        switch code {
        case .invalidArgument: true
        // Only the state closes it (F-64).
        case .failedPrecondition: reason == .notDismissible
        // The answer could not be checked. Where the daemon is gone the question is too; that is heard at once.
        case .unavailable: reason == .failed || reason == .unspecified
        // Nobody has answered wrong: this secret takes no more answers, and a person should read that, and can close it.
        case .resourceExhausted: reason == .guessesUsedUp
        case .cancelled, .unknown, .deadlineExceeded, .notFound, .alreadyExists, .permissionDenied, .aborted,
            .outOfRange, .unimplemented, .internal, .dataLoss, .unauthenticated:
            false
        }
    }

    /// Whether a question was closed because the state has changed under it, which may decide otherwise now. An administrator who
    /// put it away does not want it asked again.
    package var isOfAnotherState: Bool { reason == .closed && parameters["what"] != "put-away" }
}
