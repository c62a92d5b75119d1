import GateModel

extension RateLimit<Owner> {
    /// How often an owner may end parent mode or a session that another owner began.
    ///
    /// The owner who began it and administrators may end it any number of times. Other owners may end it only so often:
    /// often enough that a child's device can become a child's again, but no program in a loop can keep every grown-up
    /// out. The counts are not stored, since after a restart nobody is in parent mode or signed in.
    static let ofInterruptions = RateLimit(
        Limits.interruptions, regainedAfter: Limits.interruptionTime, keys: Limits.interruptingOwners)
}

extension GateState {
    /// Counts that the acting peer is about to end what `owners` began. Without owners there is nothing to count.
    ///
    /// - Throws: `limit` if the peer has no interruption left.
    mutating func interrupt(_ owners: Set<Owner>, _ context: Context) throws(GateError) {
        guard !owners.isEmpty, !owners.contains(context.peer.owner), !context.peer.isAdministrator else { return }
        switch interruptions.used(by: context.peer.owner, at: context.now) {
        case .allowed: break
        case .refused(let wait): throw .interruptsTooOften(retryAfter: wait)
        }
    }
}
