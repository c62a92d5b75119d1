import GateModel

/// The cost of a failure (G-03): the `after`-th wrong answer in a row locks, and each later one locks for longer.
///
/// The first challenge that is left unanswered (dismissed, expired, cancelled by its own user, its requester or its screen gone) is
/// free; from the second on each counts as a wrong answer, or else a guesser would go on asking until the question
/// suits. Only a right answer forgives: it removes the counters altogether.
struct LockoutRules: Hashable, Sendable {
    /// How a challenge ended that was not answered right.
    enum Failure: Hashable, Sendable {
        case wrongAnswer
        case unanswered
    }

    let rule: Configuration.LockoutRule

    init(_ rule: Configuration.LockoutRule) {
        self.rule = rule
    }

    /// The counters after a failure. `lockedUntil` differs from before exactly where the failure locked.
    func counted(_ failure: Failure, on before: Lockout?, at now: BootTime) -> Lockout {
        var lockout = before ?? Lockout(wrongAnswers: 0, unanswered: 0, lockedUntil: nil, lockDuration: .zero)
        switch failure {
        case .wrongAnswer:
            break
        case .unanswered:
            lockout.unanswered = lockout.unanswered.saturatingSuccessor
            if lockout.unanswered == 1 {
                return lockout
            }
        }
        lockout.wrongAnswers = lockout.wrongAnswers.saturatingSuccessor
        if lockout.wrongAnswers >= rule.after {
            lockout.lockDuration = nextLock(after: lockout.lockDuration)
            lockout.lockedUntil = now.advanced(by: lockout.lockDuration)
        }
        return lockout
    }

    /// The first lock, or a longer one than the last; at most `maximum`.
    func nextLock(after last: Duration) -> Duration {
        guard last > .zero else { return min(rule.duration, rule.maximum) }
        let (product, overflow) = last.clampedNanoseconds.multipliedReportingOverflow(by: Int64(max(1, rule.factor)))
        return overflow ? rule.maximum : min(.nanoseconds(product), rule.maximum)
    }
}

extension Lockout {
    /// How long the lock still lasts; `nil` where there is none.
    func remaining(at now: BootTime) -> Duration? {
        guard let lockedUntil, now < lockedUntil else { return nil }
        return now.duration(to: lockedUntil)
    }
}

extension Int {
    /// One more, but never past the end.
    fileprivate var saturatingSuccessor: Int { self == .max ? .max : self + 1 }
}
