import GateModel

/// What the core bounds, all in one place (DESIGN, section 15). Past a limit the peer hears `RESOURCE_EXHAUSTED`, and
/// nobody else notices.
enum Limits {
    /// Presentations that wait for presenters, the one on the screen among them.
    static let queuedPresentations = 16
    /// Of those, the ones that only administrators' requests take: whoever asks for much does not keep them out.
    static let queuedForAdministrators = 4
    /// Requests that one user may have open at a time. Administrators may have more.
    static let openRequests = 4
    /// Presentations for gated actions that one connection may show itself at a time.
    static let ownPresentations = 1
    /// Grants that one connection may have unused, those that it is waiting for among them.
    static let unusedGrants = 64
    /// Grants that one user may have unused, over all its connections, those that it is waiting for among them.
    static let unusedGrantsOfUser = 256
    /// UTF-8 bytes of the details of an authorization.
    static let detailsByteCount = AuthorizationRequest.maximumDetailsByteCount
    /// UTF-8 bytes of the reason of an override.
    static let reasonByteCount = 200
    /// UTF-8 bytes of the details that an entry of the journal about a grant shows.
    static let journalledDetailsByteCount = 200
    /// How long a presentation waits behind others.
    static let waitingTime = Duration.seconds(5 * 60)
    /// How long a grant may stay unused.
    static let grantTime = Grant.lifetime
}
