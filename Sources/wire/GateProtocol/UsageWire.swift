package import CGateProtocol
package import GateModel

// usage.proto: how much time people use gated actions

extension Methods {
    package enum Usage {
        package static let countUse = Method<CountUseRequest, CountUseResponse>(service, "CountUse", .serverStream)
        package static let listUsage = Method<ListUsageRequest, ListUsageResponse>(service, "ListUsage")
        static let service = "gate.v1.Usage"
    }
}

package struct CountUseRequest: MappedMessage {
    package var gatedAction: String
    package var details: String

    package init(gatedAction: String, details: String = "") {
        self.gatedAction = gatedAction
        self.details = details
    }

    init(reading message: Gate__V1__CountUseRequest) {
        self.init(gatedAction: String(reading: message.gated_action), details: String(reading: message.details))
    }

    func write(to message: inout Gate__V1__CountUseRequest, in arena: inout MessageArena) {
        message.gated_action = arena.string(gatedAction)
        message.details = arena.string(details)
    }
}

package struct CountUseResponse: MappedMessage {
    package var time: TimeLeft

    package init(time: TimeLeft) {
        self.time = time
    }

    init(reading message: Gate__V1__CountUseResponse) {
        self.init(
            time: TimeLeft(
                left: message.is_limited == 0 ? nil : Duration(countedMilliseconds: message.left_milliseconds),
                isOver: message.is_over != 0))
    }

    func write(to message: inout Gate__V1__CountUseResponse, in _: inout MessageArena) {
        message.is_limited = time.left == nil ? 0 : 1
        message.left_milliseconds = time.left?.countedMilliseconds ?? 0
        message.is_over = time.isOver ? 1 : 0
    }
}

package struct ListUsageRequest: MappedMessage, PagedRequest {
    package var pageSize: Int
    package var pageToken: String
    /// How many days, today included; 0: today alone.
    package var days: Int

    package init(pageSize: Int = 0, pageToken: String = "", days: Int = 0) {
        self.pageSize = pageSize
        self.pageToken = pageToken
        self.days = days
    }

    init(reading message: Gate__V1__ListUsageRequest) {
        self.init(
            pageSize: Int(message.page_size), pageToken: String(reading: message.page_token), days: Int(message.days))
    }

    func write(to message: inout Gate__V1__ListUsageRequest, in arena: inout MessageArena) {
        message.page_size = UInt32(clamping: pageSize)
        message.page_token = arena.string(pageToken)
        message.days = UInt32(clamping: days)
    }
}

/// By user, then by what is counted, then by day.
package typealias ListUsageResponse = PageReply<UsedTime, Gate__V1__ListUsageResponse>

extension Gate__V1__ListUsageResponse: CPageReply {
    package var elements: CList<Gate__V1__UsedTime> {
        get { (times, n_times) }
        set { (times, n_times) = newValue }
    }
}

extension Gate__V1__UsageToday: CElementList {
    package var elements: CList<Gate__V1__UsedTime> {
        get { (times, n_times) }
        set { (times, n_times) = newValue }
    }
}

extension UsedTime: MessageMapping {
    init(reading message: Gate__V1__UsedTime) throws(GateError) {
        guard let day = CivilDate(String(reading: message.day)) else {
            throw .wrong("gate.v1.UsedTime.day", "is no date like 2026-11-29")
        }
        self.init(
            person: String(reading: message.person), uid: message.uid,
            subject: Subject(reading: message),
            day: day, used: Duration(countedMilliseconds: message.used_milliseconds),
            left: message.is_limited == 0 ? nil : Duration(countedMilliseconds: message.left_milliseconds),
            isToday: message.is_today != 0, isRunning: message.is_running != 0,
            elsewhere: try [UsedElsewhere](reading: message.elsewhere, count: message.n_elsewhere))
    }

    func write(to message: inout Gate__V1__UsedTime, in arena: inout MessageArena) {
        message.person = arena.string(person)
        message.uid = uid
        switch subject {
        case .allowance(let name):
            message.subject_case = GATE__V1__USED_TIME__SUBJECT_ALLOWANCE
            message.allowance = arena.string(name)
        case .gatedAction(let name):
            message.subject_case = GATE__V1__USED_TIME__SUBJECT_GATED_ACTION
            message.gated_action = arena.string(name)
        }
        message.day = arena.string(day.description)
        message.used_milliseconds = used.countedMilliseconds
        message.is_limited = left == nil ? 0 : 1
        message.left_milliseconds = left?.countedMilliseconds ?? 0
        message.is_today = isToday ? 1 : 0
        message.is_running = isRunning ? 1 : 0
        (message.elsewhere, message.n_elsewhere) = arena.messages(elsewhere)
    }
}

extension UsedElsewhere: MessageMapping {
    init(reading message: Gate__V1__UsedElsewhere) {
        self.init(
            device: String(reading: message.device), used: Duration(countedMilliseconds: message.used_milliseconds))
    }

    func write(to message: inout Gate__V1__UsedElsewhere, in arena: inout MessageArena) {
        message.device = arena.string(device)
        message.used_milliseconds = used.countedMilliseconds
    }
}

extension UsedTime.Subject {
    fileprivate init(reading message: Gate__V1__UsedTime) {
        switch message.subject_case {
        case GATE__V1__USED_TIME__SUBJECT_ALLOWANCE: self = .allowance(String(reading: message.allowance))
        case GATE__V1__USED_TIME__SUBJECT_GATED_ACTION: self = .gatedAction(String(reading: message.gated_action))
        default: self = .gatedAction("")
        }
    }
}

extension Duration {
    /// A longer duration than 64 bits with a sign can count is read as the longest.
    fileprivate init(countedMilliseconds: UInt64) { self = .milliseconds(Int64(clamping: countedMilliseconds)) }

    /// Whole milliseconds, rounded up; zero for negative durations.
    fileprivate var countedMilliseconds: UInt64 { UInt64(max(0, wireMilliseconds)) }
}

/// The limits of an allowance, in a condition that needs it.
struct AllowedTime: MessageMapping {
    let allowance: Allowance

    init(_ allowance: Allowance) {
        self.allowance = allowance
    }

    init(reading message: Gate__V1__AllowedTime) {
        let days = UnsafeBufferPointer(start: message.seconds_of_days, count: message.n_seconds_of_days)
        allowance = Allowance(
            "", secondsOfDays: days.isEmpty ? nil : days.map { Int($0) },
            secondsOfWeek: message.seconds_of_week == 0 ? nil : Int(message.seconds_of_week),
            dayStart: Int(message.day_start_minute))
    }

    func write(to message: inout Gate__V1__AllowedTime, in arena: inout MessageArena) {
        let days = (allowance.secondsOfDays ?? []).map { UInt32(clamping: $0) }
        (message.seconds_of_days, message.n_seconds_of_days) = arena.numbers(days)
        message.seconds_of_week = UInt32(clamping: allowance.secondsOfWeek ?? 0)
        message.day_start_minute = UInt32(clamping: allowance.dayStart)
    }

    /// The allowance with its name; `nil` if this version does not know one of its limits.
    func named(_ name: String) -> Allowance? {
        var named = allowance
        named.name = name
        guard (named.secondsOfDays?.count ?? 0) <= 7, named.dayStart < Schedule.minutesOfDay else { return nil }
        return named
    }
}
