package import GateModel

/// The rules of more time. A person whose schedule is closed or whose allowance is used up asks a grown-up for more time
/// for a gated action, if the policy offers it (`more-time`). That is an ask like others (`AskCommands.swift`), and a
/// yes to it is a kept grant of an amount, which lifts schedules and allowances of that gated action for that person.
///
/// | event                           | no ask     | waiting   | refused   | allowed                                  |
/// |---------------------------------|------------|-----------|-----------|------------------------------------------|
/// | `askMoreTime`                   | waiting    | unchanged | unchanged | unchanged; in its last minutes a new ask |
/// | yes, with an amount             | unknown    | allowed   | allowed   | unknown                                  |
/// | no                              | unknown    | refused   | unknown   | refused                                  |
/// | the end of the day              | nothing    | no ask    | unchanged | unchanged; no ask if it was for `today`  |
/// | the end of the amount           | nothing    | nothing   | nothing   | no ask                                   |
/// | another policy, person, backup  | nothing    | no ask    | no ask    | no ask                                   |
///
/// A yes is counted from the answer, and ends by the wall clock, so that both can say until when it is. By the boot
/// clock it ends after its amount at the latest, so setting the wall clock back gains nothing. What is used meanwhile is
/// counted as used.
extension GateState {
    /// Until when more time lifts schedules and allowances of a gated action for a peer; `nil` if it does not now.
    func moreTime(of peer: Peer, before gatedAction: String, at now: BootTime) -> BootTime? {
        let yeses = records.keptGrants.moreTime(of: peer.uid, before: gatedAction)
        guard !yeses.isEmpty, peer.owner == .user(peer.uid) else { return nil }
        let (time, name) = (wallTime(at: now), asker(peer)?.name)
        // While the list of people is changed, nobody is recognized for a moment. Programs that are being used go on.
        guard name != nil || uses.isUsed(gatedAction, by: peer.uid) else { return nil }
        return yeses.compactMap { key, yes -> BootTime? in
            guard let deadline = records.keptGrants[key]?.deadline, now < deadline, yes.from <= time, time < yes.until,
                name?.hasBytes(of: yes.person) ?? true
            else { return nil }
            return min(deadline, bootTime(at: yes.until))
        }.max()
    }

    func isLifted(for peer: Peer, _ request: AuthorizationRequest, at now: BootTime) -> Bool {
        moreTime(of: peer, before: request.gatedAction, at: now) != nil
    }

    /// The amounts that a peer can ask for while the gated action is closed. Empty if nobody on the list of people has
    /// the peer's user, or if a grown-up has just said no.
    func moreTimeOffered(before gatedAction: String, to peer: Peer) -> [AskChoice] {
        guard let amounts = configuration.gatedActions.named(gatedAction)?.moreTime, !amounts.isEmpty,
            let person = asker(peer)
        else { return [] }
        let newest = records.asks.newest { $0.isForMoreTime(before: gatedAction, of: peer.uid, person.name) }
        return newest.map { [.waiting, .over].contains($0.ask.state) } ?? true ? amounts : []
    }

    /// The amounts that a grown-up can allow: those that the policy offers. The amount that the person would like comes
    /// first, because a yes that names no amount means the first one.
    func amounts(for ask: AskRecord) -> [AskChoice] {
        let offered = configuration.gatedActions.named(ask.gatedAction)?.moreTime ?? []
        let wish = offered.filter { $0.text == ask.details }
        return wish + offered.filter { $0.text != ask.details }
    }

    /// The title under which people read an ask: that of its gated action, and, for more time, words that say so. A
    /// guardian's device signs its answer together with this title, so the title has to say what a yes allows.
    func titles(of ask: AskRecord) -> LocalizedText {
        let titles = configuration.gatedActions.named(ask.gatedAction)?.titles ?? LocalizedText(ask.gatedAction)
        return ask.isMoreTime ? titles.ofMoreTime : titles
    }

    /// The end of the day on which a person asks for more time. A yes for today holds until then: until midnight, or
    /// earlier if a day of the gated action's allowances ends then. So "today", said at one in the night, is not for
    /// the next day.
    func endOfDay(before gatedAction: String, at time: WallTime, in zone: ZoneOffsets) -> WallTime {
        let allowances = configuration.gatedActions.requirement(of: gatedAction)?.allowances ?? []
        return allowances.map { UsageDay(at: time, in: zone, start: $0.dayStart).times.upperBound }
            .reduce(zone.endOfDay(at: time)) { min($0, $1) }
    }

    // MARK: - Asking

    /// Records an ask for more time. Does nothing if the person has one already that waits, was refused, or still gives
    /// time.
    mutating func askMoreTime(
        before name: String, _ wish: AskChoice?, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard let gatedAction = configuration.gatedActions.named(name) else { throw .denied }
        guard !gatedAction.moreTime.isEmpty else { throw .noMoreTime }
        if let wish, !gatedAction.moreTime.contains(wish) { throw .noSuchAmount(wish, offered: gatedAction.moreTime) }
        guard let person = asker(context.peer) else { throw .nobodyAsksForTime }
        let time = context.wallTime
        guard !hasAskForMoreTime(before: name, of: context.peer, person.name, at: time) else { return .done }
        if let tomorrow = tomorrow(for: AuthorizationRequest(gatedAction: name), of: context.peer, person) {
            throw .refusedUntilTomorrow(lockedOutFor: tomorrow.duration(since: time))
        }
        if let refusal = refusalOfAsk(by: context.peer.uid, at: time) { throw refusal }
        let number = records.nextPresentation
        let end = endOfDay(before: name, at: time, in: context.zone)
        let ask = AskRecord(
            uid: context.peer.uid, person: person.name, gatedAction: name, details: wish?.text ?? "",
            mark: gatedAction.mark, askedAt: time, end: end, mayWait: end.duration(since: time),
            nonce: .random(HouseholdAsk.nonceByteCount, using: &context.random), isMoreTime: true)
        record(.askSet(number, ask), &draft)
        record(.nextPresentationSet(number + 1), &draft)
        draft.journal(.challengeOpened, by: context.peer, "challenge \(number), more time, \(name)")
        return .done
    }

