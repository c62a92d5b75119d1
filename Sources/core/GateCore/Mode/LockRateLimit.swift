import GateModel

/// How often somebody has ended what others entered (T-04): parent mode, a session.
///
/// Anyone who entered it, and administrators, end it as often as they like. Anybody else may too, for a child's device is
/// to be a child's again: but only so many times, or else a loop would keep every grown-up out. Each time comes back
/// after a while. It is not kept: after a restart nobody is in parent mode, and nobody is signed in.
struct LockRateLimit: Hashable, Sendable {
    /// When all times of somebody have come back. Anyone who has all of them is not here.
    private var wholeAgain: [Owner: BootTime] = [:]

    enum Result: Hashable {
        case allowed
        case refused(retryAfter: Duration)
    }

    mutating func interrupted(by owner: Owner, at now: BootTime) -> Result {
        wholeAgain = wholeAgain.filter { now < $0.value }
        let before = wholeAgain[owner] ?? now
        let wait = now.duration(to: before) - Limits.interruptionTime * (Limits.interruptions - 1)
        guard wait <= .zero else { return .refused(retryAfter: wait) }
        if wholeAgain[owner] == nil, wholeAgain.count >= Limits.interruptingOwners,
            let first = wholeAgain.values.min()
        {
            // Nobody is forgotten for another one: that would give them their times back.
            return .refused(retryAfter: now.duration(to: first))
        }
        wholeAgain[owner] = before.advanced(by: Limits.interruptionTime)
        return .allowed
    }
}

extension GateState {
    /// The acting peer is about to end what `owners` have entered; nobody: there is nothing to end.
    mutating func interrupt(_ owners: Set<Owner>, _ context: Context) throws(GateError) {
        guard !owners.isEmpty, !owners.contains(context.peer.owner), !context.peer.isAdministrator else { return }
        switch lockRateLimit.interrupted(by: context.peer.owner, at: context.now) {
        case .allowed: break
        case .refused(let wait): throw .interruptsTooOften(retryAfter: wait)
        }
    }
}
