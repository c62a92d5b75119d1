import GateModel

/// The cost of a failure: the `after`-th wrong answer in a row locks, and each later one locks for longer.
///
/// The first challenge that ends without an answer (refused, dismissed, expired, cancelled by its own user, or its
/// requester or screen gone) is free. Each further one counts as a wrong answer; otherwise a guesser could go on asking
/// until a question suits. `RequestEnding` says which endings count.
/// Time forgives nothing: the counters stay until a right answer or an administrator removes them.
struct LockoutRules: Hashable, Sendable {
    enum Failure: Hashable, Sendable {
        case wrongAnswer
        case unanswered
    }

    let rule: Configuration.LockoutRule

    init(_ rule: Configuration.LockoutRule) {
        self.rule = rule
    }

    /// The counters after a failure. `lockedUntil` changes only if the failure locked.
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

    /// `last` times the factor, at most `maximum`; the first lock's length if `last` is zero.
    func nextLock(after last: Duration) -> Duration {
        guard last > .zero else { return min(rule.duration, rule.maximum) }
        let (product, overflow) = last.clampedNanoseconds.multipliedReportingOverflow(by: Int64(max(1, rule.factor)))
        return overflow ? rule.maximum : min(.nanoseconds(product), rule.maximum)
    }
}

extension Lockout {
    func remaining(at now: BootTime) -> Duration? {
        guard let lockedUntil, now < lockedUntil else { return nil }
        return now.duration(to: lockedUntil)
    }
}

extension Int {
    fileprivate var saturatingSuccessor: Int { self == .max ? .max : self + 1 }
}
