import GateModel

/// Reads `mode` and `lockout`: how parent mode is entered, how long it lasts, and how wrong answers lock.
extension PolicyDraft {
    mutating func readMode(_ node: PolicyNode) {
        let keys = ["challenge", "lease", "maximum-lease", "answer-time", "style"]
        guard let fields = PolicyFields(node, of: "'mode'", keys: keys, &problems) else { return }
        waits = []
        if let value = fields.value("challenge"), isFirst("mode.challenge", at: value.place),
            let rule = challengeRule(value)
        {
            configuration.modeChallenge = rule
        }
        for place in waits {
            problems.add(
                "The question for parent mode can't wait: it is for the person who is there now. Remove 'may-wait'.",
                kind: .businessRule, at: place)
        }
        set(fields, "mode", "lease", in: PolicyLimits.lease) { $0.lease = $1 }
        set(fields, "mode", "maximum-lease", in: PolicyLimits.lease) { $0.maximumLease = $1 }
        set(fields, "mode", "answer-time", in: PolicyLimits.answerTime) { $0.answerTime = $1 }
        if let value = fields.value("style"), isFirst("mode.style", at: value.place),
            let style: Presentation.Style = value.word("style", &problems)
        {
            configuration.modeStyle = style
        }
    }

    mutating func readLockout(_ node: PolicyNode) {
        let keys = ["after", "for", "factor", "max"]
        guard let fields = PolicyFields(node, of: "'lockout'", keys: keys, &problems) else { return }
        set(fields, "after", in: PolicyLimits.lockoutAfter) { $0.after = $1 }
        set(fields, "lockout", "for", in: PolicyLimits.lockoutDuration) { $0.lockout.duration = $1 }
        set(fields, "factor", in: PolicyLimits.lockoutFactor) { $0.factor = $1 }
        set(fields, "lockout", "max", in: PolicyLimits.lockoutDuration) { $0.lockout.maximum = $1 }
    }

    mutating func set(
        _ fields: PolicyFields, _ section: String, _ key: String, in range: ClosedRange<Duration>,
        _ set: (inout Configuration, Duration) -> Void
    ) {
        guard let value = fields.value(key), isFirst("\(section).\(key)", at: value.place) else { return }
        if let duration = value.duration(of: key, in: range, &problems) {
            set(&configuration, duration)
        } else {
            unread.insert("\(section).\(key)")
        }
    }

    private mutating func set(
        _ fields: PolicyFields, _ key: String, in range: ClosedRange<Int>,
        _ set: (inout Configuration.LockoutRule, Int) -> Void
    ) {
        guard let value = fields.value(key), isFirst("lockout.\(key)", at: value.place),
            let number = value.number(of: key, in: range, &problems)
        else { return }
        set(&configuration.lockout, number)
    }
}
