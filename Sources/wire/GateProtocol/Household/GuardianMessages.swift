package import CGateProtocol
package import GateModel
import ProtobufScan

// household.proto: the calls of a guardian's device to its own gated

extension Methods.Household {
    package static let sendCommand = Method<SendCommandRequest, SendCommandResponse>(service, "SendCommand")
    package static let getResults = Method<GetResultsRequest, GetResultsResponse>(service, "GetResults")
    package static let listDevices = Method<ListDevicesRequest, ListDevicesResponse>(service, "ListDevices")
}

package struct SendCommandRequest: MappedMessage {
    /// The most devices that one request may name.
    package static let maximumDevices = 1000

    /// `nil` (empty on the wire): all devices of the household but this one.
    package var devices: [HouseholdID]?
    package var order: GuardianOrder
    package var grant: Grant.Proof?

    package init(devices: [HouseholdID]?, order: GuardianOrder, grant: Grant.Proof? = nil) {
        self.devices = devices
        self.order = order
        self.grant = grant
    }

    init(reading message: Gate__V1__SendCommandRequest) throws(GateError) {
        guard message.n_devices <= Self.maximumDevices else {
            throw .wrong(
                "gate.v1.SendCommandRequest.devices", "has more than \(Self.maximumDevices); send several requests")
        }
        let devices = try UnsafeBufferPointer(start: message.devices, count: message.n_devices)
            .map { text throws(GateError) in
                try HouseholdID(reading: text, of: "gate.v1.SendCommandRequest.devices")
            }
        guard Set(devices).count == devices.count else {
            throw .wrong("gate.v1.SendCommandRequest.devices", "names a device twice")
        }
        let proof = [UInt8](reading: message.grant_proof)
        self.init(
            devices: devices.isEmpty ? nil : devices, order: try Self.order(message),
            grant: proof.isEmpty ? nil : Grant.Proof(bytes: proof))
    }

    private static func order(_ message: Gate__V1__SendCommandRequest) throws(GateError) -> GuardianOrder {
        let milliseconds = message.duration_milliseconds
        guard milliseconds >= 0 else {
            throw .wrong("gate.v1.SendCommandRequest.duration_milliseconds", "is negative")
        }
        let duration: Duration? = milliseconds == 0 ? nil : .milliseconds(milliseconds)
        switch message.verb {
        case GATE__V1__SEND_COMMAND_REQUEST__VERB__VERB_LOCK: return .lock
        case GATE__V1__SEND_COMMAND_REQUEST__VERB__VERB_EXTEND: return .extend(duration)
        case GATE__V1__SEND_COMMAND_REQUEST__VERB__VERB_OVERRIDE:
            guard let mode = Mode(wire: message.mode) else {
                throw .wrong("gate.v1.SendCommandRequest.mode", "must be set: child or parent")
            }
            return .override(mode, duration, reason: String(reading: message.reason))
        default: throw .wrong("gate.v1.SendCommandRequest.verb", "is not set, or one that this version does not know")
        }
    }

    func write(to message: inout Gate__V1__SendCommandRequest, in arena: inout MessageArena) {
        (message.devices, message.n_devices) = arena.strings((devices ?? []).map(\.description))
        message.grant_proof = arena.bytes(grant?.bytes ?? [])
        switch order {
        case .lock: message.verb = GATE__V1__SEND_COMMAND_REQUEST__VERB__VERB_LOCK
        case .extend(let duration):
            message.verb = GATE__V1__SEND_COMMAND_REQUEST__VERB__VERB_EXTEND
            message.duration_milliseconds = duration?.wireMilliseconds ?? 0
        case .override(let override):
            message.verb = GATE__V1__SEND_COMMAND_REQUEST__VERB__VERB_OVERRIDE
            message.mode = override.mode.wire
            message.duration_milliseconds = override.duration?.wireMilliseconds ?? 0
            message.reason = arena.string(override.reason)
        // An answer travels as `AnswerRequest`, because the daemon knows what was shown.
        case .answer: message.verb = GATE__V1__SEND_COMMAND_REQUEST__VERB__VERB_UNSPECIFIED
        }
    }
}

package struct SendCommandResponse: MappedMessage {
    package var revision: Revision
    package var command: UInt64
    package var deviceCount: Int

    package init(revision: Revision, command: UInt64, deviceCount: Int) {
        self.revision = revision
        self.command = command
        self.deviceCount = deviceCount
    }

    init(reading message: Gate__V1__SendCommandResponse) {
        self.init(
            revision: Revision(reading: message.revision), command: message.command,
            deviceCount: Int(message.device_count))
    }

    func write(to message: inout Gate__V1__SendCommandResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.command = command
        message.device_count = UInt32(clamping: deviceCount)
    }
}

package struct GetResultsRequest: MappedMessage {
    package var command: UInt64
    package var waitsForAll: Bool

    package init(command: UInt64, waitsForAll: Bool) {
        self.command = command
        self.waitsForAll = waitsForAll
    }

    init(reading message: Gate__V1__GetResultsRequest) {
        self.init(command: message.command, waitsForAll: message.waits_for_all != 0)
    }

    func write(to message: inout Gate__V1__GetResultsRequest, in arena: inout MessageArena) {
        message.command = command
        message.waits_for_all = waitsForAll ? 1 : 0
    }
}

package struct GetResultsResponse: MappedMessage {
    package var results: CommandAnswers

    package init(results: CommandAnswers) {
        self.results = results
    }

    static var scanLimits: ScanLimits { .longList }

    init(reading message: Gate__V1__GetResultsResponse) throws(GateError) {
        self.init(
            results: CommandAnswers(
                answers: try [DeviceAnswer](reading: message.results, count: message.n_results),
                unanswered: try [HouseholdMember](reading: message.unanswered, count: message.n_unanswered)))
    }

    func write(to message: inout Gate__V1__GetResultsResponse, in arena: inout MessageArena) {
        (message.results, message.n_results) = arena.messages(results.answers)
        (message.unanswered, message.n_unanswered) = arena.messages(results.unanswered)
    }
}

package typealias ListDevicesRequest = ChangesRequest<Gate__V1__ListDevicesRequest>
extension Gate__V1__ListDevicesRequest: CChangesRequest {}

package struct ListDevicesResponse: MappedMessage {
    package var devices: HouseholdDevices

    package init(devices: HouseholdDevices) {
        self.devices = devices
    }

    static var scanLimits: ScanLimits { .longList }

    init(reading message: Gate__V1__ListDevicesResponse) throws(GateError) {
        self.init(
            devices: HouseholdDevices(
                change: message.change,
                devices: try [HouseholdDevice](reading: message.devices, count: message.n_devices),
                hasBroker: message.has_broker != 0))
    }

    func write(to message: inout Gate__V1__ListDevicesResponse, in arena: inout MessageArena) {
        message.change = devices.change
        (message.devices, message.n_devices) = arena.messages(devices.devices)
        message.has_broker = devices.hasBroker ? 1 : 0
    }
}
