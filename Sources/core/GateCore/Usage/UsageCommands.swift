import GateModel

/// Commands about the use of gated actions, whose time is counted.
package enum UsageCommand: Hashable, Sendable {
    /// The acting peer begins to use what the gated action guards. The number is the daemon's, and no other use has it.
    /// The details are those that a grown-up would have said yes to.
    case begin(UInt64, gatedAction: String, details: String = "")
    /// The use with this number has ended.
    case end(UInt64)
    /// Other login sessions are on the screens of the device.
    case sessionsChanged(ShownSessions)
    /// The daemon stops, so all uses end.
    case endAll

    var rules: CommandRules {
        switch self {
        case .begin: CommandRules(.everyone)
        // The daemon reports the end of a stream, also if the peer could no longer ask for anything.
        case .end: CommandRules(.everyone, settlesDeadlines: false)
        case .sessionsChanged, .endAll: CommandRules(.daemon, settlesDeadlines: false)
        }
    }
}

/// The rules of use:
///
/// | event                          | what happens                                                                     |
/// |--------------------------------|----------------------------------------------------------------------------------|
/// | `begin`                        | the meters of the gated action run for the person whose own user the peer is, or |
/// |                                | in the range of whose user it is                                                 |
/// | `begin`, a second time         | a meter runs once, as long as one of its uses is open                            |
/// | `end`, or the connection ends  | a meter without an open use stops, and its time is stored                        |
/// | `endAll`                       | all meters stop, and their time is stored                                        |
/// | a minute, a warning, the end   | the time of all meters is stored                                                 |
/// | a day begins                   | the time until then is stored for the day before; a new day has its own time     |
/// |                                | days that are ten weeks old are forgotten (`UsageLedger.old`)                    |
/// | the policy is another one      | the time is stored; the meters are those of the new policy                       |
/// | the device sleeps              | nothing: the clock of meters stands still                                        |
/// | a grown-up's session is shown  | meters stop for users whose sessions are all behind it (`ShownSessions`)         |
/// | any other session is shown     | these meters run again, without anything stored                                  |
/// | the clock or zone is set back  | use goes on counting on the newest day that was counted (`UsageLedger`)          |
/// | the daemon is killed           | uses and meters are forgotten, and at most a minute that was not stored          |
/// | another device tells of use    | it counts from now on (`SharedUsage.swift`); nothing of this device is stored    |
///
/// Deadlines are settled one by one, each as of its own moment; use is not: it is counted as of now, like the opening
/// of schedules.
extension GateState {
    mutating func perform(
        _ command: UsageCommand, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .begin(let number, let gatedAction, let details):
            try beginUse(number, of: AuthorizationRequest(gatedAction: gatedAction, details: details), context, &draft)
        case .end(let number):
            endUse(number, context, &draft)
        case .sessionsChanged(let sessions):
            showSessions(sessions, context, &draft)
        case .endAll:
            for (number, _) in uses.inOrder { endUse(number, context, &draft) }
        }
        return .done
    }

    private mutating func beginUse(
        _ number: UInt64, of request: AuthorizationRequest, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) {
        let gatedAction = request.gatedAction
        guard quarantinedFile == nil else { throw .storeDamaged }
        try checkDetails(request.details)
        guard configuration.gatedActions.named(gatedAction) != nil else { throw .denied }
        guard let user = context.peer.owner.uid, hasTime(user) else { throw .nobodysTime }
        guard uses.count(of: context.peer.owner) < Limits.usesOfUser, uses.count < Limits.uses else {
            throw .tooManyUses
        }
        // A schedule or an allowance refuses only if the gated action has no other way for this peer now.
        if case .refused(let error) = decisionOnUse(of: request, for: context.peer, at: context.now),
            error.reason == .outOfHours
        {
            throw error
        }
        try checkNewMeters(of: gatedAction, for: user)
        uses.began(
            number,
            .init(
                peer: context.peer, user: user, gatedAction: gatedAction, details: request.details,
                began: awakeTime(at: context.now),
                hadTime: timeLeft(of: gatedAction, for: context.peer, at: context.now) != .zero,
                hadYes: isAllowed(request, of: context.peer, counting: .lasting, at: context.now)))
        countUse(context, &draft)
        draft.becameVisible()
    }

    /// Limits how many meters are stored, for each user and in all. Meters that run and are not stored yet count, too.
    private func checkNewMeters(of gatedAction: String, for uid: UInt32) throws(GateError) {
        let meters = allowances.subjects(of: gatedAction).map { UsageMeter(uid: uid, $0) }
        guard meters.contains(where: { !records.usage.contains($0) && uses.meters[$0] == nil }) else { return }
        // The meters of paused programs count as well, because they will run again.
        let open = uses.inOrder.flatMap { (_, use) in
            allowances.subjects(of: use.gatedAction).map { UsageMeter(uid: use.user, $0) }
        }
        let unstored = Set(open).filter { !records.usage.contains($0) }
        let new = meters.count { !records.usage.contains($0) && !unstored.contains($0) }
        guard new > 0 else { return }
        let ofUser = records.usage.meterCount(of: uid) + unstored.count(where: { $0.uid == uid })
        guard ofUser + new <= Limits.metersOfUser else { throw .tooManyCounted(Limits.metersOfUser) }
        guard records.usage.meterCount + unstored.count + new <= Limits.meters else {
            throw .tooManyCounted(Limits.meters)
        }
    }

    private mutating func endUse(_ number: UInt64, _ context: Context, _ draft: inout TransitionDraft) {
        guard let use = uses.ended(number) else { return }
        let length = use.length(at: awakeTime(at: context.now))
        draft.journal(.used, by: use.peer, "\(use.gatedAction), \(length.shortText)")
        countUse(context, &draft)
    }

    mutating func endUses(of peer: Peer, _ context: Context, _ draft: inout TransitionDraft) {
        for (number, use) in uses.inOrder where use.peer.connection == peer.connection {
            endUse(number, context, &draft)
        }
    }

    /// Counts the use with other sessions on the screens. If meters only start to run again, nothing is stored, so a
    /// full disk can't keep them stopped; watchers learn of it when the time is stored next.
    private mutating func showSessions(
        _ sessions: ShownSessions, _ context: Context, _ draft: inout TransitionDraft
    ) {
        uses.sessions = sessions
        var counted = draft
        let before = uses.meters
        countUse(context, &counted)
        let hasStopped = before.contains { uses.meters[$0.key] != $0.value }
        if hasStopped || !counted.records.isEmpty { draft = counted }
    }

    /// The users whose programs nobody at the device sees now: all their sessions are behind those of grown-ups.
    private var usersOutOfSight: Set<UInt32> {
        let sessions = uses.sessions
        guard !sessions.hidden.isEmpty, sessions.shown.allSatisfy({ kind(ofUser: $0) == .grownUp }) else { return [] }
        return sessions.hidden
    }

    // MARK: - Counting

    /// Whether nothing has happened since the last counting that changes how use is counted.
    func isUsageCurrent(_ context: Context) -> Bool {
        guard allowances.isRead(from: sharedConfiguration) else { return false }
        guard isCountingUse else { return true }
        return allowances.isCurrent(for: sharedConfiguration, at: wallTime(at: context.now), in: context.zone)
            && uses.nextTick.map { context.now < $0 } ?? true
            // Somebody may have become a grown-up, or no longer be one.
            && (uses.isEmpty || uses.arePaused(usersOutOfSight))
    }

    /// Counts the use until now if it is time to store it, if a day has begun, or if the policy, the time zone or the
    /// clock has changed.
    mutating func readUsage(_ context: Context, _ draft: inout TransitionDraft) {
        guard !isUsageCurrent(context) else { return }
        countUse(context, &draft)
    }

    /// Counts the use until now: stores the time of meters that stop or are due, and finds out which meters run from
    /// now on.
    ///
    /// - Parameter meters: meters whose remaining time may have changed for another reason than use on this device.
    mutating func countUse(
        _ context: Context, changed meters: Set<UsageMeter> = [], _ draft: inout TransitionDraft
    ) {
        let (before, now) = (allowances, awakeTime(at: context.now))
        if !allowances.isCurrent(for: sharedConfiguration, at: wallTime(at: context.now), in: context.zone) {
            allowances = AllowanceBook(
                of: sharedConfiguration, at: wallTime(at: context.now), in: context.zone)
        }
        let isStoringAll = uses.nextTick.map { $0 <= context.now } ?? false
        // A warning may be due while no meter runs.
        if isStoringAll { draft.becameVisible() }
        if uses.isEmpty { uses.sessions = ShownSessions() }
        let outOfSight = usersOutOfSight
        uses.pause(outOfSight, at: now)
        var running: [UsageMeter: UseBook.Running] = [:]
        for (_, use) in uses.inOrder where use.pausedSince == nil {
            for subject in allowances.subjects(of: use.gatedAction) {
                let meter = UsageMeter(uid: use.user, subject)
                let day = records.usage.day(of: meter, today: allowances.today(for: subject))
                // The day of a meter never goes back, even if no time of that day is stored yet.
                running[meter] = .init(since: now, day: max(day, uses.meters[meter]?.day ?? day))
            }
        }
        for (meter, old) in uses.meters.sorted(by: { $0.key < $1.key }) {
            let goesOn = running[meter].map { $0.day == old.day } ?? false
            if goesOn, !isStoringAll {
                running[meter] = old
            } else {
                let stored = store(meter, old, until: now, isOver: running[meter] == nil, &draft)
                running[meter]?.since = stored
            }
        }
        if before !== allowances { forgetOldDays(&draft) }
        if uses.meters != running || before.numbers != allowances.numbers { draft.becameVisible() }
        var changed = Set(uses.meters.keys).symmetricDifference(running.keys).union(meters)
        uses.meters = running
        if isStoringAll || before !== allowances {
            changed.formUnion(records.usage.meters)
            changed.formUnion(running.keys)
            changed.formUnion(metersUsedElsewhere)
        }
        findSpent(among: changed, context, &draft)
        setNextTick(isStoringAll: isStoringAll, context)
    }

    /// Removes the days that are too old. Called when a day begins, and after a start.
    private mutating func forgetOldDays(_ draft: inout TransitionDraft) {
        let allowances = allowances
        for (meter, day) in records.usage.old(on: allowances.newestDay, isLimited: { allowances.limits($0) }) {
            record(.usageRemoved(meter, day: day), &draft)
        }
    }

    /// Stores the time of a meter. Returns the moment up to which it is stored: fractions of a millisecond wait for the
    /// next time, unless the meter stops. Then they are rounded up, so that many short uses are not free.
    private mutating func store(
        _ meter: UsageMeter, _ running: UseBook.Running, until now: AwakeTime, isOver: Bool,
        _ draft: inout TransitionDraft
    ) -> AwakeTime {
        let elapsed = now.duration(since: running.since)
        let milliseconds = isOver ? elapsed.millisecondsRoundedUp : elapsed.clampedNanoseconds / 1_000_000
        guard milliseconds > 0 else { return min(running.since, now) }
        let (sum, isTooMuch) = (records.usage[meter, running.day] ?? 0).addingReportingOverflow(milliseconds)
        record(.usageSet(meter, day: running.day, milliseconds: isTooMuch ? .max : sum), &draft)
        return running.since.advanced(by: .milliseconds(milliseconds))
    }

    /// The time of all meters is stored together once a minute, so that a daemon with many uses seldom wakes. It is
    /// also stored at each moment at which a person is to be warned, or has no time left.
    private mutating func setNextTick(isStoringAll: Bool, _ context: Context) {
        if uses.meters.isEmpty {
            uses.storedNext = nil
        } else if isStoringAll || uses.storedNext == nil {
            uses.storedNext = context.now.advanced(by: UsageRules.interval)
        }
        var next = uses.storedNext
        for meter in uses.meters.keys {
            guard let left = timeLeft(of: meter, at: context.now) else { continue }
            for moment in UsageRules.warnings + [.zero] where moment < left {
                next = next.earlier(context.now.advanced(by: left - moment))
            }
        }
        for use in uses.uses.values {
            guard let end = moreTime(of: use.peer, before: use.gatedAction, at: context.now) else { continue }
            for warning in UsageRules.warnings {
                let moment = end.advanced(by: .zero - warning)
                if context.now < moment { next = next.earlier(moment) }
            }
        }
        uses.nextTick = next
    }

    /// When the time is to be stored next, or a day ends.
    var nextUsageChange: BootTime? {
        uses.nextTick.earlier(isCountingUse ? bootTime(at: allowances.end) : nil)
    }

    /// Whether it matters which day it is: something limits time, or time was used or is being used.
    private var isCountingUse: Bool { !uses.isEmpty || !allowances.allowances.isEmpty || !records.usage.isEmpty }

    /// Finds out which of these meters have no time left.
    private mutating func findSpent(among meters: Set<UsageMeter>, _ context: Context, _ draft: inout TransitionDraft) {
        let spent = uses.spent.subtracting(meters).union(meters.filter { timeLeft(of: $0, at: context.now) == .zero })
        // The first count after a start ends no kept grants: a meter may have been used up long before, and a grant
        // that was kept since then rests on something else, such as an answer that replaces the allowance.
        if uses.hasCounted { endKeptGrants(of: spent.subtracting(uses.spent), &draft) }
        (uses.spent, uses.hasCounted) = (spent, true)
    }

    /// Ends the kept grants whose action needs the time of these meters. Grown-ups' answers to asks stay, and so do
    /// grants of an action for which the user has been allowed more time.
    private mutating func endKeptGrants(of spent: Set<UsageMeter>, _ draft: inout TransitionDraft) {
        guard !spent.isEmpty else { return }
        for (key, _) in keptGrants(of: nil) where key.ask == nil {
            let needed = allowances.needs[key.gatedAction] ?? []
            guard needed.contains(where: { spent.contains(UsageMeter(uid: key.uid, .allowance($0))) }),
                records.keptGrants.moreTime(of: key.uid, before: key.gatedAction).isEmpty
            else { continue }
            record(.keptGrantRemoved(key), &draft)
            draft.journal(.grantExpired, by: nil, key.name(for: nil))
        }
    }
}

extension GateError {
    static let nobodysTime = GateError(
        .failedPrecondition, .notSetUp,
        "Nobody on the list of people has this user, so no time can be counted. An administrator adds them: "
            + "`gatectl people set`.", parameters: ["what": "person"])

    fileprivate static let tooManyUses = GateError(
        .resourceExhausted, .limit, "Too many programs are being used at the same time. Close some.",
        parameters: ["what": "uses"])

    fileprivate static func tooManyCounted(_ maximum: Int) -> GateError {
        GateError(
            .resourceExhausted, .limit,
            "Gate already counts the time of \(maximum) things. It forgets what was not used for ten weeks.",
            parameters: ["what": "counted-things", "maximum": "\(maximum)"])
    }
}
