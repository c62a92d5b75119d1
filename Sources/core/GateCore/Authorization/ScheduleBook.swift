package import GateModel

/// Whether each schedule that a gated action names is open. It is read anew when one opens or closes, when the policy
/// or the time zone changes, and when the clock is set back, so looking at a gate reads no calendar.
final class ScheduleBook: Sendable {
    private let configuration: Shared<Configuration>
    let zone: ZoneOffsets
    let readings: [String: ScheduleReading]
    /// By name, for watchers.
    let states: [ScheduleState]
    /// The names of those that are open.
    let open: Set<String>
    /// When a schedule opens or closes next. Each command asks for it.
    let nextChange: WallTime?
    /// When the first of those that are open closes. Each check of a gated action asks for it.
    let firstClosing: WallTime?
    /// All readings hold at these moments; `nil` if there are none.
    private let validity: Range<WallTime>?

    init(of configuration: Shared<Configuration>, at time: WallTime, in zone: ZoneOffsets) {
        var (readings, validity): ([String: ScheduleReading], Range<WallTime>?) = ([:], nil)
        for action in configuration.value.gatedActions.values {
            for schedule in action.requirement.schedules where readings[schedule.name] == nil {
                let reading = schedule.reading(at: time, in: zone)
                readings[schedule.name] = reading
                validity = validity?.clamped(to: reading.validity) ?? reading.validity
            }
        }
        (self.configuration, self.zone, self.readings, self.validity) = (configuration, zone, readings, validity)
        states = readings.sorted { $0.key < $1.key }.map {
            ScheduleState(name: $0.key, isOpen: $0.value.isOpen, until: $0.value.until)
        }
        open = Set(states.filter(\.isOpen).map(\.name))
        nextChange = states.compactMap(\.until).min()
        firstClosing = states.filter(\.isOpen).compactMap(\.until).min()
    }

    func isCurrent(for configuration: Shared<Configuration>, at time: WallTime, in zone: ZoneOffsets) -> Bool {
        guard configuration === self.configuration else { return false }
        return validity.map { $0.contains(time) && zone == self.zone } ?? true
    }
}

extension ScheduleBook: Hashable {
    static func == (left: ScheduleBook, right: ScheduleBook) -> Bool {
        left === right
            || left.readings == right.readings && left.zone == right.zone
                && left.configuration == right.configuration
    }

    func hash(into hasher: inout Hasher) { hasher.combine(readings) }
}

/// When a gate opens that is closed by a schedule, or by an allowance whose time is used up.
struct ScheduleOpening: Hashable {
    /// The name of the schedule or of the allowance.
    let name: String
    let isAllowance: Bool
    /// Whether it is an allowance, and nobody on the list of people pays for the peer's time.
    let isNobodys: Bool
    /// `nil` if it does not open within two weeks.
    let time: WallTime?
    /// The time of the allowance's day that was used on the household's other devices.
    let elsewhere: [UsedElsewhere]

    init(schedule: String, time: WallTime?) {
        (name, isAllowance, isNobodys, self.time, elsewhere) = (schedule, false, false, time, [])
    }

    init(allowance: String, time: WallTime?, elsewhere: [UsedElsewhere] = []) {
        (name, isAllowance, isNobodys, self.time, self.elsewhere) = (allowance, true, false, time, elsewhere)
    }

    init(nobodys allowance: String) {
        (name, isAllowance, isNobodys, time, elsewhere) = (allowance, true, true, nil, [])
    }

    /// An opening that does not come within two weeks (`time` is `nil`) counts as the latest.
    static func isEarlier(_ left: ScheduleOpening, _ right: ScheduleOpening) -> Bool {
        guard let time = left.time else { return false }
        return right.time.map { time < $0 } ?? true
    }
}

extension Requirement {
    var schedules: [Schedule] {
        conditions.compactMap { if case .during(let schedule) = $0 { schedule } else { nil } }
    }
}

extension GateState {
    /// All schedules that gated actions name. One of them may have opened or closed already, if the daemon has not
    /// reported that to the core yet.
    package var scheduleStates: [ScheduleState] { schedules.states }

    /// When the first schedule closes that is open; `nil` if none does.
    package var firstScheduleClosing: WallTime? { schedules.firstClosing }

    func areSchedulesCurrent(_ context: Context) -> Bool {
        schedules.isCurrent(for: sharedConfiguration, at: wallTime(at: context.now), in: context.zone)
    }

