package import GateModel

/// The rules of asks: requests for a gated action that outlive their calls, because the policy lets their question wait
/// (`may-wait`) and the requester can wait for the answer (`AuthorizationRequest.mayWait`).
///
/// | event                         | waiting                   | refused             | allowed              | over      |
/// |-------------------------------|---------------------------|---------------------|----------------------|-----------|
/// | the same words, `mayWait`     | asked, not answered yet   | a grown-up said no  | granted; once: over  | a new ask |
/// | `answerAsk` with yes          | allowed                   | allowed             | unknown              | unknown   |
/// | `answerAsk` with no           | refused                   | unknown             | refused              | unknown   |
/// | `answerAsk` with "tomorrow"   | refused until tomorrow    | the same            | the same             | unknown   |
/// | `withdrawAsk`                 | over                      | unknown             | over                 | unknown   |
/// | yes to another for its site   | over                      | nothing             | nothing              | nothing   |
/// | "tomorrow" to another         | over                      | nothing             | nothing              | nothing   |
/// | yes on a screen               | granted at once, over     | (nothing is shown)  | (nothing is shown)   | nothing   |
/// | no on a screen                | refused                   | (nothing is shown)  | (nothing is shown)   | nothing   |
/// | the timekeeper takes it       | unknown                   | unknown             | over                 | unknown   |
/// | its end                       | over                      | over                | over                 | forgotten |
/// | another policy or person      | over                      | over                | over                 | nothing   |
/// | a backup is restored          | over                      | over                | over                 | nothing   |
///
/// "tomorrow" is `AskAnswer.notUntilTomorrow`. An ask that was answered so is like a refused one, with three differences:
/// other words of the same person for the same gated action are refused, too; a plain no makes it a refused one; and
/// "tomorrow" is unknown then (AskRefusals.swift).
///
/// An ask that was allowed is over as a record (`AskRecord`), and its yes is a kept grant (`KeptGrant.Yes`). How often
/// and until when it counts was chosen with the yes (`AskChoice`). With `thisSite` it also counts for other words.
///
/// The timekeeper has only the asks for `GatedAction.sessionTime`. It takes a yes once, and gives as much time in a session
/// as was chosen.
///
/// "unknown": the command is refused, because no ask can be answered or withdrawn by this number.
///
/// While the call that asked is open, its question may also be on a screen, like that of any other request. If the
/// question is closed without a yes or a no, the ask stays. If `answerAsk` says yes while the question is open, the
/// call gets its grant at once.
extension GateState {
    /// The person on the list of people whose own Unix user this peer is. `nil` if the user is billed to another one,
    /// is shared by several people, or belongs to nobody on the list: then its requests can't wait, and it has no asks.
    /// If a broker asks for a process, this is the person whose process it is: the ask, its limits and the yes are that
    /// person's, and the broker has no part in them.
    func asker(_ peer: Peer) -> GatePerson? {
        isAsker(peer) ? person(of: peer.owner) : nil
    }

    /// The newest ask of this requester for exactly these words that waits or was refused. While the user database does not
    /// say whose user it is, a question on a screen is still about the same ask.
    private func ask(for request: AuthorizationRequest, of requester: Peer) -> (number: UInt64, ask: AskRecord)? {
        guard !records.asks.isEmpty, requester.owner == .user(requester.uid) else { return nil }
        let person = asker(requester)?.name
        return records.asks.newest { $0.isFor(request, of: requester.uid, person ?? $0.person) }
    }

    /// The grant that a grown-up gave to this requester's ask for exactly these words, or for a link to the same site,
    /// if it counts now.
    func yes(to request: AuthorizationRequest, of requester: Peer, at now: BootTime) -> KeptGrant.Key? {
        let answers = records.keptGrants.answers(of: requester.uid, to: request)
        guard !answers.isEmpty, let person = asker(requester) else { return nil }
        let time = wallTime(at: now)
        return answers.first { key, yes in
            guard let deadline = records.keptGrants[key]?.deadline, now < deadline else { return false }
            return yes.from <= time && time < yes.until && person.name.hasBytes(of: yes.person)
        }?.key
    }

