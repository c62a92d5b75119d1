import TTRPC

enum ServerConnectionPhase: Hashable {
    /// Requests are served. Can go to `refused`, `closing` or `closed`.
    case open
    /// The service refused this peer. Its first request is answered with the status. Can go to `closing` (after that
    /// answer, or when the server closes) or `closed` (after a second without a request, or when the peer leaves).
    case refused(Status)
    /// Frames are ignored. The connection closes when the kernel has taken what is queued. Can go to `closed`.
    case closing
    /// The connection is gone. This is the last phase.
    case closed

    var isServing: Bool {
        switch self {
        case .open, .refused: true
        case .closing, .closed: false
        }
    }
}
