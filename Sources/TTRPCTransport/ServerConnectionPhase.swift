import TTRPC

/// How far a connection of a server's is.
enum ServerConnectionPhase {
    /// Requests are served. Goes to `refused`, `closing`, `closed`.
    case open
    /// The service did not want this peer; its first request will be answered with the status. Goes to `closing`
    /// with that, or a second later.
    case refused(Status)
    /// No frame is looked at; the connection closes when the kernel has taken what is queued. Goes to `closed`.
    case closing
    /// Gone. Goes nowhere.
    case closed

    /// Whether frames are looked at.
    var isServing: Bool {
        switch self {
        case .open, .refused: true
        case .closing, .closed: false
        }
    }
}
