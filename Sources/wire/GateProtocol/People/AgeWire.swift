package import CGateProtocol
package import GateModel

// age.proto

extension Methods {
    package enum Age {
        package static let query = Method<QueryAgeRangeRequest, QueryAgeRangeResponse>(service, "QueryAgeRange")
        package static let getSettings = Method<GetAgeSettingsRequest, GetAgeSettingsResponse>(
            service, "GetAgeSettings")
        package static let setSettings = Method<SetAgeSettingsRequest, SetAgeSettingsResponse>(
            service, "SetAgeSettings")
        package static let listApps = Method<ListAgeAppsRequest, ListAgeAppsResponse>(service, "ListAgeApps")
        package static let setChoice = Method<SetAgeChoiceRequest, SetAgeChoiceResponse>(service, "SetAgeChoice")
        private static let service = "gate.v1.Age"
    }
}

extension AgeRange: MessageMapping {
    init(reading message: Gate__V1__AgeRange) {
        self.init(
            low: message.low == 0 ? nil : Int(message.low), high: message.high == 0 ? nil : Int(message.high),
            source: Source(wire: message.source, else: .guardian))
    }

    func write(to message: inout Gate__V1__AgeRange, in _: inout MessageArena) {
        message.low = UInt32(clamping: low ?? 0)
        message.high = UInt32(clamping: high ?? 0)
        message.source = source.wire
    }
}

extension AgeRange.Source: EnumMapping {
    var wire: Gate__V1__AgeSource {
        switch self {
        case .guardian: GATE__V1__AGE_SOURCE__AGE_SOURCE_GUARDIAN
        case .grownUp: GATE__V1__AGE_SOURCE__AGE_SOURCE_SELF
        }
    }
}

extension AgeChoice: EnumMapping {
    var wire: Gate__V1__AgeChoice {
        switch self {
        case .ask: GATE__V1__AGE_CHOICE__AGE_CHOICE_ASK
        case .always: GATE__V1__AGE_CHOICE__AGE_CHOICE_ALWAYS
        case .never: GATE__V1__AGE_CHOICE__AGE_CHOICE_NEVER
        case .forNow: GATE__V1__AGE_CHOICE__AGE_CHOICE_FOR_NOW
        case .notNow: GATE__V1__AGE_CHOICE__AGE_CHOICE_NOT_NOW
        }
    }
}

extension AgeApp: MessageMapping {
    init(reading message: Gate__V1__AgeApp) {
        self.init(
            person: String(reading: message.person), app: String(reading: message.app),
            choice: AgeChoice(wire: message.choice, else: .ask), isWaiting: message.is_waiting != 0)
    }

    func write(to message: inout Gate__V1__AgeApp, in arena: inout MessageArena) {
        message.person = arena.string(person)
        message.app = arena.string(app)
        message.choice = choice.wire
        message.is_waiting = isWaiting ? 1 : 0
    }
}

extension AgeState: MessageMapping {
    init(reading message: Gate__V1__AgeState) throws(GateError) {
        self.init(
            settings: AgeSettings(
                isOn: message.is_on != 0, gates: [Int](reading: message.gates, count: message.n_gates)),
            waiting: try [AgeApp](reading: message.waiting, count: message.n_waiting))
    }

    func write(to message: inout Gate__V1__AgeState, in arena: inout MessageArena) {
        message.is_on = settings.isOn ? 1 : 0
        (message.gates, message.n_gates) = arena.numbers(settings.gates.map { UInt32(clamping: $0) })
        (message.waiting, message.n_waiting) = arena.messages(waiting)
    }
}

extension [Int] {
    fileprivate init(reading numbers: UnsafePointer<UInt32>?, count: Int) {
        self = UnsafeBufferPointer(start: numbers, count: count).map { Int($0) }
    }
}

// MARK: Requests and responses

package typealias QueryAgeRangeRequest = EmptyMessage<Gate__V1__QueryAgeRangeRequest>

