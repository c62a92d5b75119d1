import GateModel

extension GateError {
    /// The status that gatectl ends with (docs/shell.md).
    var exitStatus: Int32 {
        switch code {
        // Files with mistakes are wrong data, even if the daemon found the mistakes.
        case .failedPrecondition: reason == .badPolicy ? 65 : 1
        case .unauthenticated: 1
        case .aborted: reason == .noPresenter || reason == .notParent ? 2 : 75
        case .cancelled: 3
        case .invalidArgument, .notFound, .unimplemented, .alreadyExists, .outOfRange: 65
        case .unavailable, .internal, .unknown, .dataLoss: 69
        case .resourceExhausted: 75
        case .permissionDenied: 77
        case .deadlineExceeded: 124
        }
    }
}
