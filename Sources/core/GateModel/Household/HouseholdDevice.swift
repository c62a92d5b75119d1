/// A device of the household, and what it last said about itself.
public struct HouseholdDevice: Hashable, Sendable, Identifiable {
    /// The device as the household's list describes it.
    public var member: HouseholdMember
    /// What the device said about itself; `nil` if this device has heard nothing from it.
    public var report: DeviceReport?
    /// Whether it is this device.
    public var isThisDevice: Bool

    /// The id of the device in the household.
    public var id: HouseholdID { member.id }

    public init(member: HouseholdMember, report: DeviceReport?, isThisDevice: Bool) {
        self.member = member
        self.report = report
        self.isThisDevice = isThisDevice
    }
}

/// The devices of the household at one moment.
public struct HouseholdDevices: Hashable, Sendable {
    /// Counts the changes of this list, from 1.
    public var change: UInt64
    /// All devices on the household's list, including this one, in the order of their names.
    public var devices: [HouseholdDevice]
    /// Whether the household's broker can be reached.
    public var hasBroker: Bool

    /// Whether this device may command the others, and so receives their reports.
    package var isGuardiansDevice: Bool { devices.contains { $0.isThisDevice && $0.member.isGuardians } }

    public init(change: UInt64, devices: [HouseholdDevice], hasBroker: Bool) {
        self.change = change
        self.devices = devices
        self.hasBroker = hasBroker
    }
}

/// This device's part in its household.
package struct HouseholdState: Hashable, Sendable {
    package var household: HouseholdID
    package var device: HouseholdID
    /// 0 if there is no list yet.
    package var listNumber: UInt64
    /// `nil` if there is no list yet.
    package var listExpires: WallTime?
    package var members: [HouseholdMember]
    /// The challenge that the next command over this connection has to echo: 32 bytes.
    package var challenge: [UInt8]
    /// This device's own Ed25519 public key, 32 bytes; empty if it has none yet.
    package var publicKey: [UInt8]
    /// The number of the household's policy that is in force here; `nil` if none is.
    package var policyNumber: UInt64?
    /// Why the newest policy that arrived was refused; `nil` if it was accepted, or none arrived.
    package var policyRefusal: HouseholdPolicyRefusal?

    /// Whether the list names a guardian for this device, and has the key that the device uses now.
    package var isGuardiansDevice: Bool {
        members.contains { $0.id == device && $0.publicKey == publicKey && $0.isGuardians }
    }

    package var ownName: String? { members.first { $0.id == device }?.name }

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

/// The answer of one device to a command.
public struct DeviceAnswer: Hashable, Sendable, Identifiable {
    /// The device as the household's list describes it.
    public var member: HouseholdMember
    /// Whether the device did what was asked.
    public var isDone: Bool
    /// The check that failed, like "challenge" or "offline"; empty if the command was done.
    public var check: String
    /// Why the command was not done, as an English sentence for people; empty if it was done.
    public var message: String
    /// The mode of the device after the command; `child` if the device is offline.
    public var mode: Mode

    /// The id of the device in the household.
    public var id: HouseholdID { member.id }

    public init(member: HouseholdMember, isDone: Bool, check: String, message: String, mode: Mode) {
        self.member = member
        self.isDone = isDone
        self.check = check
        self.message = message
        self.mode = mode
    }
}

/// The answers to a command that have arrived so far.
public struct CommandAnswers: Hashable, Sendable {
    /// The answers, in the order of the devices' names.
    public var answers: [DeviceAnswer]
    /// The devices that have not answered yet, in the order of their names.
    public var unanswered: [HouseholdMember]

    public init(answers: [DeviceAnswer], unanswered: [HouseholdMember]) {
        self.answers = answers
        self.unanswered = unanswered
    }
}