package struct QueryAgeRangeResponse: MappedMessage {
    /// `nil` if the app may not know the range.
    package var range: AgeRange?

    package init(range: AgeRange?) {
        self.range = range
    }

    init(reading message: Gate__V1__QueryAgeRangeResponse) {
        self.init(range: message.range.map { AgeRange(reading: $0.pointee) })
    }

    func write(to message: inout Gate__V1__QueryAgeRangeResponse, in arena: inout MessageArena) {
        message.range = arena.message(optional: range)
    }
}

package typealias GetAgeSettingsRequest = EmptyMessage<Gate__V1__GetAgeSettingsRequest>

package struct GetAgeSettingsResponse: MappedMessage {
    package var settings: AgeSettings

    package init(settings: AgeSettings) {
        self.settings = settings
    }

    init(reading message: Gate__V1__GetAgeSettingsResponse) {
        self.init(
            settings: AgeSettings(
                isOn: message.is_on != 0, gates: [Int](reading: message.gates, count: message.n_gates)))
    }

    func write(to message: inout Gate__V1__GetAgeSettingsResponse, in arena: inout MessageArena) {
        message.is_on = settings.isOn ? 1 : 0
        (message.gates, message.n_gates) = arena.numbers(settings.gates.map { UInt32(clamping: $0) })
    }
}

package struct SetAgeSettingsRequest: MappedMessage, GrantedRequest {
    package var isOn: Bool
    /// Empty: they stay as they are.
    package var gates: [Int]
    package var grant: Grant.Proof?

    package init(isOn: Bool, gates: [Int] = [], grant: Grant.Proof? = nil) {
        self.isOn = isOn
        self.gates = gates
        self.grant = grant
    }

    init(reading message: Gate__V1__SetAgeSettingsRequest) {
        let proof = [UInt8](reading: message.grant_proof)
        self.init(
            isOn: message.is_on != 0, gates: [Int](reading: message.gates, count: message.n_gates),
            grant: proof.isEmpty ? nil : Grant.Proof(bytes: proof))
    }

    func write(to message: inout Gate__V1__SetAgeSettingsRequest, in arena: inout MessageArena) {
        message.is_on = isOn ? 1 : 0
        (message.gates, message.n_gates) = arena.numbers(gates.map { UInt32(clamping: $0) })
        message.grant_proof = arena.bytes(grant?.bytes ?? [])
    }
}

package typealias SetAgeSettingsResponse = RevisionReply<Gate__V1__SetAgeSettingsResponse>
extension Gate__V1__SetAgeSettingsResponse: CRevisionReply {}

package typealias ListAgeAppsRequest = PageRequest<Gate__V1__ListAgeAppsRequest>
extension Gate__V1__ListAgeAppsRequest: CPageRequest {}

/// By person, then by app.
package typealias ListAgeAppsResponse = PageReply<AgeApp, Gate__V1__ListAgeAppsResponse>

extension Gate__V1__ListAgeAppsResponse: CPageReply {
    package var elements: CList<Gate__V1__AgeApp> {
        get { (apps, n_apps) }
        set { (apps, n_apps) = newValue }
    }
}

package struct SetAgeChoiceRequest: MappedMessage, GrantedRequest {
    package var person: String
    package var app: String
    package var choice: AgeChoice
    package var grant: Grant.Proof?

    package init(person: String, app: String, choice: AgeChoice, grant: Grant.Proof? = nil) {
        self.person = person
        self.app = app
        self.choice = choice
        self.grant = grant
    }

    init(reading message: Gate__V1__SetAgeChoiceRequest) throws(GateError) {
        let proof = [UInt8](reading: message.grant_proof)
        self.init(
            person: String(reading: message.person), app: String(reading: message.app),
            choice: try AgeChoice(wire: message.choice, of: "gate.v1.SetAgeChoiceRequest.choice"),
            grant: proof.isEmpty ? nil : Grant.Proof(bytes: proof))
    }

    func write(to message: inout Gate__V1__SetAgeChoiceRequest, in arena: inout MessageArena) {
        message.person = arena.string(person)
        message.app = arena.string(app)
        message.choice = choice.wire
        message.grant_proof = arena.bytes(grant?.bytes ?? [])
    }
}

package typealias SetAgeChoiceResponse = RevisionReply<Gate__V1__SetAgeChoiceResponse>
extension Gate__V1__SetAgeChoiceResponse: CRevisionReply {}
