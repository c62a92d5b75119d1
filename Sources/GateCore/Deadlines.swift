import GateModel

/// Deadlines are state; the daemon's timer only says that it is time.
extension GateState {
    /// The end of the lock that ends first.
    var nextLockoutEnd: BootTime? {
        records.lockouts.values.lazy.compactMap(\.lockedUntil).min()
    }

    /// Does what is due, in the order in which it came due, each as of its own moment: a lock that began with a
    /// deadline while the device slept may be over by the time that the device wakes.
    mutating func settleDeadlines(_ draft: inout TransitionDraft, at now: BootTime) {
        while let moment = nextDeadline, moment <= now {
            switch machine.deadlineReached(moment) {
            case .challengeExpired(let open):
                draft.journal(.expired, by: nil, open.name)
                count(.unanswered, of: open, at: moment, &draft)
            case .leaseEnded(let withdrawn):
                if let withdrawn {
                    // Nobody's fault: the lease took the question with it.
                    draft.journal(.withdrawn, by: nil, withdrawn.name)
                }
                draft.journal(.leaseExpired, by: nil)
            case .nothingDue:
                endLockouts(&draft, at: moment)
            }
        }
    }

    /// Who waited long enough may try again; the count of wrong answers stays, so that the next lock is longer.
    private mutating func endLockouts(_ draft: inout TransitionDraft, at now: BootTime) {
        let ended = records.lockouts.filter { _, lockout in lockout.lockedUntil.map { $0 <= now } ?? false }
        for (key, var lockout) in ended.sorted(by: { ($0.key.uid, $0.key.gate) < ($1.key.uid, $1.key.gate) }) {
            lockout.lockedUntil = nil
            record(.lockoutSet(key, lockout), &draft)
        }
    }
}