    /// Reads the schedules as of now. Overdue deadlines are settled one by one as of their own moments, but schedules
    /// are not: nobody needs to know what opened and closed again meanwhile, and after the clock has jumped by years
    /// there would be thousands of such changes.
    mutating func readSchedules(_ context: Context, _ draft: inout TransitionDraft) {
        guard !areSchedulesCurrent(context) else { return }
        let before = schedules.states
        schedules = ScheduleBook(of: sharedConfiguration, at: wallTime(at: context.now), in: context.zone)
        if schedules.states != before { draft.becameVisible() }
    }

    var nextScheduleChange: BootTime? { schedules.nextChange.map { bootTime(at: $0) } }

    /// When this schedule opens; `nil` if it is open.
    func opening(of schedule: Schedule, at moment: BootTime) -> ScheduleOpening? {
        let reading = reading(of: schedule, at: moment)
        return reading.isOpen ? nil : ScheduleOpening(schedule: schedule.name, time: reading.until)
    }

    private func reading(of schedule: Schedule, at moment: BootTime) -> ScheduleReading {
        let time = wallTime(at: moment)
        let known = schedules.readings[schedule.name].flatMap { $0.validity.contains(time) ? $0 : nil }
        return known ?? schedule.reading(at: time, in: schedules.zone)
    }

    /// When the first open one of these schedules closes; `nil` if none does. A grant that needs these schedules is
    /// kept no longer than that. The result is by the boot clock, so setting the wall clock back gains nothing.
    func firstClosing(of schedules: [Schedule], at moment: BootTime) -> BootTime? {
        schedules.map { reading(of: $0, at: moment) }.filter(\.isOpen).compactMap(\.until).min()
            .map { bootTime(at: $0) }
    }

    /// The refusal by a schedule that is closed, or an allowance whose time is used up. It says whether the peer can ask
    /// for more time.
    func closed(
        until opening: ScheduleOpening, before gatedAction: String, for peer: Peer, at moment: BootTime
    ) -> GateError {
        guard !opening.isNobodys else { return .nobodysTime }
        var refusal = closed(until: opening, at: moment)
        let amounts = moreTimeOffered(before: gatedAction, to: peer)
        guard !amounts.isEmpty else { return refusal }
        refusal.message += " Ask for more time: `gatectl more-time \(gatedAction)`."
        refusal.parameters["gated-action"] = gatedAction
        refusal.parameters["more-time"] = amounts.map(\.text).joined(separator: " ")
        return refusal
    }

    private func closed(until opening: ScheduleOpening, at moment: BootTime) -> GateError {
        var parameters = [opening.isAllowance ? "allowance" : "schedule": opening.name]
        guard let time = opening.time else {
            return GateError(
                .failedPrecondition, .outOfHours,
                opening.isAllowance
                    ? "There is no time for this, and none within two weeks."
                    : "This is closed, and does not open within two weeks.", parameters: parameters)
        }
        let now = wallTime(at: moment)
        let (today, opens) = (schedules.zone.localTime(now), schedules.zone.localTime(time))
        let distance = opens.day.daysSince1970 - today.day.daysSince1970
        let day: String
        switch distance {
        case 0: day = "today"
        case 1: day = "tomorrow"
        case 2...7: day = Schedule.weekdayNames[opens.day.weekday]
        case _: day = "\(opens.day)"
        }
        let clock = Schedule.Span.clock(opens.millisecondsOfDay / 60_000)
        parameters["opens"] = "\(time.unixMilliseconds)"
        parameters["day"] = day.lowercased()
        parameters["time"] = clock
        var usedUp = "The time for this is used up"
        let elsewhere = opening.elsewhere.reduce(Duration.zero) { $0 + $1.used }
        // Less than a minute on other devices is not worth mentioning.
        if elsewhere >= .seconds(60) {
            let minutes = Duration.seconds(elsewhere.components.seconds / 60 * 60)
            let devices = opening.elsewhere.map(\.device).joined(separator: ", ")
                .cut(toByteCount: Limits.elsewhereByteCount)
            parameters["elsewhere"] = "\(minutes.components.seconds * 1000)"
            parameters["devices"] = devices
            usedUp += ", \(minutes.shortText) of it on \(devices)"
        }
        return GateError(
            .failedPrecondition, .outOfHours,
            opening.isAllowance
                ? "\(usedUp). There is more \(day) at \(clock)."
                : "This is closed now. It opens \(day) at \(clock).",
            retryAfter: .milliseconds(time.unixMilliseconds - now.unixMilliseconds), parameters: parameters)
    }
}
