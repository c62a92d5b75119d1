package import GateModel

// How much time was used, and how much is left.

extension GateState {
    /// The moment by the clock that stands still while the device sleeps, as of the newest command.
    func awakeTime(at moment: BootTime) -> AwakeTime {
        AwakeTime(nanoseconds: moment.nanoseconds &- suspendedNanoseconds)
    }

    /// The day on which a meter counts now.
    private func day(of meter: UsageMeter) -> Int64 {
        uses.meters[meter]?.day ?? records.usage.day(of: meter, today: allowances.today(for: meter.subject))
    }

    /// The time of a meter that is running and not stored yet.
    private func running(_ meter: UsageMeter, at now: BootTime) -> Duration {
        uses.meters[meter].map { awakeTime(at: now).duration(since: $0.since) } ?? .zero
    }

    /// How much time a meter has left; `nil` if nothing limits it.
    ///
    /// - Parameter now: `nil`: time that is not stored yet does not count.
    func timeLeft(of meter: UsageMeter, at now: BootTime?) -> Duration? {
        guard case .allowance(let name) = meter.subject else { return nil }
        return allowances.allowances[name].map { timeLeft(of: meter, $0, at: now) }
    }

    private func timeLeft(of meter: UsageMeter, _ allowance: Allowance, at now: BootTime?) -> Duration {
        let elsewhere = usedElsewhere(meter)
        let left = allowance.left(on: day(of: meter)) { records.usage.used(meter, on: $0) + elsewhere.sum(on: $0) }
        return max(.zero, left - (now.map { running(meter, at: $0) } ?? .zero))
    }

    /// Why an allowance is closed for a peer; `nil` if the person who pays for the peer's time has some left.
    func opening(of allowance: Allowance, for peer: Peer, at now: BootTime) -> ScheduleOpening? {
        guard let uid = peer.owner.uid else { return ScheduleOpening(nobodys: allowance.name) }
        let meter = UsageMeter(uid: uid, .allowance(allowance.name))
        // While the list of people is changed, nobody is recognized for a moment. Programs that are being used go on.
        guard uses.meters[meter] != nil || hasTime(uid) else { return ScheduleOpening(nobodys: allowance.name) }
        guard timeLeft(of: meter, allowance, at: now) <= .zero else { return nil }
        let runningOn = uses.meters[meter]?.day
        let elsewhere = usedElsewhere(meter)
        let next = allowance.nextDay(after: day(of: meter)) { day in
            records.usage.used(meter, on: day) + elsewhere.sum(on: day)
                + (day == runningOn ? running(meter, at: now) : .zero)
        }
        return ScheduleOpening(
            allowance: allowance.name,
            time: next.map { UsageDay.begin(of: $0, in: allowances.zone, start: allowance.dayStart) },
            elsewhere: usedElsewhere(meter, on: day(of: meter)))
    }

    /// How much time is left for an open use; `nil` if there is no such use.
    package func timeLeft(ofUse number: UInt64, at now: BootTime) -> TimeLeft? {
        guard let use = uses[number] else { return nil }
        let left = timeLeft(of: use.gatedAction, for: use.peer, at: now)
        let isOver =
            switch decisionOnUse(
                of: AuthorizationRequest(gatedAction: use.gatedAction, details: use.details), for: use.peer, at: now)
            {
            case .granted: false
            case .refused(let error) where error.reason == .outOfHours: true
            // A question that nobody has answered yet could still allow it. Until then the use is over if it rested on
            // a yes that has ended, or on time that is used up.
            case .present, .refused: use.hadYes || use.hadTime && left == .zero
            }
        return TimeLeft(left: left, isOver: isOver)
    }

    /// How much time a peer has left for a gated action; `nil` if nothing limits it. More time that a grown-up has
    /// allowed runs beside that of the allowances, and they are used meanwhile, so the longer of the two counts.
    func timeLeft(of gatedAction: String, for peer: Peer, at now: BootTime) -> Duration? {
        let left = allowances.subjects(of: gatedAction).compactMap {
            timeLeft(of: UsageMeter(uid: peer.owner.uid ?? peer.uid, $0), at: now)
        }.min()
        guard let end = moreTime(of: peer, before: gatedAction, at: now) else { return left }
        let more = now.duration(to: end)
        let schedules = configuration.gatedActions.requirement(of: gatedAction)?.schedules ?? []
        return schedules.allSatisfy { opening(of: $0, at: now) == nil } ? left.map { max($0, more) } : more
    }

