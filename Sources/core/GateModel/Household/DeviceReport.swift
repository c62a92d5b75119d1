/// A device of the household as it describes itself. Nobody vouches for it, and it is as old as its time says.
public struct DeviceReport: Hashable, Sendable, Identifiable {
    /// Names the device.
    public var id: HouseholdID
    /// Its name, as people read it.
    public var name: String
    /// Its mode.
    public var mode: Mode
    /// When parent mode ends, by its own clock; `nil`: it is not in parent mode.
    public var parentUntil: WallTime?
    /// Whether it is connected to the broker.
    public var isOnline: Bool
    /// When it said so, by its own clock.
    public var updated: WallTime
    /// The challenge that a command for it has to echo: 32 bytes, or none.
    package var challenge: [UInt8]
    /// Its version of Gate.
    public var version: String
    /// The number of the household's policy that is in force there; `nil`: none is.
    public var policyNumber: UInt64?
    /// Whether two devices speak with this one's key, as copies of a disk do: a command may have reached one of them alone.
    public var hasTwin: Bool

    /// Makes a report of these values.
    package init(
        id: HouseholdID, name: String, mode: Mode, parentUntil: WallTime?, isOnline: Bool, updated: WallTime,
        challenge: [UInt8] = [], version: String, policyNumber: UInt64? = nil,
        hasTwin: Bool = false
    ) {
        self.id = id
        self.name = name
        self.mode = mode
        self.parentUntil = parentUntil
        self.isOnline = isOnline
        self.updated = updated
        self.challenge = challenge
        self.version = version
        self.policyNumber = policyNumber
        self.hasTwin = hasTwin
    }
}

/// A signed command on its way to other devices.
package struct OutgoingCommand: Hashable, Sendable {
    /// The device that it is for; `nil`: all of them.
    package var device: HouseholdID?
    /// A JWS in compact form.
    package var signed: [UInt8]

    /// Makes a command of these values.
    package init(device: HouseholdID?, signed: [UInt8]) {
        self.device = device
        self.signed = signed
    }
}
