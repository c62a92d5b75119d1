/// A device of the household, with what it last said of itself.
public struct HouseholdDevice: Hashable, Sendable, Identifiable {
    /// The device, as the household's list has it.
    public var member: HouseholdMember
    /// Its own description; `nil`: nothing was heard of it.
    public var report: DeviceReport?
    /// Whether it is this device.
    public var isThisDevice: Bool

    /// Names the device.
    public var id: HouseholdID { member.id }

    /// Makes a device of these values.
    public init(member: HouseholdMember, report: DeviceReport?, isThisDevice: Bool) {
        self.member = member
        self.report = report
        self.isThisDevice = isThisDevice
    }
}

/// The devices of a household, at one moment.
public struct HouseholdDevices: Hashable, Sendable {
    /// Counts changes of what is listed, from 1.
    public var change: UInt64
    /// The devices on the household's list, this one among them, by name.
    public var devices: [HouseholdDevice]
    /// Whether the broker can be reached.
    public var hasBroker: Bool

    /// Whether this device commands the others, and so hears how they are.
    package var isGuardiansDevice: Bool { devices.contains { $0.isThisDevice && $0.member.isGuardians } }

    /// Makes a list of these values.
    public init(change: UInt64, devices: [HouseholdDevice], hasBroker: Bool) {
        self.change = change
        self.devices = devices
        self.hasBroker = hasBroker
    }
}

/// The household that this device belongs to.
package struct HouseholdState: Hashable, Sendable {
    /// Names the household.
    package var household: HouseholdID
    /// Names this device within it.
    package var device: HouseholdID
    /// The number of the list of members; 0: there is no list yet.
    package var listNumber: UInt64
    /// When the list runs out; `nil`: there is no list yet.
    package var listExpires: WallTime?
    /// The devices on the list.
    package var members: [HouseholdMember]
    /// The challenge that the next command over this connection has to echo: 32 bytes.
    package var challenge: [UInt8]
    /// This device's own Ed25519 key, 32 bytes; empty: it has none yet.
    package var publicKey: [UInt8]
    /// The number of the household's policy that is in force here; `nil`: none is.
    package var policyNumber: UInt64?
    /// Why the newest one that came was not taken; `nil`: it was, or none came.
    package var policyRefusal: HouseholdPolicyRefusal?

    /// Whether the list names a guardian for this device, with the key that it has.
    package var isGuardiansDevice: Bool {
        members.contains { $0.id == device && $0.publicKey == publicKey && $0.isGuardians }
    }

    /// The name of this device on the list; `nil`: it is on none.
    package var ownName: String? { members.first { $0.id == device }?.name }

    /// Makes a state of these values.
    package init(
        household: HouseholdID, device: HouseholdID, listNumber: UInt64, listExpires: WallTime?,
        members: [HouseholdMember], challenge: [UInt8], publicKey: [UInt8], policyNumber: UInt64? = nil,
        policyRefusal: HouseholdPolicyRefusal? = nil
    ) {
        self.household = household
        self.device = device
        self.listNumber = listNumber
        self.listExpires = listExpires
        self.members = members
        self.challenge = challenge
        self.publicKey = publicKey
        self.policyNumber = policyNumber
        self.policyRefusal = policyRefusal
    }
}

/// A device's answer to a command.
public struct DeviceAnswer: Hashable, Sendable, Identifiable {
    /// The device, as the household's list has it.
    public var member: HouseholdMember
    /// Whether it has done what was asked.
    public var isDone: Bool
    /// Where it has not: the check that failed, like "challenge".
    public var check: String
    /// Where it has not: an English sentence for people.
    public var message: String
    /// Its mode after it.
    public var mode: Mode

    /// Names the device.
    public var id: HouseholdID { member.id }

    /// Makes an answer of these values.
    public init(member: HouseholdMember, isDone: Bool, check: String, message: String, mode: Mode) {
        self.member = member
        self.isDone = isDone
        self.check = check
        self.message = message
        self.mode = mode
    }
}

/// The answers to a command, as far as they have come.
public struct CommandAnswers: Hashable, Sendable {
    /// The answers, by the devices' names.
    public var answers: [DeviceAnswer]
    /// The devices that have not answered, by name.
    public var unanswered: [HouseholdMember]

    /// Makes answers of these values.
    public init(answers: [DeviceAnswer], unanswered: [HouseholdMember]) {
        self.answers = answers
        self.unanswered = unanswered
    }
}
