import GateModel

// What a grown-up's yes to an ask can be worth: the choices that the policy offers, the grant that follows from each,
// and how many of these grants there may be.

extension GateState {
    /// The choices of a grown-up who says yes to this ask now. `thisSite` is among them only if the details are a link.
    func choices(for ask: AskRecord) -> [AskChoice] {
        guard !ask.isMoreTime else { return amounts(for: ask) }
        let offered = configuration.gatedActions.named(ask.gatedAction)?.requirement.choices ?? []
        return offered.filter { $0 != .thisSite || WebOrigin(ask.details) != nil }
    }

    /// The choice that an answer means.
    ///
    /// - Parameter named: the choice that the answer names; `nil` if it names none.
    func choice(_ named: AskChoice?, for number: UInt64, _ ask: AskRecord) throws(GateError) -> AskChoice {
        let offered = choices(for: ask)
        guard let choice = named ?? offered.first else { throw .noSuchAsk(number) }
        guard offered.contains(choice) else { throw .notOffered(choice, for: number, offered: offered) }
        return choice
    }

    /// Records the grant that follows from a yes to this ask, and that the ask is over. A yes for a site also ends the
    /// person's other asks for its links, which need no answer any more and would keep the person from asking.
    mutating func allow(
        _ number: UInt64, _ ask: AskRecord, _ choice: AskChoice, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) {
        // The answer about a session is an amount of time that the timekeeper gives; it does not say how long the yes
        // holds. Until the timekeeper takes it, it waits like a yes for once, since the device may be off.
        let holds = ask.gatedAction == GatedAction.sessionTime ? .once : choice
        let until =
            ask.isMoreTime && choice == .today
            ? endOfDay(before: ask.gatedAction, at: context.wallTime, in: context.zone)
            : holds.end(from: context.wallTime, mayWait: ask.mayWait, in: context.zone)
        let yes = KeptGrant.Yes(
            details: ask.details, choice: choice, person: ask.person, mark: ask.mark, from: context.wallTime,
            until: until,
            uses: choice == .once ? 1 : KeptGrant.Yes.anyNumber, isMoreTime: ask.isMoreTime)
        if yes.isLasting { try checkLastingYeses(of: ask) }
        let deadline = yes.until == .never ? .never : context.now.advanced(by: yes.until.duration(since: yes.from))
        let key = KeptGrant.Key(uid: ask.uid, gatedAction: ask.gatedAction, ask: number)
        record(.keptGrantSet(key, KeptGrant(deadline: deadline, yes: yes)), &draft)
        var ask = ask
        ask.ended(at: context.wallTime)
        // The record stays at least as long as the yes, so that a no can still take the yes back.
        ask.end = max(ask.end, yes.until)
        record(.askSet(number, ask), &draft)
        guard let site = yes.site else { return }
        for (other, waiting) in records.asks.inOrder
        where waiting.state == .waiting && waiting.uid == ask.uid && waiting.person.hasBytes(of: ask.person)
            && waiting.gatedAction == ask.gatedAction && WebOrigin(waiting.details) == site
        {
            endAsk(other, waiting, at: context.wallTime, &draft)
            draft.journal(.answeredRight, by: context.peer, "\(text(of: other, waiting)), \(choice.text)")
        }
    }

    /// Whether this peer takes the answers to this ask, and gives the time that was chosen. Administrators take them back
    /// like all others.
    func isForTime(_ ask: AskRecord, _ peer: Peer) -> Bool {
        peer.roles.contains(.timekeeper) && ask.gatedAction == GatedAction.sessionTime
    }

    /// A yes that lasts is never dropped to make room for another one: nobody would notice why something that was
    /// allowed asks again.
    private func checkLastingYeses(of ask: AskRecord) throws(GateError) {
        let ofPerson = records.keptGrants.countAnswers { key, yes in
            yes.isLasting && key.uid == ask.uid && yes.person.hasBytes(of: ask.person)
        }
        guard ofPerson < Limits.lastingYeses else { throw .tooManyLastingYeses }
        guard records.keptGrants.countAnswers(where: { $1.isLasting }) < Limits.lastingYesesOfDevice else {
            throw .tooManyLastingYesesOfDevice
        }
    }

    /// Ends a kept grant. The record of its ask, if it has one, then stays for no more than a day.
    mutating func endGrant(_ key: KeptGrant.Key, at now: WallTime, _ draft: inout TransitionDraft) {
        removeGrant(key, at: now, &draft)
        guard let number = key.ask, var ask = records.asks[number], ask.state == .over else { return }
        let latest = now.advanced(by: Limits.askDay)
        guard latest < ask.end else { return }
        ask.end = latest
        record(.askSet(number, ask), &draft)
    }
}

extension AskChoice {
    /// When a yes with this choice ends by the wall clock; `WallTime.never` if it does not end.
    fileprivate func end(from now: WallTime, mayWait: Duration, in zone: ZoneOffsets) -> WallTime {
        switch self {
        case .once: now.advanced(by: mayWait)
        case .today: zone.endOfDay(at: now)
        case .time(let duration): now.advanced(by: duration)
        case .always, .thisSite: .never
        // No policy offers it.
        case .unrecognized: now
        }
    }
}

extension Requirement {
    /// What can be chosen in answer to its question that may wait. There is at most one such question.
    fileprivate var choices: [AskChoice] {
        conditions.flatMap { condition -> [AskChoice] in
            if case .challenge(let rule) = condition { rule.bands.flatMap(\.challenge.choices) } else { [] }
        }
    }
}
