/// Something that a guardian wants of a device.
@nonexhaustive
public enum GuardianOrder: Hashable, Sendable {
    /// Child mode, at once.
    case lock
    /// Parent mode runs for so long from then on; `nil`: as that device is configured.
    case extend(Duration?)
    /// The mode is set without a question.
    case override(ModeOverride)
    /// A yes or a no to a question of the device.
    case answer(RequestAnswer)

    /// The mode is set without a question.
    ///
    /// - Parameters:
    ///   - duration: how long parent mode lasts; `nil`: as that device is configured. Always `nil` for child mode.
    ///   - reason: for the journal of that device; at most 200 bytes in one line.
    public static func override(_ mode: Mode, _ duration: Duration?, reason: String) -> GuardianOrder {
        .override(ModeOverride(mode: mode, duration: duration, reason: reason))
    }

    /// Whether it may open anything. What does not may come late, or twice.
    package var opens: Bool {
        switch self {
        case .lock: false
        case .override(let override): override.mode != .child
        case .extend: true
        case .answer(let answer): answer.isApproved
        }
    }

    /// One line for people: what a grant for it says, and the journal.
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

    /// The gated action that stands before anything that opens elsewhere.
    package static let gatedAction = "household.open"

    /// The details of the grant for `household.open` that sends this to these devices.
    ///
    /// - Parameter devices: their names, as `HouseholdMember.distinctNames(of:among:)` has them.
    public func grantDetails(for devices: [String]) -> String {
        "\(text) (\(devices.sorted().joined(separator: ", ")))"
    }
}

/// A mode that a guardian sets without a question.
public struct ModeOverride: Hashable, Sendable {
    /// Child or parent.
    public var mode: Mode
    /// How long parent mode lasts; `nil`: as that device is configured. Always `nil` for child mode.
    public var duration: Duration?
    /// The reason, for the journal of that device; at most 200 bytes in one line.
    public var reason: String

    /// Makes an override of these values.
    public init(mode: Mode, duration: Duration?, reason: String) {
        self.mode = mode
        self.duration = duration
        self.reason = reason
    }
}

/// A guardian's command for a device, as it is signed.
package struct GuardianCommand: Hashable, Sendable {
    /// How long a command is good from when it was signed.
    package static let life = Duration.seconds(300)

    /// Names the command.
    package var id: HouseholdID
    /// The household.
    package var household: HouseholdID
    /// The device; `nil`: all of them, which only a lock may.
    package var device: HouseholdID?
    /// The device that it was signed on, which the list names as a guardian's.
    package var guardian: HouseholdID
    /// The guardian's wish.
    package var order: GuardianOrder
    /// The device's own challenge, 32 bytes; empty: none, which is good for what opens nothing.
    package var challenge: [UInt8]
    /// When it runs out.
    package var expires: WallTime

    /// Makes a command of these values.
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

/// The check that something that a household signs has failed; the names travel as the parameter `check`.
package enum GuardianCheck: String, Hashable, Sendable, CaseIterable {
    /// It is longer than what is taken.
    case size
    /// It does not have the form of a JWS with such a payload.
    case malformed
    /// Signed by another algorithm than EdDSA, or as something else than what it is taken for.
    case algorithm
    /// The signature is not that key's over exactly these bytes.
    case signature
    /// It is for another household.
    case household
    /// It is for another device, or from one that is not on the list.
    case device
    /// No guardian of the list has signed it.
    case guardian
    /// The guardian or the device is revoked.
    case revoked
    /// The list of guardians has run out.
    case listOver = "list-over"
    /// It does not echo the challenge of this device, over this connection.
    case challenge
    /// Its time is over.
    case expired
    /// It was done before.
    case repeated
    /// It is for all devices, and opens.
    case all
    /// The question that it answers is not open on the device any more.
    case closed
    /// The device has asked something else than the guardian was shown.
    case shown
    /// The device is not connected to the broker, so it was not asked.
    case offline
    /// It was done on one of two devices that have the same key, and nobody knows on which.
    case twin
    /// The device refused what was asked.
    case refused
}

/// A device's answer to a guardian's command, as it is signed.
package struct CommandResult: Hashable, Sendable {
    /// The household.
    package var household: HouseholdID
    /// The device that answers.
    package var device: HouseholdID
    /// The command.
    package var command: HouseholdID
    /// `nil`: it is done.
    package var refusal: Refusal?
    /// The device's mode after it.
    package var mode: Mode

    /// Why a device did not do what was asked.
    package struct Refusal: Hashable, Sendable {
        /// The check that failed.
        package var check: GuardianCheck
        /// An English sentence for people.
        package var message: String

        /// Makes a refusal of these values.
        package init(_ check: GuardianCheck, _ message: String) {
            self.check = check
            self.message = message
        }
    }

    /// Makes a result of these values.
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
