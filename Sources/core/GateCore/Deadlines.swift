import GateModel

/// Deadlines are state; the daemon's timer only says that it is time.
extension GateState {
    /// Does what is due, in the order in which it came due, each as of its own moment: a lock that began with a
    /// deadline while the device slept may be over by the time that the device wakes. Where several end in one moment:
    /// the lease, then the session, then questions, then the rest.
    mutating func settleDeadlines(_ context: inout Context, _ draft: inout TransitionDraft) {
        while let moment = nextDeadline, moment <= context.now {
            let before = circumstances
            settleNext(at: moment, &context, &draft)
            settleConsequences(since: before, by: nil, at: moment, &context, &draft)
        }
        // A clock that was set back brings back what had run out by it.
        guard !areEntitlementsCurrent(at: context.now) else { return }
        let before = circumstances
        settleConsequences(since: before, by: nil, at: context.now, &context, &draft)
    }

    private mutating func settleNext(
        at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        switch machine.deadlineReached(moment) {
        case .leaseEnded(let withdrawn):
            // Nobody's fault: the lease took the questions with it.
            for id in withdrawn { end(id, .leaseEnded, by: nil, at: moment, &draft) }
            draft.journal(.leaseExpired, by: nil)
        case .nothingDue:
            if endSignIn(at: moment, &draft) { return }
            if handOver(at: moment, &context, &draft) { return }
            if changeOffers(&draft, { $0.patienceEnded(at: moment) }) { return }
            if let expired = queue.expired(at: moment) {
                if expired.isCover {
                    coverTimeIsOver(expired, &draft)
                } else {
                    end(expired.request, .expired, by: nil, at: moment, &draft)
                }
            } else {
                endLockouts(&draft, at: moment)
                endKeptGrants(&draft, at: moment)
                // In silence: what was not used is missed by nobody. Nothing hangs on when, so all of them go at once.
                grants.deadlineReached(context.now)
                settlePending(&draft) { $0.deadlineReached(moment) }
            }
        }
    }
}