    /// What would be decided now about the request, if every step could be shown.
    func decisionOnUse(of request: AuthorizationRequest, for peer: Peer, at now: BootTime) -> AuthorizationDecision {
        decision(on: request, of: peer, answered: [], open: nil, at: now, canShow: { _, _ in true })
    }

    package var hasUses: Bool { !uses.isEmpty }

    /// The login sessions on the screens, as the daemon has reported them since the first of the open uses began.
    package var shownSessions: ShownSessions { uses.sessions }

    /// Whether both states have the same values of everything that decides how much time open uses have left, except
    /// the clock. This is quick, because most commands change none of it.
    package func hasSameTimeLeft(as other: GateState) -> Bool {
        uses == other.uses && records.usage == other.records.usage
            && records.usageElsewhere == other.records.usageElsewhere && allowances === other.allowances
            && schedules === other.schedules && machine.isParent == other.machine.isParent
            && signedInPerson == other.signedInPerson && resolved == other.resolved
            && records.responses == other.records.responses && recognizedUsers == other.recognizedUsers
            && records.people == other.records.people && records.keptGrants.count == other.records.keptGrants.count
            && records.keptGrants.hasSameAnswers(as: other.records.keptGrants)
            && secretKinds == other.secretKinds && records.lockouts == other.records.lockouts
    }

    // MARK: - Lists

    /// Whether both states have the same list of used time. This is quick, because most commands change none of it.
    package func hasSameUsage(as other: GateState) -> Bool {
        records.usage == other.records.usage && records.usageElsewhere == other.records.usageElsewhere
            && uses.meters.keys == other.uses.meters.keys && allowances == other.allowances
            && (allowances.allowances.isEmpty && records.usage.isEmpty || records.people == other.records.people)
            // The list has the names of the other devices.
            && (records.usageElsewhere.isEmpty || householdList?.number == other.householdList?.number)
    }

    /// Whether a peer sees everybody's time, and not only its own user's. The role household sees it only if Home
    /// Assistant gets it, too.
    private func seesAllUsage(_ peer: Peer) -> Bool {
        if peer.roles.contains(.household), configuration.household?.homeAssistant?.tellsUse == true { return true }
        return peer.isGrownUpPresenter || kind(ofUser: peer.uid) == .grownUp
    }

    /// The time used on today and on the days before, sorted by user, subject and day, the oldest day first. Today is
    /// listed for all allowances of each child and of the peer's own user, and for everything else that was used.
    ///
    /// - Parameters:
    ///   - dayCount: how many days, today included.
    ///   - now: `nil`: time that is not stored yet does not count.
    package func usage(visibleTo peer: Peer, days dayCount: Int, at now: BootTime?) -> [UsedTime] {
        var meters = Set(records.usage.meters).union(uses.meters.keys).union(metersUsedElsewhere)
        var names: [UInt32: String] = [:]
        for person in people {
            guard let uid = person.user?.uid, person.kind != .shared else { continue }
            names[uid] = person.name
            guard person.kind != .grownUp || uid == peer.uid else { continue }
            for name in allowances.allowances.keys { meters.insert(UsageMeter(uid: uid, .allowance(name))) }
        }
        if !seesAllUsage(peer) { meters = meters.filter { $0.uid == peer.uid } }
        return meters.sorted().flatMap { meter in
            let today = day(of: meter)
            return (0..<Int64(max(1, dayCount))).reversed().compactMap { back -> UsedTime? in
                let day = today - back
                let isRunning = back == 0 && uses.meters[meter] != nil
                let elsewhere = usedElsewhere(meter, on: day)
                var used = elsewhere.reduce(records.usage.used(meter, on: day)) { $0 + $1.used }
                if isRunning, let now { used += running(meter, at: now) }
                let left = back == 0 ? timeLeft(of: meter, at: now) : nil
                guard used > .zero || isRunning || left != nil else { return nil }
                return UsedTime(
                    person: names[meter.uid] ?? "", uid: meter.uid, subject: meter.subject,
                    day: UsageDay.date(of: day), used: used, left: left, isToday: back == 0, isRunning: isRunning,
                    elsewhere: elsewhere)
            }
        }
    }

    /// The time that people have used today, for watchers: the first of them, if they would not fit into a message.
    package func usageToday(visibleTo peer: Peer) -> [UsedTime] {
        Array(usage(visibleTo: peer, days: 1, at: nil).prefix(Limits.usageOfMessage))
    }
}
