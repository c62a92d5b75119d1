package import CGateProtocol
package import GateModel
import ProtobufScan

// household.proto: requests and responses

extension Methods {
    package enum Household {
        package static let get = Method<GetHouseholdRequest, GetHouseholdResponse>(service, "GetHousehold")
        package static let submitGuardians = Method<SubmitGuardiansRequest, SubmitGuardiansResponse>(
            service, "SubmitGuardians")
        package static let submitCommand = Method<SubmitCommandRequest, SubmitCommandResponse>(
            service, "SubmitCommand")
        package static let createDeviceKey = Method<CreateDeviceKeyRequest, CreateDeviceKeyResponse>(
            service, "CreateDeviceKey")
        package static let collectCommands = Method<CollectCommandsRequest, CollectCommandsResponse>(
            service, "CollectCommands")
        package static let reportDevices = Method<ReportDevicesRequest, ReportDevicesResponse>(
            service, "ReportDevices")
        package static let submitResult = Method<SubmitResultRequest, SubmitResultResponse>(service, "SubmitResult")
        static let service = "gate.v1.Household"
    }
}

package typealias GetHouseholdRequest = EmptyMessage<Gate__V1__GetHouseholdRequest>

package struct GetHouseholdResponse: MappedMessage {
    package var revision: Revision
    package var state: HouseholdState

    package init(revision: Revision, state: HouseholdState) {
        self.revision = revision
        self.state = state
    }

    static var scanLimits: ScanLimits { .longList }

    init(reading message: Gate__V1__GetHouseholdResponse) throws(GateError) {
        let number = message.guardians_number
        self.init(
            revision: Revision(reading: message.revision),
            state: HouseholdState(
                household: try HouseholdID(reading: message.household, of: "gate.v1.GetHouseholdResponse.household"),
                device: try HouseholdID(reading: message.device, of: "gate.v1.GetHouseholdResponse.device"),
                listNumber: number,
                listExpires: number == 0
                    ? nil : WallTime(unixMilliseconds: message.guardians_expire_unix_milliseconds),
                members: try [HouseholdMember](reading: message.members, count: message.n_members),
                challenge: [UInt8](reading: message.challenge), publicKey: [UInt8](reading: message.public_key),
                policyNumber: message.policy_number == 0 ? nil : message.policy_number,
                policyRefusal: message.refused_policy_number == 0
                    ? nil
                    : HouseholdPolicyRefusal(
                        number: message.refused_policy_number, message: String(reading: message.policy_refusal))))
    }

    func write(to message: inout Gate__V1__GetHouseholdResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.household = arena.string(state.household.description)
        message.device = arena.string(state.device.description)
        message.guardians_number = state.listNumber
        message.guardians_expire_unix_milliseconds = state.listExpires?.unixMilliseconds ?? 0
        let guardians = state.members.compactMap { WireGuardian($0) }
        (message.guardians, message.n_guardians) = arena.messages(guardians)
        message.challenge = arena.bytes(state.challenge)
        (message.members, message.n_members) = arena.messages(state.members)
        message.public_key = arena.bytes(state.publicKey)
        message.policy_number = state.policyNumber ?? 0
        message.refused_policy_number = state.policyRefusal?.number ?? 0
        message.policy_refusal = arena.string(state.policyRefusal?.message ?? "")
    }
}

package struct SubmitGuardiansRequest: MappedMessage {
    package var signedGuardians: [UInt8]

    package init(signedGuardians: [UInt8]) {
        self.signedGuardians = signedGuardians
    }

    init(reading message: Gate__V1__SubmitGuardiansRequest) {
        self.init(signedGuardians: [UInt8](reading: message.signed_guardians))
    }

    func write(to message: inout Gate__V1__SubmitGuardiansRequest, in arena: inout MessageArena) {
        message.signed_guardians = arena.bytes(signedGuardians)
    }
}

package typealias SubmitGuardiansResponse = RevisionReply<Gate__V1__SubmitGuardiansResponse>
extension Gate__V1__SubmitGuardiansResponse: CRevisionReply {}

package struct SubmitCommandRequest: MappedMessage {
    package var signedCommand: [UInt8]

    package init(signedCommand: [UInt8]) {
        self.signedCommand = signedCommand
    }

    init(reading message: Gate__V1__SubmitCommandRequest) {
        self.init(signedCommand: [UInt8](reading: message.signed_command))
    }

    func write(to message: inout Gate__V1__SubmitCommandRequest, in arena: inout MessageArena) {
        message.signed_command = arena.bytes(signedCommand)
    }
}