    /// Whether a grown-up's yes to this request counts now, among those that `counted` names.
    func isAllowed(
        _ request: AuthorizationRequest, of requester: Peer, counting counted: CountedYes, at now: BootTime
    ) -> Bool {
        guard counted != .none, let key = yes(to: request, of: requester, at: now) else { return false }
        return counted == .any || records.keptGrants[key]?.yes?.isLasting ?? false
    }

    /// Uses up one use of the yes to this request, if the request would not be granted without it. A yes that is not
    /// needed, or can be used any number of times, stays as it is.
    mutating func useYes(
        to request: AuthorizationRequest, of requester: Peer, answered: Set<Int>, at now: BootTime,
        _ draft: inout TransitionDraft
    ) {
        guard let key = yes(to: request, of: requester, at: now), var grant = records.keptGrants[key],
            let yes = grant.yes, !yes.isLasting
        else { return }
        let without = decision(
            on: request, of: requester, answered: answered, open: nil, counting: .none, at: now,
            canShow: { _, _ in true })
        guard without != .granted else { return }
        grant.yes?.uses = yes.uses - 1
        guard yes.uses <= 1 else { return record(.keptGrantSet(key, grant), &draft) }
        endGrant(key, at: wallTime(at: now), &draft)
    }

    // MARK: - Asking

    /// Records an ask if this question of a request may wait. Returns the error that ends the request now, or `nil` if
    /// the question is to be shown.
    ///
    /// The request ends if a grown-up has not answered its ask yet or has said no, if no screen can show the question,
    /// or if the request wants its answer at once. "Not until tomorrow" also ends requests of programs that can't wait.
    ///
    /// If the question is shown, its new ask has the number that the question gets. If there are too many asks, the
    /// question is shown without an ask, and ends with its call.
    mutating func waits(
        for step: Step, _ request: AuthorizationRequest, of requester: Peer, presentsItself: Bool, at now: BootTime,
        using random: inout some RandomNumberGenerator, _ draft: inout TransitionDraft
    ) -> GateError? {
        guard let mayWait = step.mayWait, let person = asker(requester),
            let gatedAction = configuration.gatedActions.named(request.gatedAction)
        else { return nil }
        let time = wallTime(at: now)
        if let tomorrow = tomorrow(for: request, of: requester, person) {
            return .refusedUntilTomorrow(lockedOutFor: tomorrow.duration(since: time))
        }
        guard request.mayWait else { return nil }
        if let (number, ask) = ask(for: request, of: requester) {
            return ask.state == .refused
                ? .refusedByGrownUp(lockedOutFor: ask.end.duration(since: time)) : .asked(number, until: ask.end)
        }
        // A screen that asks yes or no has no amounts of time to choose from.
        let isShown =
            !request.atOnce && request.gatedAction != GatedAction.sessionTime
            && canShow(step, gatedAction.style, for: requester, presentsItself: presentsItself)
        if let refusal = refusalOfAsk(by: requester.uid, at: time) { return isShown ? nil : refusal }
        let number = records.nextPresentation
        let ask = AskRecord(
            uid: requester.uid, person: person.name, gatedAction: request.gatedAction, details: request.details,
            mark: gatedAction.mark, askedAt: time, end: time.advanced(by: mayWait), mayWait: mayWait,
            nonce: .random(HouseholdAsk.nonceByteCount, using: &random))
        record(.askSet(number, ask), &draft)
        guard !isShown else { return nil }
        record(.nextPresentationSet(number + 1), &draft)
        draft.journal(.challengeOpened, by: requester, "challenge \(number), \(ask.gatedAction)")
        return .asked(number, until: ask.end)
    }

