public import GateModel

extension GateError {
    /// Whether the question that was answered can still be answered: it was no answer at all, or could not be checked.
    public var leavesQuestionOpen: Bool {
        switch code {
        case .invalidArgument: true
        // Where the daemon is gone the question is too; that is heard at once.
        case .unavailable: reason == .unspecified
        case .cancelled, .unknown, .deadlineExceeded, .notFound, .alreadyExists, .permissionDenied, .resourceExhausted,
            .failedPrecondition, .aborted, .outOfRange, .unimplemented, .internal, .dataLoss, .unauthenticated:
            false
        }
    }
}
