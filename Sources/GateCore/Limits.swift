import GateModel

/// What the core bounds, all in one place (DESIGN, section 15). Past a limit the peer hears `RESOURCE_EXHAUSTED`, and
/// nobody else notices.
enum Limits {
    /// Presentations that wait for presenters, the one on the screen among them.
    static let queuedPresentations = 16
    /// Requests that one user may have open at a time. Administrators may have more.
    static let openRequests = 4
    /// Presentations for gated actions that one connection may show itself at a time.
    static let ownPresentations = 1
    /// Grants that one connection may have unused, those that it is waiting for among them.
    static let unusedGrants = 64
    /// UTF-8 bytes of the details of an authorization.
    static let detailsByteCount = 4096
    /// UTF-8 bytes of the reason of an override.
    static let reasonByteCount = 200
    /// How long a presentation waits behind others.
    static let waitingTime = Duration.seconds(5 * 60)
    /// How long a grant may stay unused.
    static let grantTime = Duration.seconds(60)
}