package struct SubmitCommandResponse: MappedMessage {
    package var revision: Revision
    package var state: ModeState
    package var signedResult: [UInt8]
    package var challenge: [UInt8]

    package init(revision: Revision, state: ModeState, signedResult: [UInt8], challenge: [UInt8]) {
        self.revision = revision
        self.state = state
        self.signedResult = signedResult
        self.challenge = challenge
    }

    init(reading message: Gate__V1__SubmitCommandResponse) {
        self.init(
            revision: Revision(reading: message.revision), state: ModeState(reading: message.state),
            signedResult: [UInt8](reading: message.signed_result), challenge: [UInt8](reading: message.challenge))
    }

    func write(to message: inout Gate__V1__SubmitCommandResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.state = arena.message(state)
        message.signed_result = arena.bytes(signedResult)
        message.challenge = arena.bytes(challenge)
    }
}

package struct CreateDeviceKeyRequest: MappedMessage {
    package var replaces: Bool

    package init(replaces: Bool = false) {
        self.replaces = replaces
    }

    init(reading message: Gate__V1__CreateDeviceKeyRequest) {
        self.init(replaces: message.replaces != 0)
    }

    func write(to message: inout Gate__V1__CreateDeviceKeyRequest, in arena: inout MessageArena) {
        message.replaces = replaces ? 1 : 0
    }
}

package struct CreateDeviceKeyResponse: MappedMessage {
    package var revision: Revision
    package var publicKey: [UInt8]
    package var sealingKey: [UInt8]

    package init(revision: Revision, publicKey: [UInt8], sealingKey: [UInt8]) {
        self.revision = revision
        self.publicKey = publicKey
        self.sealingKey = sealingKey
    }

    init(reading message: Gate__V1__CreateDeviceKeyResponse) {
        self.init(
            revision: Revision(reading: message.revision), publicKey: [UInt8](reading: message.public_key),
            sealingKey: [UInt8](reading: message.sealing_key))
    }

    func write(to message: inout Gate__V1__CreateDeviceKeyResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.public_key = arena.bytes(publicKey)
        message.sealing_key = arena.bytes(sealingKey)
    }
}

package typealias CollectCommandsRequest = EmptyMessage<Gate__V1__CollectCommandsRequest>

package struct CollectCommandsResponse: MappedMessage {
    package var commands: [OutgoingCommand]

    package init(commands: [OutgoingCommand]) {
        self.commands = commands
    }

    static var scanLimits: ScanLimits { .longList }

    init(reading message: Gate__V1__CollectCommandsResponse) throws(GateError) {
        self.init(commands: try [OutgoingCommand](reading: message.commands, count: message.n_commands))
    }

    func write(to message: inout Gate__V1__CollectCommandsResponse, in arena: inout MessageArena) {
        (message.commands, message.n_commands) = arena.messages(commands)
    }
}

package struct ReportDevicesRequest: MappedMessage {
    /// The most devices that one request may name.
    package static let maximumDevices = 256

    package var devices: [DeviceReport]
    /// Whether devices that were reported before, and that this request does not name, are gone.
    package var isAll: Bool
    package var hasBroker: Bool

    package init(devices: [DeviceReport], isAll: Bool, hasBroker: Bool) {
        self.devices = devices
        self.isAll = isAll
        self.hasBroker = hasBroker
    }

    init(reading message: Gate__V1__ReportDevicesRequest) throws(GateError) {
        guard message.n_devices <= Self.maximumDevices else {
            throw .wrong(
                "gate.v1.ReportDevicesRequest.devices", "has more than \(Self.maximumDevices); send several requests")
        }
        self.init(
            devices: try [DeviceReport](reading: message.devices, count: message.n_devices),
            isAll: message.is_all != 0, hasBroker: message.has_broker != 0)
    }

    func write(to message: inout Gate__V1__ReportDevicesRequest, in arena: inout MessageArena) {
        (message.devices, message.n_devices) = arena.messages(devices)
        message.is_all = isAll ? 1 : 0
        message.has_broker = hasBroker ? 1 : 0
    }
}

package typealias ReportDevicesResponse = EmptyMessage<Gate__V1__ReportDevicesResponse>

package struct SubmitResultRequest: MappedMessage {
    package var signedResult: [UInt8]

    package init(signedResult: [UInt8]) {
        self.signedResult = signedResult
    }

    init(reading message: Gate__V1__SubmitResultRequest) {
        self.init(signedResult: [UInt8](reading: message.signed_result))
    }

    func write(to message: inout Gate__V1__SubmitResultRequest, in arena: inout MessageArena) {
        message.signed_result = arena.bytes(signedResult)
    }
}

package typealias SubmitResultResponse = EmptyMessage<Gate__V1__SubmitResultResponse>
