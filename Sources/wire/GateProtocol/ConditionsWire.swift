import CGateProtocol
package import GateModel

// authorization.proto: the conditions of a gated action

extension Methods.Authorization {
    package static let getGatedAction = Method<GetGatedActionRequest, GetGatedActionResponse>(
        service, "GetGatedAction")
}

package struct GetGatedActionRequest: MappedMessage {
    package var name: String

    package init(name: String) {
        self.name = name
    }

    init(reading message: Gate__V1__GetGatedActionRequest) {
        self.init(name: String(reading: message.name))
    }

    func write(to message: inout Gate__V1__GetGatedActionRequest, in arena: inout MessageArena) {
        message.name = arena.string(name)
    }
}

package struct GetGatedActionResponse: MappedMessage {
    package var gatedAction: GatedActionSummary
    /// The whole condition first, then its parts. Each part stands before its own parts.
    package var conditions: [ListedCondition]
    /// `nil` if the daemon does not tell.
    package var strength: GateStrength?

    package init(gatedAction: GatedActionSummary, conditions: [ListedCondition], strength: GateStrength? = nil) {
        self.gatedAction = gatedAction
        self.conditions = conditions
        self.strength = strength
    }

    init(reading message: Gate__V1__GetGatedActionResponse) throws(GateError) {
        self.init(
            gatedAction: try GatedActionSummary(reading: message.gated_action, of: "\(Self.typeName).gated_action"),
            conditions: try [ListedCondition](reading: message.conditions, count: message.n_conditions),
            strength: try GateStrength(optional: message.strength))
    }

    func write(to message: inout Gate__V1__GetGatedActionResponse, in arena: inout MessageArena) {
        message.gated_action = arena.message(gatedAction)
        (message.conditions, message.n_conditions) = arena.messages(conditions)
        message.strength = arena.message(optional: strength)
    }
}

package struct ListedCondition: Hashable, Sendable, MessageMapping {
    package enum Kind: Hashable, Sendable {
        /// All of its parts have to be met; they are asked for in this order.
        case all
        /// One of its parts has to be met. If none is, the first one that can be asked for is asked for.
        case any
        case parentMode
        /// Which challenge is shown at which age, the youngest age first.
        case challenge([ChallengeForAge])
        case signedIn
        case entitlement(String)
        case form(String)
        case during(Schedule)
        case allowance(Allowance)
        /// A condition that this version does not know.
        case unrecognized
    }

    package var kind: Kind
    /// The position of the enclosing condition in the list, counted from 1; `nil` for the whole.
    package var partOf: Int?

    package init(_ kind: Kind, partOf: Int? = nil) {
        self.kind = kind
        self.partOf = partOf
    }

    /// The requirement as a list: the whole first, then its parts. Each part stands before its own parts.
    package static func list(of requirement: Requirement) -> [ListedCondition] {
        var conditions: [ListedCondition] = []
        add(requirement, partOf: nil, to: &conditions)
        return conditions
    }

    private static func add(_ requirement: Requirement, partOf whole: Int?, to conditions: inout [ListedCondition]) {
        let (kind, parts): (Kind, [Requirement]) =
            switch requirement {
            case .all(let parts): (.all, parts)
            case .any(let parts): (.any, parts)
            case .parentMode: (.parentMode, [])
            case .challenge(let rule): (.challenge(ChallengeForAge.list(of: rule)), [])
            case .signedIn: (.signedIn, [])
            case .entitlement(let name): (.entitlement(name), [])
            case .form(let name): (.form(name), [])
            case .during(let schedule): (.during(schedule), [])
            case .allowance(let allowance): (.allowance(allowance), [])
            }
        conditions.append(ListedCondition(kind, partOf: whole))
        let place = conditions.count
        for part in parts { add(part, partOf: place, to: &conditions) }
    }

    init(reading message: Gate__V1__Condition) throws(GateError) {
        let name = String(reading: message.name)
        let kind: Kind
        switch message.kind {
        case GATE__V1__CONDITION__KIND__KIND_ALL: kind = .all
        case GATE__V1__CONDITION__KIND__KIND_ANY: kind = .any
        case GATE__V1__CONDITION__KIND__KIND_PARENT_MODE: kind = .parentMode
        case GATE__V1__CONDITION__KIND__KIND_CHALLENGE:
            kind = .challenge(try [ChallengeForAge](reading: message.challenges, count: message.n_challenges))
        case GATE__V1__CONDITION__KIND__KIND_SIGNED_IN: kind = .signedIn
        case GATE__V1__CONDITION__KIND__KIND_ENTITLEMENT: kind = .entitlement(name)
        case GATE__V1__CONDITION__KIND__KIND_FORM: kind = .form(name)
        case GATE__V1__CONDITION__KIND__KIND_SCHEDULE:
            let spans = try [ScheduleSpan](reading: message.spans, count: message.n_spans)
            kind = Schedule(name, spans).map { .during($0) } ?? .unrecognized
        case GATE__V1__CONDITION__KIND__KIND_ALLOWANCE:
            let allowed = try AllowedTime(optional: message.allowed) ?? AllowedTime(Allowance(name))
            kind = allowed.named(name).map { .allowance($0) } ?? .unrecognized
        default: kind = .unrecognized
        }
        self.init(kind, partOf: message.part_of == 0 ? nil : Int(message.part_of))
    }

    func write(to message: inout Gate__V1__Condition, in arena: inout MessageArena) {
        message.part_of = UInt32(clamping: partOf ?? 0)
        switch kind {
        case .all: message.kind = GATE__V1__CONDITION__KIND__KIND_ALL
        case .any: message.kind = GATE__V1__CONDITION__KIND__KIND_ANY
        case .parentMode: message.kind = GATE__V1__CONDITION__KIND__KIND_PARENT_MODE
        case .challenge(let challenges):
            message.kind = GATE__V1__CONDITION__KIND__KIND_CHALLENGE
            (message.challenges, message.n_challenges) = arena.messages(challenges)
        case .signedIn: message.kind = GATE__V1__CONDITION__KIND__KIND_SIGNED_IN
        case .entitlement(let name):
            message.kind = GATE__V1__CONDITION__KIND__KIND_ENTITLEMENT
            message.name = arena.string(name)
        case .form(let name):
            message.kind = GATE__V1__CONDITION__KIND__KIND_FORM
            message.name = arena.string(name)
        case .during(let schedule):
            message.kind = GATE__V1__CONDITION__KIND__KIND_SCHEDULE
            message.name = arena.string(schedule.name)
            (message.spans, message.n_spans) = arena.messages(ScheduleSpan.list(of: schedule))
        case .allowance(let allowance):
            message.kind = GATE__V1__CONDITION__KIND__KIND_ALLOWANCE
            message.name = arena.string(allowance.name)
            message.allowed = arena.message(AllowedTime(allowance))
        case .unrecognized: message.kind = GATE__V1__CONDITION__KIND__KIND_UNSPECIFIED
        }
    }
}