    /// Why this user can't ask for anything else now; `nil` if they can.
    func refusalOfAsk(by uid: UInt32, at time: WallTime) -> GateError? {
        let mine = records.asks.inOrder.map(\.ask).filter { $0.uid == uid }
        guard mine.count(where: { $0.state == .waiting }) < Limits.openAsks else { return .tooManyAsks }
        let unfinished =
            records.asks.count { $0.state != .over } + records.keptGrants.countAnswers { !$1.isLasting }
        guard unfinished < Limits.asksOfDevice else { return .queueIsFull }
        let dayBefore = time.advanced(by: .zero - Limits.askDay)
        let ofDay = mine.map(\.askedAt).filter { dayBefore < $0 }
        guard ofDay.count >= Limits.asksOfDay else { return nil }
        return .tooManyAsksOfDay(retryAfter: ofDay.min()?.advanced(by: Limits.askDay).duration(since: time))
    }

    // MARK: - Answers on a screen

    /// A grown-up said yes on a screen. That yes is used at once, so it is not kept.
    mutating func askAllowed(
        _ request: AuthorizationRequest, of requester: Peer, at moment: BootTime, _ draft: inout TransitionDraft
    ) {
        guard let (number, ask) = ask(for: request, of: requester) else { return }
        endAsk(number, ask, at: wallTime(at: moment), &draft)
    }

    /// The question of a request was closed without a yes. A no refuses its ask; otherwise the ask stays. Returns the
    /// error that tells the requester that its ask stays; `nil` if it has no waiting ask, if a grown-up said no, or if
    /// the requester's call is gone.
    mutating func askOutlives(
        _ request: OpenRequest, _ ending: RequestEnding, at moment: BootTime, _ draft: inout TransitionDraft
    ) -> GateError? {
        guard let authorization = request.authorization,
            let (number, found) = ask(for: authorization, of: request.requester), found.state == .waiting
        else { return nil }
        switch ending {
        case .refused:
            var ask = found
            ask.refused(at: wallTime(at: moment))
            record(.askSet(number, ask), &draft)
            return nil
        case .requesterLost, .callEnded:
            return nil
        case .answeredWrong, .dismissed, .expired, .cancelled, .locked, .modeLeft, .overridden, .leaseEnded,
            .impossible, .putAway:
            return authorization.mayWait ? .asked(number, until: found.end) : nil
        }
    }

    // MARK: - Answers without a screen

    /// A grown-up answers an ask, which may have been answered before: a later answer replaces the earlier one.
    ///
    /// - Parameter isFromElsewhere: whether a guardian answers on another device, or Home Assistant does.
    mutating func answerAsk(
        _ number: UInt64, _ answer: AskAnswer, isFromElsewhere: Bool = false, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard var ask = records.asks[number] else {
            return try answerAskOfOther(number, answer, &context, &draft)
        }
        let open = ask.state == .waiting ? questions(about: ask) : []
        switch (ask.state, answer) {
        case (.waiting, .yes(let named)), (.refused, .yes(let named)), (.untilTomorrow, .yes(let named)):
            let choice = try choice(named, for: number, ask)
            // If the call that asked is still open, it gets its grant at once. A yes for once is used up by that.
            if choice != .once || open.isEmpty {
                // A yes for longer that is given on this device is taken back here alone.
                if choice != .once, !isFromElsewhere { ask.nonce = [] }
                try allow(number, ask, choice, context, &draft)
                draft.journal(.answeredRight, by: context.peer, "\(text(of: number, ask)), \(choice.text)")
            }
            if let first = open.first { _ = answeredRight(first, by: context.peer, &context, &draft) }
            return .done
        case (.waiting, .no), (.waiting, .notUntilTomorrow), (.untilTomorrow, .no), (.refused, .notUntilTomorrow): break
        case (.over, .no), (.over, .notUntilTomorrow):
            guard let given = records.keptGrants.answer(to: number), let yes = records.keptGrants[given]?.yes else {
                throw .noSuchAsk(number)
            }
            removeGrant(given, at: context.wallTime, &draft)
            ask.details = yes.details
        case (.refused, .no), (.untilTomorrow, .notUntilTomorrow), (.over, .yes):
            throw .noSuchAsk(number)
        }
        refuse(number, &ask, answer, context, &draft)
        for question in open { end(question.request, .refused, by: context.peer, at: context.now, &draft) }
        return .done
    }

