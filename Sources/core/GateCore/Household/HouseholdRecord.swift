package import GateModel

/// The things that a device keeps of its household.
public struct HouseholdRecord: Hashable, Sendable {
    /// The newest list of the household's devices and guardians; `nil`: there was none yet.
    package var list: SignedHouseholdList?
    /// The private half of this device's Ed25519 key; `nil`: it has none yet.
    package var deviceKey: DeviceKey?
    /// The newest moment at which a guardian opened something here: no clock that was set back makes it earlier.
    package var seenAt: WallTime?
    /// The newest policy that the household has for all of its devices; `nil`: there was none yet.
    package var policy: SignedHouseholdPolicy?

    package init(
        list: SignedHouseholdList? = nil, deviceKey: DeviceKey? = nil, seenAt: WallTime? = nil,
        policy: SignedHouseholdPolicy? = nil
    ) {
        self.list = list
        self.deviceKey = deviceKey
        self.seenAt = seenAt
        self.policy = policy
    }
}

/// A list, with what shows that the household has signed it.
package struct SignedHouseholdList: Hashable, Sendable {
    /// Its content.
    package var list: HouseholdList
    /// The JWS.
    package var signed: [UInt8]
    /// The key that it was checked with. Where the household has another one now, the list counts for nothing.
    package var verifiedBy: [UInt8]

    package init(_ list: HouseholdList, signed: [UInt8], verifiedBy: [UInt8]) {
        self.list = list
        self.signed = signed
        self.verifiedBy = verifiedBy
    }
}

/// This device's Ed25519 key.
package struct DeviceKey: Hashable, Sendable {
    /// 32 bytes.
    package var publicKey: [UInt8]
    /// The private half, 32 bytes.
    package var secret: GateSecret

    package init(publicKey: [UInt8], secret: GateSecret) {
        self.publicKey = publicKey
        self.secret = secret
    }
}

/// A guardian's command whose signature was checked.
public struct SignedGuardianCommand: Hashable, Sendable {
    package var command: GuardianCommand
    /// The key that it was checked with. Where the list names another one by now, nobody has signed it.
    package var verifiedBy: [UInt8]
    /// The SHA-256 of what this device asks under the number of an answer; `nil`: it asks nothing.
    package var shown: [UInt8]?

    package init(_ command: GuardianCommand, verifiedBy: [UInt8], shown: [UInt8]? = nil) {
        self.command = command
        self.verifiedBy = verifiedBy
        self.shown = shown
    }
}

/// The outcome of a guardian's command: for the guardian, and for the program that brought it.
public struct ObeyedCommand: Hashable, Sendable {
    /// The result, before it is signed.
    package var result: CommandResult
    /// The challenge that the next command over this connection has to echo.
    package var challenge: [UInt8]
}