extension ChallengeForAge: MessageMapping {
    init(reading message: Gate__V1__ChallengeForAge) {
        self.init(fromAge: Int(message.from_age), challenge: nil, isForGrownUps: message.is_for_grown_ups != 0)
        if case .challenge(let kind)? = Presentation.Kind(wire: message.challenge) { challenge = kind }
    }

    func write(to message: inout Gate__V1__ChallengeForAge, in arena: inout MessageArena) {
        message.from_age = UInt32(clamping: fromAge)
        message.challenge =
            challenge.map { Presentation.Kind.challenge($0).wire }
            ?? GATE__V1__PRESENTATION_KIND__PRESENTATION_KIND_UNSPECIFIED
        message.is_for_grown_ups = isForGrownUps ? 1 : 0
    }
}

/// A span with the weekday on which it begins, from 0 for Monday.
struct ScheduleSpan: MessageMapping {
    let weekday: Int
    let span: Schedule.Span

    static func list(of schedule: Schedule) -> [ScheduleSpan] {
        schedule.days.enumerated().flatMap { day, spans in spans.map { ScheduleSpan(weekday: day, span: $0) } }
    }

    init(weekday: Int, span: Schedule.Span) {
        (self.weekday, self.span) = (weekday, span)
    }

    init(reading message: Gate__V1__ScheduleSpan) {
        self.init(
            weekday: Int(message.weekday) - 1, span: Schedule.Span(Int(message.begin_minute), Int(message.end_minute)))
    }

    func write(to message: inout Gate__V1__ScheduleSpan, in _: inout MessageArena) {
        message.weekday = UInt32(clamping: weekday + 1)
        message.begin_minute = UInt32(clamping: span.begin)
        message.end_minute = UInt32(clamping: span.end)
    }
}

extension Schedule {
    /// `nil` if a span's weekday does not exist, or the span does not begin on that day, is empty, or is longer than a
    /// day.
    fileprivate init?(_ name: String, _ spans: [ScheduleSpan]) {
        self.init(name)
        for span in spans {
            let (begin, end) = (span.span.begin, span.span.end)
            guard days.indices.contains(span.weekday), begin < Self.minutesOfDay, begin < end,
                end <= begin + Self.minutesOfDay
            else { return nil }
            days[span.weekday].append(span.span)
        }
    }
}
