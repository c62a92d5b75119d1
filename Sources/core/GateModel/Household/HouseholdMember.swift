/// A device on a household's list.
public struct HouseholdMember: Hashable, Sendable, Identifiable {
    /// Names the device.
    public var id: HouseholdID
    /// The name of the device, as people read it.
    public var name: String
    /// Its Ed25519 key, 32 bytes; its `gated` alone has the private half.
    public var publicKey: [UInt8]
    /// Its X25519 key, 32 bytes, that questions for its guardian are sealed to; empty: none can be.
    public var sealingKey: [UInt8]
    /// The grown-up who commands others from it; `nil`: it commands nothing.
    public var guardian: String?
    /// Revoked: what it signs counts for nothing.
    public var isRevoked: Bool

    /// Makes a member of these values.
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

    /// Whether it may command others.
    package var isGuardians: Bool { guardian != nil && !isRevoked }
}

/// The public keys of a device, 32 bytes each; its `gated` alone has the private half.
package struct DevicePublicKeys: Hashable, Sendable {
    /// Ed25519: what it signs is checked with it.
    package var signing: [UInt8]
    /// X25519: questions for its guardian are sealed to it.
    package var sealing: [UInt8]

    /// Makes a value of these.
    package init(signing: [UInt8], sealing: [UInt8]) {
        self.signing = signing
        self.sealing = sealing
    }
}

/// The devices of a household and the grown-ups who command them, as the household's key has signed it.
package struct HouseholdList: Hashable, Sendable {
    /// How long a list may be good from when it was signed.
    package static let longestLife = Duration.seconds(30 * 24 * 3600)
    /// How many devices a household may have.
    package static let maximumMembers = 10_000

    /// The household.
    package var household: HouseholdID
    /// Grows with each list.
    package var number: UInt64
    /// When it was signed.
    package var issued: WallTime
    /// When it runs out: from then on no guardian opens anything by it.
    package var expires: WallTime
    /// The devices.
    package var members: [HouseholdMember]

    /// Makes a list of these values.
    package init(
        household: HouseholdID, number: UInt64, issued: WallTime, expires: WallTime, members: [HouseholdMember]
    ) {
        self.household = household
        self.number = number
        self.issued = issued
        self.expires = expires
        self.members = members
    }

    /// The device of this id; `nil`: it is not on the list.
    package func member(_ id: HouseholdID) -> HouseholdMember? {
        members.first { $0.id == id }
    }
}

/// A grown-up, as the journal names them.
public struct GuardianName: Hashable, Sendable {
    /// The device that the command was signed on.
    public var device: HouseholdID
    /// The name on the household's list.
    public var name: String

    /// Makes a name of these values.
    public init(device: HouseholdID, name: String) {
        self.device = device
        self.name = name
    }
}