    /// The person who asked, or an administrator, takes back a waiting ask, or an ask with a yes that holds. Or the
    /// timekeeper takes a yes, to give the time that was chosen.
    mutating func withdrawAsk(
        _ number: UInt64, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        let given = records.keptGrants.answer(to: number)
        guard let ask = records.asks[number], ask.state == .waiting || given != nil, sees(ask, context.peer) else {
            throw .noSuchAsk(number)
        }
        let isForTime = isForTime(ask, context.peer)
        guard !isForTime || given != nil else { throw .noSuchAsk(number) }
        guard isForTime || isOwn(ask, context.peer) || context.peer.isAdministrator else { throw .othersAsk }
        let choice = given.flatMap { records.keptGrants[$0]?.yes?.choice }
        let open = ask.state == .waiting ? questions(about: ask) : []
        if let given { removeGrant(given, at: context.wallTime, &draft) }
        endAsk(number, ask, at: context.wallTime, &draft)
        draft.journal(
            isForTime ? .redeemed : .cancelled, by: context.peer,
            text(of: number, ask) + (isForTime ? ", \(choice?.text ?? "")" : ""))
        for question in open { end(question.request, .cancelled, by: context.peer, at: context.now, &draft) }
        return .done
    }

    /// The questions about a waiting ask that stand on screens, or wait for one, while their calls live.
    func questions(about ask: AskRecord) -> [QueuedPresentation] {
        requests.open.compactMap { request in
            guard let authorization = request.authorization, request.requester.owner == .user(ask.uid),
                ask.isFor(authorization, of: request.requester.uid, ask.person),
                let open = queue.presentation(of: request.id), open.step.mayWait != nil
            else { return nil }
            return open
        }
    }

    // MARK: - Ends by themselves

    /// When the first ask, or the first yes to one, ends by the wall clock.
    var nextAskEnd: BootTime? {
        records.asks.nextEnd.map(bootTime(at:)).earlier(records.keptGrants.nextEndOfYes.map(bootTime(at:)))
    }

    mutating func endAsks(_ draft: inout TransitionDraft, at moment: BootTime) {
        let now = wallTime(at: moment)
        guard records.asks.nextEnd.map({ $0 <= now }) ?? false else { return }
        for (number, ask) in records.asks.inOrder where ask.end <= now {
            switch ask.state {
            case .waiting:
                endAsk(number, ask, at: now, &draft)
                draft.journal(.expired, by: nil, text(of: number, ask))
            case .refused, .untilTomorrow: endAsk(number, ask, at: now, &draft)
            case .over: record(.askRemoved(number), &draft)
            }
        }
    }

    /// Ends the asks whose gated action has changed since, and every yes to such an ask. Compares marks, not two
    /// policies, because the policy may have been changed while the daemon was stopped.
    mutating func endAsksOfOtherPolicy(at now: WallTime, _ draft: inout TransitionDraft) {
        let actions = configuration.gatedActions
        // A device may have hundreds of yeses to the same few actions.
        var marks: [String: String] = [:]
        endAsks(by: nil, at: now, &draft) { name, mark, _ in
            let present = marks[name] ?? actions.named(name)?.mark
            marks[name] = present
            return present != mark
        }
    }

    /// Ends the asks of a person who was taken off the list, or has another user now.
    mutating func endAsks(of person: String, _ context: Context, _ draft: inout TransitionDraft) {
        endAsks(by: context.peer, at: context.wallTime, &draft) { _, _, asker in asker == person }
    }

    /// Ends all asks before a backup is restored, since the people and the gates may be others afterwards.
    mutating func endAllAsks(_ context: Context, _ draft: inout TransitionDraft) {
        endAsks(by: context.peer, at: context.wallTime, &draft) { _, _, _ in true }
    }

    private mutating func endAsks(
        by peer: Peer?, at now: WallTime, _ draft: inout TransitionDraft,
        where isOver: (_ gatedAction: String, _ mark: String, _ person: String) -> Bool
    ) {
        for (key, grant) in keptGrants(of: nil) {
            guard let yes = grant.yes, isOver(key.gatedAction, yes.mark, yes.person) else { continue }
            endGrant(key, at: now, &draft)
            draft.journal(.revoked, by: peer, key.name(for: peer))
        }
        for (number, ask) in records.asks.inOrder where ask.state != .over {
            guard isOver(ask.gatedAction, ask.mark, ask.person) else { continue }
            endAsk(number, ask, at: now, &draft)
            draft.journal(.withdrawn, by: peer, text(of: number, ask))
        }
    }

