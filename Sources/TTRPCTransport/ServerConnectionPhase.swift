import TTRPC

/// The phase of a server's connection.
enum ServerConnectionPhase: Hashable {
    /// Requests are served. Can go to: refused, closing, closed.
    case open
    /// The service has refused this peer. Its first request is answered with the status. Can go to: closing (with that answer,
    /// or after a second), closed.
    case refused(Status)
    /// Frames are ignored. The connection closes when the kernel has taken what is queued. Can go to: closed.
    case closing
    /// The connection is gone. This is the last phase.
    case closed

    /// Whether frames are handled.
    var isServing: Bool {
        switch self {
        case .open, .refused: true
        case .closing, .closed: false
        }
    }
}
