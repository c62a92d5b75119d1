import GateModel

/// Limits how often an owner may end parent mode or a session that another owner began.
///
/// The owner who began it and administrators may end it any number of times. Others may, too, so that a child's device
/// can always become a child's again; but a limit is needed, because otherwise a program in a loop would keep every
/// grown-up out. An owner has `Limits.interruptions` and regains one after each `Limits.interruptionTime`. The counts
/// are not stored: after a restart nobody is in parent mode or signed in.
struct LockRateLimit: Hashable, Sendable {
    /// When an owner has regained all interruptions. An owner who has all of them has no entry.
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
            // No other entry is dropped to make room: that would give its owner all interruptions back.
            return .refused(retryAfter: now.duration(to: first))
        }
        wholeAgain[owner] = before.advanced(by: Limits.interruptionTime)
        return .allowed
    }
}

extension GateState {
    /// Counts that the acting peer is about to end what `owners` began. Without owners there is nothing to count.
    ///
    /// - Throws: `limit` if the peer has no interruption left.
    mutating func interrupt(_ owners: Set<Owner>, _ context: Context) throws(GateError) {
        guard !owners.isEmpty, !owners.contains(context.peer.owner), !context.peer.isAdministrator else { return }
        switch lockRateLimit.interrupted(by: context.peer.owner, at: context.now) {
        case .allowed: break
        case .refused(let wait): throw .interruptsTooOften(retryAfter: wait)
        }
    }
}
