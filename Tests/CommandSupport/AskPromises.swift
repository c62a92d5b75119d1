package import GateCore
package import GateModel

/// What must hold of asks, whatever happens: checked for each transition of a walk or a simulation with `RandomAsks`.
/// Gated actions of others are left alone.
package struct AskPromises {
    private static let waitingOfUser = 5
    private static let askedInDay = 20
    private static let day = Duration.seconds(24 * 3600)

    /// How often each ask let its person through without a yes on a screen.
    private var uses: [UInt64: Int] = [:]
    /// Asks that are over, without a yes that could still be used or taken back.
    private var ended: Set<UInt64> = []
    /// The choices of the yeses that had waited and by which somebody got through.
    package private(set) var choicesUsed: Set<AskChoice> = []

    package init() {}

    /// Checks a transition that a peer was told of. Returns the promise that it breaks; `nil`: none.
    ///
    /// - Parameters:
    ///   - now: the moment of the transition, or a later one.
    ///   - wallTime: the time of a moment by the clock as it stood at the transition.
    package mutating func broken(
        by transition: Transition, of peer: Peer, from before: GateState, to after: GateState, at now: BootTime,
        _ wallTime: (BootTime) -> WallTime
    ) -> String? {
        for (number, ask) in before.records.asks.inOrder {
            if let broken = brokenChange(of: number, ask, transition, before, after) { return broken }
        }
        for (number, ask) in after.records.asks.inOrder where before.records.asks[number] == nil {
            if let broken = brokenBeginning(of: number, ask, before, after) { return broken }
        }
        for (key, grant) in after.records.keptGrants where before.records.keptGrants[key] != grant {
            if let broken = brokenYes(key, grant, transition, peer, before) { return broken }
        }
        for (key, grant) in before.records.keptGrants where after.records.keptGrants[key] == nil {
            let isDue = grant.deadline <= now || grant.yes.map { $0.until <= wallTime(now) } ?? false
            if let broken = brokenLoss(of: key, grant, transition, isDue: isDue) { return broken }
        }
        for (key, grant) in after.records.keptGrants where grant.yes != nil {
            guard
                before.configuration.gatedActions[key.gatedAction] == after.configuration.gatedActions[key.gatedAction]
            else { return "a yes survived the change of \(key.gatedAction)" }
        }
        if let broken = brokenGrant(in: transition, of: peer, before, after, wallTime) { return broken }
        for number in before.records.asks.inOrder.map(\.number) where isOver(number, after.records) {
            ended.insert(number)
        }
        return brokenEnd(in: after.records)
    }

    /// Checks what a daemon has found at its start.
    package func broken(in records: DurableRecords) -> String? {
        brokenEnd(in: records) ?? brokenLimit(in: records)
    }

    /// Checks what is there after everything that was due by the wall clock was settled.
    package func broken(in records: DurableRecords, settledAt time: WallTime) -> String? {
        let late = records.keptGrants.first { $1.yes.map { $0.until <= time } ?? false }
        return late.map { "the yes to ask \($0.key.ask ?? 0) survived its end" }
    }

    private func isOver(_ number: UInt64, _ records: DurableRecords) -> Bool {
        (records.asks[number]?.state ?? .over) == .over && records.keptGrants.answer(to: number) == nil
    }

    private func brokenEnd(in records: DurableRecords) -> String? {
        if let number = ended.first(where: { !isOver($0, records) }) { return "ask \(number), which was over, is back" }
        let isKnown = records.asks.inOrder.contains { $0.ask.state == .over && !$0.ask.details.isEmpty }
        return isKnown ? "the words of an ask that is over" : nil
    }

    private func brokenLimit(in records: DurableRecords) -> String? {
        let waiting = records.asks.inOrder.map(\.ask).filter { $0.state == .waiting }
        let ofUser = Dictionary(grouping: waiting, by: \.uid).mapValues(\.count)
        return ofUser.values.allSatisfy { $0 <= Self.waitingOfUser } ? nil : "more asks of a user wait than may"
    }

    /// An ask that was there before.
    private func brokenChange(
        of number: UInt64, _ ask: AskRecord, _ transition: Transition, _ before: GateState, _ after: GateState
    ) -> String? {
        guard let later = after.records.asks[number] else { return nil }
        switch (ask.state, later.state) {
        case (.waiting, .waiting), (.refused, .refused): return later == ask ? nil : "ask \(number) was changed"
        case (.untilTomorrow, .untilTomorrow):
            // It goes along with a clock that is set.
            var moved = ask
            moved.end = later.end
            return later == moved ? nil : "ask \(number) was changed"
        case (.waiting, .refused), (.over, .refused), (.waiting, .untilTomorrow), (.over, .untilTomorrow),
            (.refused, .untilTomorrow), (.untilTomorrow, .refused):
            guard transition.audit.contains(where: { $0.kind == .refused }) else {
                return "ask \(number) was refused by nobody"
            }
            let hadYes = before.records.keptGrants.answer(to: number) != nil
            let isKept = after.records.keptGrants.answer(to: number) != nil
            guard ask.state != .over || hadYes else { return "ask \(number), which was over, was refused" }
            return isKept ? "a yes to ask \(number), which was refused" : nil
        case (.waiting, .over):
            let reasons: Set<AuditEntry.Kind> = [.answeredRight, .cancelled, .expired, .withdrawn, .restored, .refused]
            return transition.audit.contains { reasons.contains($0.kind) } ? nil : "ask \(number) was lost"
        case (.refused, .over), (.untilTomorrow, .over), (.over, .over): return nil
        case (.refused, .waiting), (.untilTomorrow, .waiting), (.over, .waiting): return "ask \(number) waits again"
        }
    }

    /// An ask that is new.
    private func brokenBeginning(
        of number: UInt64, _ ask: AskRecord, _ before: GateState, _ after: GateState
    ) -> String? {
        guard number >= before.records.nextPresentation else { return "the number \(number) comes again" }
        guard ask.state == .waiting else { return "ask \(number) was answered before it was asked" }
        let mine = after.records.asks.inOrder.map(\.ask).filter { $0.uid == ask.uid }
        let isRefused = mine.contains {
            $0.state == .untilTomorrow && $0.gatedAction == ask.gatedAction && $0.person == ask.person
        }
        guard !isRefused else { return "ask \(number) was asked before tomorrow" }
        let dayBefore = ask.askedAt.advanced(by: .zero - Self.day)
        guard mine.count(where: { dayBefore < $0.askedAt }) <= Self.askedInDay else { return "too many asks in a day" }
        return brokenLimit(in: after.records)
    }

    // MARK: - A yes

    /// A kept grant that is new, or was changed.
    private func brokenYes(
        _ key: KeptGrant.Key, _ grant: KeptGrant, _ transition: Transition, _ peer: Peer, _ before: GateState
    ) -> String? {
        guard let number = key.ask, let yes = grant.yes else { return nil }
        // If it was there before, one of its uses is gone, and nothing else about it is new.
        if var earlier = before.records.keptGrants[key] {
            let isUsed = earlier.yes.map { !$0.isLasting && yes.uses < $0.uses } ?? false
            earlier.yes?.uses = yes.uses
            return isUsed && earlier == grant ? nil : "the yes to ask \(number) was changed"
        }
        guard let ask = before.records.asks[number], ask.uid == key.uid, ask.details == yes.details else {
            return "a yes to ask \(number), which asked for something else"
        }
        guard isEnd(yes.until, of: yes, to: ask), yes.isLasting == (yes.choice != .once) else {
            return "a yes to ask \(number) for more than \(yes.choice.text)"
        }
        let isAnswer = transition.audit.contains { $0.kind == .answeredRight && $0.detail.hasPrefix("ask \(number):") }
        let isGrownUp = !peer.roles.isDisjoint(with: [.grownUpPresenter, .administrator])
        return isAnswer && isGrownUp ? nil : "a yes to ask \(number) that no grown-up gave"
    }

    private func isEnd(_ end: WallTime, of yes: KeptGrant.Yes, to ask: AskRecord) -> Bool {
        switch yes.choice {
        case .once: end == yes.from.advanced(by: ask.mayWait)
        // No day is longer than 25 hours.
        case .today: yes.from < end && end <= yes.from.advanced(by: .seconds(25 * 3600))
        case .time(let duration): end == yes.from.advanced(by: duration)
        case .always: end == .never
        case .thisSite: end == .never && WebOrigin(ask.details) != nil
        case .unrecognized: false
        }
    }

    /// A kept grant that is gone: a yes is never lost without a reason that the journal has.
    private func brokenLoss(
        of key: KeptGrant.Key, _ grant: KeptGrant, _ transition: Transition, isDue: Bool
    ) -> String? {
        guard let number = key.ask, let yes = grant.yes else { return nil }
        let isTakenBack = transition.audit.contains { entry in
            [.refused, .cancelled].contains(entry.kind) && entry.detail.hasPrefix("ask \(number):")
        }
        let kinds = Set(transition.audit.map(\.kind))
        if isTakenBack || !kinds.isDisjoint(with: [.revoked, .restored]) { return nil }
        if kinds.contains(.grantExpired), isDue { return nil }
        let isUsed = !yes.isLasting && granted(in: transition).contains { $0.details == yes.details }
        return isUsed ? nil : "the yes to ask \(number) was lost"
    }

    private func granted(in transition: Transition) -> [Grant] {
        var replies = [transition.reply]
        for case .settle(_, let reply) in transition.effects { replies.append(reply) }
        return replies.compactMap { if case .granted(let grant) = $0 { grant } else { nil } }
    }

    /// Somebody was let through: by a yes on a screen just now, or by one that had waited. A yes for once is less or
    /// gone then, and one for longer holds at that moment, for the user who asks.
    private mutating func brokenGrant(
        in transition: Transition, of peer: Peer, _ before: GateState, _ after: GateState,
        _ wallTime: (BootTime) -> WallTime
    ) -> String? {
        let isAnswered = transition.audit.contains { $0.kind == .answeredRight }
        for grant in granted(in: transition) where RandomAsks.configuration.gatedActions[grant.gatedAction] != nil {
            if isAnswered { continue }
            var isOwn = false
            if case .granted(grant) = transition.reply { isOwn = true }
            let time = wallTime(grant.deadline.advanced(by: .zero - Grant.lifetime))
            let used = before.records.keptGrants.first { key, kept in
                guard let yes = kept.yes, key.gatedAction == grant.gatedAction, !isOwn || key.uid == peer.uid,
                    yes.from <= time && time < yes.until
                else { return false }
                let isSite = yes.site.map { WebOrigin(grant.details) == $0 } ?? false
                guard yes.details == grant.details || isSite else { return false }
                return yes.isLasting || after.records.keptGrants[key] != kept
            }
            guard let number = used?.key.ask, let yes = used?.value.yes else {
                return "\(grant.gatedAction) was granted for nothing"
            }
            choicesUsed.insert(yes.choice)
            if yes.isLasting { continue }
            uses[number, default: 0] += 1
            if uses[number, default: 0] > 1 { return "the yes to ask \(number) was used twice" }
        }
        return nil
    }
}
