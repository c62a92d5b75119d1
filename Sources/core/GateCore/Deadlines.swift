import GateModel

/// Deadlines are part of the state. The daemon's timer only says that one may be due.
extension GateState {
    /// Settles everything that is due, in the order in which it became due, each as of its own moment. So a lockout
    /// that begins when a question expires while the device sleeps may be over when the device wakes. Of what is due at
    /// the same moment, the lease ends first, then the session, then questions, then everything else.
    mutating func settleDeadlines(_ context: inout Context, _ draft: inout TransitionDraft) {
        while let moment = nextDeadline, moment <= context.now {
            let before = circumstances
            settleNext(at: moment, &context, &draft)
            settleConsequences(since: before, by: nil, at: moment, &context, &draft)
        }
        // If the clock was set back, entitlements that had ended by it are active again. The zone may have changed, too.
        guard
            !areEntitlementsCurrent(at: context.now) || !areSchedulesCurrent(context) || !isUsageCurrent(context)
                || !areAgesCurrent(context)
        else { return }
        let before = circumstances
        settleConsequences(since: before, by: nil, at: context.now, &context, &draft)
    }

    private mutating func settleNext(
        at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        switch machine.deadlineReached(moment) {
        case .leaseEnded(let withdrawn):
            // This costs nothing: the lease ended the questions with it.
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
                endAsks(&draft, at: moment)
                endAsksOfOthers(at: moment, &draft)
                // Expired grants are not journalled. Their order does not matter, so all of them are removed at once.
                grants.deadlineReached(context.now)
                settlePending(&draft) { $0.deadlineReached(moment) }
            }
        }
    }
}