    /// Whether this person has an ask for more time that waits, was refused, or was allowed and has not nearly ended.
    private func hasAskForMoreTime(
        before gatedAction: String, of peer: Peer, _ person: String, at time: WallTime
    ) -> Bool {
        let found = records.asks.newest { $0.isForMoreTime(before: gatedAction, of: peer.uid, person) }
        if let found, found.ask.state != .over { return true }
        return records.keptGrants.moreTime(of: peer.uid, before: gatedAction).contains { _, yes in
            let left = yes.until.duration(since: time)
            // If the clock was wrong when a yes was given, and is right now, the yes may begin in the future. Such a
            // yes does not keep the person from asking.
            return yes.from <= time && left > min(UsageRules.warnings[0], yes.until.duration(since: yes.from) / 2)
        }
    }

    /// The newest ask of this peer's person for more time that waits, was refused, or holds.
    package func askForMoreTime(before gatedAction: String, of peer: Peer) -> Ask? {
        asks(visibleTo: peer).last { $0.isMoreTime && $0.isAsked(by: peer.uid) && $0.gatedAction == gatedAction }
    }

    // MARK: - The end

    /// Removes a kept grant. If that was the last of somebody's more time, and the gated action is closed again, what the
    /// policy keeps for them ends too, as it does when a schedule closes or an allowance is used up.
    mutating func removeGrant(_ key: KeptGrant.Key, at now: WallTime, _ draft: inout TransitionDraft) {
        let isMoreTime = records.keptGrants[key]?.yes?.isMoreTime ?? false
        record(.keptGrantRemoved(key), &draft)
        let kept = KeptGrant.Key(uid: key.uid, gatedAction: key.gatedAction)
        guard isMoreTime, records.keptGrants[kept] != nil,
            records.keptGrants.moreTime(of: key.uid, before: key.gatedAction).isEmpty,
            isClosed(key.gatedAction, to: key.uid, at: bootTime(at: now))
        else { return }
        record(.keptGrantRemoved(kept), &draft)
        draft.journal(.grantExpired, by: nil, kept.name(for: nil))
    }

    /// Whether one of the schedules is closed that a gated action needs, or the time of one of its allowances is used up.
    private func isClosed(_ gatedAction: String, to uid: UInt32, at now: BootTime) -> Bool {
        guard let requirement = configuration.gatedActions.requirement(of: gatedAction) else { return false }
        return requirement.schedules.contains { opening(of: $0, at: now) != nil }
            || requirement.allowances.contains {
                timeLeft(of: UsageMeter(uid: uid, .allowance($0.name)), at: now) == .zero
            }
    }
}

extension LocalizedText {
    /// The words before a title in each of Gate's languages.
    private static let moreTime = [
        ("en", "More time: "), ("de", "Mehr Zeit: "), ("ru", "Ещё времени: "), ("zh-Hans", "延长时间："),
    ]

    /// This title as that of an ask for more time, in each of Gate's languages. Titles in other languages stay out, as
    /// nobody has translated the words for them. Other devices take no longer titles than a policy has.
    fileprivate var ofMoreTime: LocalizedText {
        let titles = Self.moreTime.map { language, words in
            Translation(
                language: language, text: String((words + text(for: [language])).prefix(WhatsNewLimits.titleLength)))
        }
        return LocalizedText(
            String((Self.moreTime[0].1 + text).prefix(WhatsNewLimits.titleLength)), titles)
    }
}

extension AskRecord {
    /// Whether this is an ask of this person for more time, in whatever state.
    func isForMoreTime(before gatedAction: String, of uid: UInt32, _ person: String) -> Bool {
        isMoreTime && self.uid == uid && self.person.hasBytes(of: person) && self.gatedAction == gatedAction
    }
}

extension GateError {
    fileprivate static let noMoreTime = GateError(
        .failedPrecondition, .notSetUp,
        "Nobody can ask for more time here. The policy says where people can: `more-time`.",
        parameters: ["what": "more-time"])

    fileprivate static let nobodyAsksForTime = GateError(
        .failedPrecondition, .notSetUp,
        "Nobody on the list of people has this user, so nobody can be given more time. An administrator adds them: "
            + "`gatectl people set`.", parameters: ["what": "person"])

    fileprivate static func noSuchAmount(_ choice: AskChoice, offered: [AskChoice]) -> GateError {
        let words = offered.map(\.text).joined(separator: ", ")
        return .invalid(
            "choice", "'\(choice.text)' can't be asked for. Choose one of these: \(words).",
            ["choice": choice.text, "choices": words])
    }
}
