public import GateModel

extension GateError {
    /// Whether the question remains open after this error, and is to be shown again with it: the input was not an
    /// answer, it could not be checked, the secret takes no more answers, or the person tried to dismiss something that
    /// only the state closes.
    public var leavesQuestionOpen: Bool {
        switch code {
        case .invalidArgument: true
        // Only the state can close it, so it stays open.
        case .failedPrecondition: reason == .notDismissible
        // The answer could not be checked. If the daemon is lost, `waitUntilClosed` reports that at once.
        case .unavailable: reason == .failed || reason == .unspecified
        // This secret takes no more answers. The person should read that, and can dismiss the question.
        case .resourceExhausted: reason == .guessesUsedUp
        case .cancelled, .unknown, .deadlineExceeded, .notFound, .alreadyExists, .permissionDenied, .aborted,
            .outOfRange, .unimplemented, .internal, .dataLoss, .unauthenticated:
            false
        }
    }

    /// Whether a question was withdrawn because the state has changed, so that asking again may have another result. If
    /// an administrator has closed it (`put-away`), it should not be asked again.
    package var isOfAnotherState: Bool { reason == .closed && parameters["what"] != "put-away" }
}
