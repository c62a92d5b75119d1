import GateModel

@testable import GateCore

/// What a transition may and must do: every cost is charged, and nothing lasts longer than the policy says.
enum RulePromises {
    static func check(
        _ transition: Transition, of peer: Peer, from before: GateState, to after: GateState, now: BootTime
    ) throws {
        try checkCost(transition, before.records.lockouts, after.records.lockouts, after.configuration.lockout)
        try checkEnds(after, now: now)
        try checkUsage(before.records.usage, after)
        try checkStatements(transition, of: peer, before.records, after.records)
        if transition.audit.contains(where: { $0.kind == .paid }) {
            // What is recorded late may have begun and ended within one transition.
            let hasChanged = transition.audit.contains { $0.kind == .entitlementChanged }
            try hold(after.entitlements.isSubscriptionActive || hasChanged, "a paywall was paid by nobody")
        }
    }

    /// Every wrong answer is counted, and enough of them lock.
    private static func checkCost(
        _ transition: Transition, _ before: [Lockout.Key: Lockout], _ after: [Lockout.Key: Lockout],
        _ rule: Configuration.LockoutRule
    ) throws {
        let wrong = transition.audit.count { [.answeredWrong, .signInFailed].contains($0.kind) }
        var (counts, counted) = (before, 0)
        for change in transition.records {
            if case .lockoutRemoved(let key) = change { counts[key] = nil }
            guard case .lockoutSet(let key, let lockout) = change else { continue }
            let more = lockout.wrongAnswers - (counts[key]?.wrongAnswers ?? 0)
            counts[key] = lockout
            counted += max(0, more)
            guard more > 0, lockout.wrongAnswers >= rule.after, SecretBudget.limit(of: key) == nil else { continue }
            try hold(lockout.lockDuration >= rule.duration, "\(lockout.wrongAnswers) wrong answers, and no lock")
            if after[key] == lockout { try hold(lockout.lockedUntil != nil, "wrong answers, and no lock") }
        }
        try hold(counted >= wrong, "a wrong answer cost nothing")
    }

    /// Time that was used is never given back, except that old days are forgotten: of what has a limit none of the
    /// newest week, and of everything else none of the last ten weeks.
    private static func checkUsage(_ before: UsageLedger, _ state: GateState) throws {
        let after = state.records.usage
        guard before != after else { return }
        for (meter, days) in before.days {
            let isLimited = state.allowances.limits(meter)
            let newest = after.day(of: meter, today: .min)
            if isLimited || after.contains(meter) {
                try hold(newest >= before.day(of: meter, today: .min), "a day came again")
            }
            for (day, used) in days {
                if let now = after[meter, day] {
                    try hold(now >= used, "time was given back")
                } else if isLimited {
                    try hold(day + 6 < newest, "a day that counts was forgotten")
                } else {
                    let oldest = state.allowances.newestDay - UsageRules.daysKept
                    try hold(day < oldest, "a day was forgotten too early")
                }
            }
        }
    }

    /// A lease, a session, what is kept and a grant last as long as the policy says at most.
    private static func checkEnds(_ state: GateState, now: BootTime) throws {
        let configuration = state.configuration
        if state.modeState.mode == .parent {
            let end = try hold(state.modeState.deadline, "parent mode without an end")
            let longest = max(configuration.lease, configuration.maximumLease)
            try hold(end <= now.advanced(by: longest), "a lease that is too long")
        }
        if let session = state.signIn.session {
            let end = now.advanced(by: configuration.signIn.maximumSession)
            try hold(session.deadline <= end, "a session that is too long")
        }
        for (key, kept) in state.records.keptGrants {
            guard let longest = configuration.gatedActions[key.gatedAction]?.keep else { continue }
            try hold(kept.deadline <= now.advanced(by: longest), "a grant that is kept too long")
        }
        if let end = state.grants.nextDeadline {
            try hold(end <= now.advanced(by: Grant.lifetime), "a grant that lasts too long")
        }
    }

    /// A notification is taken once, and nobody takes over another person's purchase.
    private static func checkStatements(
        _ transition: Transition, of peer: Peer, _ before: DurableRecords, _ after: DurableRecords
    ) throws {
        for case .notificationTaken(let id, _) in transition.records {
            try hold(before.notifications[id] == nil, "a notification was taken twice")
        }
        for (id, claim) in before.claims {
            guard let later = after.claims[id], !peer.roles.contains(.administrator) else { continue }
            try hold(later.holder == claim.holder, "somebody took over what another had paid for")
        }
    }

    /// If nothing is under way, nobody who has left is remembered for a question, a presentation or a grant.
    static func checkPresent(_ state: GateState, _ connected: Set<UInt64>) throws {
        var remembered = state.connections.union(state.queue.open.compactMap { $0.holder?.peer.connection })
        remembered.subtract(connected)
        remembered.remove(Peer.gate.connection)
        try hold(remembered.isEmpty, "connections \(remembered) are remembered, and gone")
    }

    /// Of forms, a person's own user sees its own; everybody else sees those of the person who is signed in, else their
    /// own; and all of them what is on their screen.
    static func checkForms(_ state: GateState, of peer: Peer) throws {
        let account = state.isPersonsOwn(peer.owner) ? nil : state.signIn.session?.name
        let own: FormHolder = account.map { .account($0) } ?? FormHolder(userOf: peer)
        let shown = state.queue.open.filter { $0.isHeld(by: peer.connection) }.map(\.step.kind)
        guard !peer.roles.contains(.administrator), !shown.contains(.form) else { return }
        let others = state.forms(visibleTo: peer).filter { $0.holder != own }
        try hold(others.isEmpty, "uid \(peer.uid) sees forms of others: \(others)")
    }

    /// After nobody has done anything for longer than anything lasts, everything has ended.
    static func checkAllIsOver(_ state: GateState) throws {
        try hold(state.modeState == .closed, "\(state.modeState) after a night")
        try hold(state.signIn.session == nil, "somebody is signed in after a night")
        // A grown-up's yes may hold for longer.
        try hold(state.records.keptGrants.keys.allSatisfy { $0.ask != nil }, "a grant is kept after a night")
        try hold(state.grants.nextDeadline == nil, "a grant is good after a night")
        try hold(state.records.lockouts.values.allSatisfy { $0.lockedUntil == nil }, "locked out after a night")
        try hold(!state.entitlements.isSubscriptionActive, "subscribed after a night")
    }
}
