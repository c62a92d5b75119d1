package import GateCore
package import GateModel

/// What must hold of asks, whatever happens: checked for each transition of a walk or a simulation with `RandomAsks`.
package struct AskPromises {
    private static let waitingOfUser = 5
    private static let askedInDay = 20
    private static let day = Duration.seconds(24 * 3600)

    /// How often each ask let its person through without a yes on a screen.
    private var uses: [UInt64: Int] = [:]
    /// Asks that are over, without a yes that could still be used or taken back.
    private var ended: Set<UInt64> = []
    /// How often somebody got through by a yes that had waited.
    package private(set) var useCount = 0

    package init() {}

    /// Checks a transition that a peer was told of. Returns the promise that it breaks; `nil`: none.
    package mutating func broken(
        by transition: Transition, of peer: Peer, from before: GateState, to after: GateState
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
        if let broken = brokenGrant(in: transition, before, after) { return broken }
        for number in before.records.asks.inOrder.map(\.number) where isOver(number, after.records) {
            ended.insert(number)
        }
        return brokenEnd(in: after.records)
    }

    /// Checks what a daemon has found at its start.
    package func broken(in records: DurableRecords) -> String? {
        brokenEnd(in: records) ?? brokenLimit(in: records)
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
        case (.waiting, .refused), (.over, .refused):
            guard transition.audit.contains(where: { $0.kind == .refused }) else {
                return "ask \(number) was refused by nobody"
            }
            let hadYes = before.records.keptGrants.answer(to: number) != nil
            let isKept = after.records.keptGrants.answer(to: number) != nil
            guard ask.state == .waiting || hadYes else { return "ask \(number), which was over, was refused" }
            return isKept ? "a yes to ask \(number), which was refused" : nil
        case (.waiting, .over), (.refused, .over), (.over, .over): return nil
        case (.refused, .waiting), (.over, .waiting): return "ask \(number) waits again"
        }
    }

    /// An ask that is new.
    private func brokenBeginning(
        of number: UInt64, _ ask: AskRecord, _ before: GateState, _ after: GateState
    ) -> String? {
        guard number >= before.records.nextPresentation else { return "the number \(number) comes again" }
        guard ask.state == .waiting else { return "ask \(number) was answered before it was asked" }
        let mine = after.records.asks.inOrder.map(\.ask).filter { $0.uid == ask.uid }
        let dayBefore = ask.askedAt.advanced(by: .zero - Self.day)
        guard mine.count(where: { dayBefore < $0.askedAt }) <= Self.askedInDay else { return "too many asks in a day" }
        return brokenLimit(in: after.records)
    }

    /// A kept grant that is new, or was changed.
    private func brokenYes(
        _ key: KeptGrant.Key, _ grant: KeptGrant, _ transition: Transition, _ peer: Peer, _ before: GateState
    ) -> String? {
        guard let number = key.ask, let yes = grant.yes else { return "a grant is kept that no policy keeps" }
        // If it was there before, it was used.
        guard before.records.keptGrants[key] == nil else { return nil }
        guard let ask = before.records.asks[number], ask.uid == key.uid, ask.details == yes.details else {
            return "a yes to ask \(number), which asked for something else"
        }
        let isAnswer = transition.audit.contains { $0.kind == .answeredRight && $0.detail.hasPrefix("ask \(number):") }
        let isGrownUp = !peer.roles.isDisjoint(with: [.grownUpPresenter, .administrator])
        return isAnswer && isGrownUp ? nil : "a yes to ask \(number) that no grown-up gave"
    }

    /// Somebody was let through: by a yes on a screen just now, or by one that had waited, which is less or gone then.
    private mutating func brokenGrant(
        in transition: Transition, _ before: GateState, _ after: GateState
    ) -> String? {
        var replies = [transition.reply]
        for case .settle(_, let reply) in transition.effects { replies.append(reply) }
        for case .granted(let grant) in replies {
            if transition.audit.contains(where: { $0.kind == .answeredRight }) { continue }
            let used = before.records.keptGrants.first { key, kept in
                key.gatedAction == grant.gatedAction && kept.yes?.details == grant.details
                    && after.records.keptGrants[key] != kept
            }
            guard let number = used?.key.ask else { return "\(grant.gatedAction) was granted for nothing" }
            uses[number, default: 0] += 1
            useCount += 1
            if uses[number, default: 0] > 1 { return "the yes to ask \(number) was used twice" }
        }
        return nil
    }
}
