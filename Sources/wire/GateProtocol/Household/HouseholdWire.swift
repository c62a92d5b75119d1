import CGateProtocol
package import GateModel

// household.proto: the values in its messages

extension HouseholdID {
    /// - Throws: `INVALID_ARGUMENT`, naming the field, if the text is not 32 hexadecimal digits in lower case.
    init(reading text: UnsafeMutablePointer<CChar>?, of field: StaticString) throws(GateError) {
        guard let id = HouseholdID(String(reading: text)) else {
            throw .wrong("\(field)", "is no id: 32 hexadecimal digits in lower case")
        }
        self = id
    }
}

extension HouseholdMember: MessageMapping {
    init(reading message: Gate__V1__HouseholdMember) throws(GateError) {
        let guardian = String(reading: message.guardian)
        self.init(
            id: try HouseholdID(reading: message.id, of: "gate.v1.HouseholdMember.id"),
            name: String(reading: message.name), publicKey: [UInt8](reading: message.public_key),
            sealingKey: [UInt8](reading: message.sealing_key), guardian: guardian.isEmpty ? nil : guardian,
            isRevoked: message.is_revoked != 0)
    }

    func write(to message: inout Gate__V1__HouseholdMember, in arena: inout MessageArena) {
        message.id = arena.string(id.description)
        message.name = arena.string(name)
        message.public_key = arena.bytes(publicKey)
        message.sealing_key = arena.bytes(sealingKey)
        message.guardian = arena.string(guardian ?? "")
        message.is_revoked = isRevoked ? 1 : 0
    }
}

/// A member of the household that may command, or, in the journal, only a guardian's id and name.
struct WireGuardian: MessageMapping {
    var id: String
    var name: String
    var publicKey: [UInt8] = []
    var isRevoked = false

    /// `nil` if the member may not command.
    init?(_ member: HouseholdMember) {
        guard let guardian = member.guardian else { return nil }
        (id, name, publicKey, isRevoked) = (member.id.description, guardian, member.publicKey, member.isRevoked)
    }

    init(_ name: GuardianName) {
        (id, self.name) = (name.device.description, name.name)
    }

    init(reading message: Gate__V1__Guardian) {
        (id, name) = (String(reading: message.id), String(reading: message.name))
        (publicKey, isRevoked) = ([UInt8](reading: message.public_key), message.is_revoked != 0)
    }

    func write(to message: inout Gate__V1__Guardian, in arena: inout MessageArena) {
        message.id = arena.string(id)
        message.name = arena.string(name)
        message.public_key = arena.bytes(publicKey)
        message.is_revoked = isRevoked ? 1 : 0
    }
}

extension GuardianName {
    /// `nil` if the message does not name a device.
    init?(reading message: Gate__V1__Guardian) {
        let guardian = WireGuardian(reading: message)
        guard let device = HouseholdID(guardian.id) else { return nil }
        self.init(device: device, name: guardian.name)
    }
}

extension DeviceReport: MessageMapping {
    /// An unknown mode reads as child.
    init(reading message: Gate__V1__DeviceReport) throws(GateError) {
        let parentUntil = message.parent_until_unix_milliseconds
        self.init(
            id: try HouseholdID(reading: message.id, of: "gate.v1.DeviceReport.id"),
            name: String(reading: message.name), mode: Mode(wire: message.mode, else: .child),
            parentUntil: parentUntil == 0 ? nil : WallTime(unixMilliseconds: parentUntil),
            isOnline: message.is_online != 0, updated: WallTime(unixMilliseconds: message.updated_unix_milliseconds),
            challenge: [UInt8](reading: message.challenge), version: String(reading: message.version),
            policyNumber: message.policy_number == 0 ? nil : message.policy_number, hasTwin: message.has_twin != 0)
    }

    func write(to message: inout Gate__V1__DeviceReport, in arena: inout MessageArena) {
        message.id = arena.string(id.description)
        message.name = arena.string(name)
        message.mode = mode.wire
        message.parent_until_unix_milliseconds = parentUntil?.unixMilliseconds ?? 0
        message.is_online = isOnline ? 1 : 0
        message.updated_unix_milliseconds = updated.unixMilliseconds
        message.challenge = arena.bytes(challenge)
        message.version = arena.string(version)
        message.policy_number = policyNumber ?? 0
        message.has_twin = hasTwin ? 1 : 0
    }
}

extension HouseholdDevice: MessageMapping {
    init(reading message: Gate__V1__HouseholdDevice) throws(GateError) {
        self.init(
            member: try HouseholdMember(reading: message.member, of: "gate.v1.HouseholdDevice.member"),
            report: try DeviceReport(optional: message.report),
            isThisDevice: message.is_this_device != 0)
    }

    func write(to message: inout Gate__V1__HouseholdDevice, in arena: inout MessageArena) {
        message.member = arena.message(member)
        message.report = arena.message(optional: report)
        message.is_this_device = isThisDevice ? 1 : 0
    }
}

extension OutgoingCommand: MessageMapping {
    init(reading message: Gate__V1__OutgoingCommand) throws(GateError) {
        self.init(
            device: String(reading: message.device).isEmpty
                ? nil : try HouseholdID(reading: message.device, of: "gate.v1.OutgoingCommand.device"),
            signed: [UInt8](reading: message.signed_command))
    }

    func write(to message: inout Gate__V1__OutgoingCommand, in arena: inout MessageArena) {
        message.device = arena.string(device?.description ?? "")
        message.signed_command = arena.bytes(signed)
    }
}

extension DeviceAnswer: MessageMapping {
    init(reading message: Gate__V1__CommandResult) throws(GateError) {
        self.init(
            member: HouseholdMember(
                id: try HouseholdID(reading: message.device, of: "gate.v1.CommandResult.device"),
                name: String(reading: message.name), publicKey: []),
            isDone: message.is_done != 0, check: String(reading: message.check),
            message: String(reading: message.message), mode: Mode(wire: message.mode, else: .child))
    }

    func write(to message: inout Gate__V1__CommandResult, in arena: inout MessageArena) {
        message.device = arena.string(member.id.description)
        message.name = arena.string(member.name)
        message.is_done = isDone ? 1 : 0
        message.check = arena.string(check)
        message.message = arena.string(self.message)
        message.mode = mode.wire
    }
}
