/// What a guardian wants another device to do.
@nonexhaustive
public enum GuardianOrder: Hashable, Sendable {
    /// Go to child mode at once.
    case lock
    /// Let parent mode last this long from when the command arrives; `nil`: as long as that device's policy says.
    case extend(Duration?)
    /// Set the mode without asking anybody.
    case override(ModeOverride)
    /// Answer a question of the device with yes or no.
    case answer(RequestAnswer)

    /// Sets the mode without asking anybody: see `ModeOverride`.
    public static func override(_ mode: Mode, _ duration: Duration?, reason: String) -> GuardianOrder {
        .override(ModeOverride(mode: mode, duration: duration, reason: reason))
    }

    /// Whether the order may allow something. One that can't is harmless if it arrives late, or twice.
    package var opens: Bool {
        switch self {
        case .lock: false
        case .override(let override): override.mode != .child
        case .extend: true
        case .answer(let answer): answer.isApproved
        }
    }

    /// Whether it answers an ask. Such an order may arrive days later, and so repeats no challenge but the ask's nonce.
    package var isAnswerToAsk: Bool {
        switch self {
        case .answer(let answer): answer.ask != nil
        case .lock, .extend, .override: false
        }
    }

    /// One English line for people, used in the details of the grant and in the journal.
    package var text: String {
        switch self {
        case .lock: "lock"
        case .extend(let duration): "extend" + (duration.map { " by \($0.shortText)" } ?? "")
        case .override(let override):
            override.mode.rawValue + (override.duration.map { " for \($0.shortText)" } ?? "")
                + ": \(override.reason)"
        case .answer(let answer): "\(answer.isApproved ? "approve" : "deny") question \(answer.number)"
        }
    }

    /// The gated action that guards every order that may allow something on another device.
    package static let gatedAction = "household.open"

    /// The details of the grant for `household.open` that lets this order go to the devices with these names, which are
    /// as `HouseholdMember.distinctNames(of:among:)` makes them.
    public func grantDetails(for devices: [String]) -> String {
        "\(text) (\(devices.sorted().joined(separator: ", ")))"
    }
}

/// A mode that a guardian sets on a device, without anybody being asked there.
public struct ModeOverride: Hashable, Sendable {
    /// Either `child` or `parent`.
    public var mode: Mode
    /// How long parent mode lasts; `nil`: as long as that device's policy says. Always `nil` for child mode.
    public var duration: Duration?
    /// One line for the journal of that device, of at most 200 bytes.
    public var reason: String

    public init(mode: Mode, duration: Duration?, reason: String) {
        self.mode = mode
        self.duration = duration
        self.reason = reason
    }
}

/// A guardian's command for a device: the content that is signed.
package struct GuardianCommand: Hashable, Sendable {
    /// How long a command is valid after it was signed.
    package static let life = Duration.seconds(300)

    /// Names the command, so that a device does it only once.
    package var id: HouseholdID
    package var household: HouseholdID
    /// The device that has to do it; `nil` for all devices, which is allowed only for a lock.
    package var device: HouseholdID?
    /// The device that signed the command. The household's list has to name a guardian for it.
    package var guardian: HouseholdID
    package var order: GuardianOrder
    /// The challenge of the device that has to do it, 32 bytes. Empty for orders that need none: those that allow
    /// nothing, and answers to asks, which repeat the nonce of the ask instead.
    package var challenge: [UInt8]
    package var expires: WallTime

    package init(
        id: HouseholdID, household: HouseholdID, device: HouseholdID?, guardian: HouseholdID, order: GuardianOrder,
        challenge: [UInt8], expires: WallTime
    ) {
        self.id = id
        self.household = household
        self.device = device
        self.guardian = guardian
        self.order = order
        self.challenge = challenge
        self.expires = expires
    }
}

/// Why something that was signed for a household is refused. The raw values travel as the parameter `check`.
package enum GuardianCheck: String, Hashable, Sendable, CaseIterable {
    /// It is longer than the limit.
    case size
    /// It is not a JWS, or its payload is not written as it should be.
    case malformed
    /// It was signed with an algorithm other than EdDSA, or as another type of message.
    case algorithm
    /// The signature was not made with the expected key over exactly these bytes.
    case signature
    /// It is for another household.
    case household
    /// It is for another device, or from a device that is not on the list.
    case device
    /// It was not signed by a guardian on the list.
    case guardian
    /// The guardian or the device is revoked.
    case revoked
    /// The household's list has expired.
    case listOver = "list-over"
    /// It does not echo the challenge that this device gave over this connection.
    case challenge
    /// It has expired.
    case expired
    /// It was done already.
    case repeated
    /// It is for all devices and would allow something.
    case all
    /// The question that it answers is no longer open on the device.
    case closed
    /// The device asks something else than the guardian was shown.
    case shown
    /// The device seems not to be connected, so nobody waits for it. A command that opens nothing was sent anyway.
    case offline
    /// One of two devices with the same key has done it, and nobody knows which.
    case twin
    /// The device refused to do it.
    case refused
}

/// A device's answer to a guardian's command: the content that is signed.
package struct CommandResult: Hashable, Sendable {
    package var household: HouseholdID
    package var device: HouseholdID
    package var command: HouseholdID
    /// Why the device did not do it; `nil` if it did.
    package var refusal: Refusal?
    /// The mode of the device after the command.
    package var mode: Mode

    package struct Refusal: Hashable, Sendable {
        package var check: GuardianCheck
        /// An English sentence for people.
        package var message: String

        package init(_ check: GuardianCheck, _ message: String) {
            self.check = check
            self.message = message
        }
    }

    package init(
        household: HouseholdID, device: HouseholdID, command: HouseholdID, refusal: Refusal?, mode: Mode
    ) {
        self.household = household
        self.device = device
        self.command = command
        self.refusal = refusal
        self.mode = mode
    }
}
