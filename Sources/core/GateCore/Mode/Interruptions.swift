import GateModel

extension RateLimit<Owner> {
    /// How often an owner may end parent mode or a session that another owner began.
    ///
    /// The owner who began it and administrators may end it any number of times. Others may, too, so that a child's
    /// device can always become a child's again; but a limit is needed, because otherwise a program in a loop would
    /// keep every grown-up out. After a restart nobody is in parent mode or signed in.
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
