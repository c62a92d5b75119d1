/// A device on the household's list.
public struct HouseholdMember: Hashable, Sendable, Identifiable {
    /// The id of the device in the household.
    public var id: HouseholdID
    /// The name of the device for people.
    public var name: String
    /// The device's Ed25519 public key, 32 bytes. Only `gated` on that device has the private key.
    public var publicKey: [UInt8]
    /// The X25519 public key that questions for the device's guardian are sealed to, 32 bytes. Empty if the device gets
    /// no questions.
    public var sealingKey: [UInt8]
    /// The grown-up who commands other devices from this one; `nil` if it may not command any.
    public var guardian: String?
    /// Whether the device was revoked. Then nothing that it signs is accepted.
    public var isRevoked: Bool

    public init(
        id: HouseholdID, name: String, publicKey: [UInt8], sealingKey: [UInt8] = [], guardian: String? = nil,
        isRevoked: Bool = false
    ) {
        self.id = id
        self.name = name
        self.publicKey = publicKey
        self.sealingKey = sealingKey
        self.guardian = guardian
        self.isRevoked = isRevoked
    }

    package var isGuardians: Bool { guardian != nil && !isRevoked }
}

/// The public keys of a device, 32 bytes each. Only its `gated` has the private keys.
package struct DevicePublicKeys: Hashable, Sendable {
    /// Ed25519. Checks what the device signs.
    package var signing: [UInt8]
    /// X25519. Questions are sealed to it.
    package var sealing: [UInt8]

    package init(signing: [UInt8], sealing: [UInt8]) {
        self.signing = signing
        self.sealing = sealing
    }
}

/// The devices of a household, and the grown-ups who command them. It is signed with the household's key.
package struct HouseholdList: Hashable, Sendable {
    /// How long after its signing a list may be valid at most.
    package static let longestLife = Duration.seconds(30 * 24 * 3600)
    /// The most devices that a household may have.
    package static let maximumMembers = 10_000

    package var household: HouseholdID
    /// Each new list has a higher number.
    package var number: UInt64
    package var issued: WallTime
    /// When the list expires. From then on no guardian's order may allow anything.
    package var expires: WallTime
    package var members: [HouseholdMember]

    package init(
        household: HouseholdID, number: UInt64, issued: WallTime, expires: WallTime, members: [HouseholdMember]
    ) {
        self.household = household
        self.number = number
        self.issued = issued
        self.expires = expires
        self.members = members
    }

    package func member(_ id: HouseholdID) -> HouseholdMember? {
        members.first { $0.id == id }
    }
}

/// The guardian behind an entry of the journal.
public struct GuardianName: Hashable, Sendable {
    /// The device that signed the command.
    public var device: HouseholdID
    /// The grown-up's name on the household's list.
    public var name: String

    public init(device: HouseholdID, name: String) {
        self.device = device
        self.name = name
    }
}