    mutating func endAsk(
        _ number: UInt64, _ ask: AskRecord, at now: WallTime, _ draft: inout TransitionDraft
    ) {
        var ask = ask
        ask.ended(at: now)
        record(.askSet(number, ask), &draft)
    }

    /// What the journal says of an ask: its number, the title of its gated action and who asked, but never its details.
    func text(of number: UInt64, _ ask: AskRecord) -> String {
        let title = configuration.gatedActions.named(ask.gatedAction)?.title ?? ask.gatedAction
        return "ask \(number): \(ask.isMoreTime ? "more time, " : "")\(title), for \(ask.person)"
    }

    // MARK: - Who sees what

    private func isOwn(_ ask: AskRecord, _ peer: Peer) -> Bool {
        ask.uid == peer.uid && asker(peer)?.name.hasBytes(of: ask.person) ?? false
    }

    private func sees(_ ask: AskRecord, _ peer: Peer) -> Bool {
        peer.isGrownUpPresenter || isOwn(ask, peer) || isForTime(ask, peer)
    }

    /// Whether the other state has the same asks and answers, with the same titles. This is quick, because most
    /// commands change none of them.
    package func hasSameAsks(as other: GateState) -> Bool {
        records.asks == other.records.asks && records.keptGrants.hasSameAnswers(as: other.records.keptGrants)
            && (records.asks.isEmpty || sharedConfiguration == other.sharedConfiguration)
            && hasSameAsksOfOthers(as: other)
    }

    /// The asks that this peer may see, by number: grown-ups' presenters and administrators see all, other peers only
    /// those of their own user. Asks that are over are left out, unless they have a yes that holds.
    /// Grown-ups get those of the household's other devices, too.
    package func asks(visibleTo peer: Peer) -> [Ask] {
        var texts = 0
        let others = peer.isGrownUpPresenter ? asksOfOthers(&texts) : []
        guard !records.asks.isEmpty else { return others.sorted { $0.id < $1.id } }
        return records.asks.inOrder.compactMap { number, ask in
            guard sees(ask, peer) else { return nil }
            var titles = titles(of: ask)
            texts += titles.translations.count
            if texts > Limits.textsOfAsks { titles.translations = [] }
            let yes = records.keptGrants.answer(to: number).flatMap { records.keptGrants[$0]?.yes }
            guard let state = ask.state.shown(isAllowed: yes != nil) else { return nil }
            return Ask(
                id: number, uid: ask.uid, person: ask.person, gatedAction: ask.gatedAction, titles: titles,
                details: yes?.details ?? ask.details, state: state, ends: yes.map(\.shownEnd) ?? ask.end,
                choices: yes == nil ? choices(for: ask) : [], choice: yes?.choice, isMoreTime: ask.isMoreTime,
                isUntilTomorrow: ask.state == .untilTomorrow)
        }.merged(with: others)
    }
}

extension KeptGrant.Yes {
    fileprivate var shownEnd: WallTime? { until == .never ? nil : until }
}

extension AskRecord.State {
    /// `nil` if the ask is over and no longer listed.
    fileprivate func shown(isAllowed: Bool) -> Ask.State? {
        switch self {
        case .waiting: .waiting
        case .refused, .untilTomorrow: .refused
        case .over: isAllowed ? .allowed : nil
        }
    }
}

extension GatedAction {
    /// A text that changes whenever the policy says something else of the gated action. It is stored with an ask and
    /// the yes to it, because the policy may be changed while the daemon is stopped. Every version of Gate makes the
    /// same mark of the same words, so an upgrade ends no ask.
    ///
    /// Schedules and allowances count by their names, not by their hours: an ask may outlive a change of these, because
    /// they are looked at when a yes is used.
    var mark: String {
        // Nobody gains anything from two policies with one mark: only administrators write policies.
        notation.stableHash
    }
}
