/// What a device of the household says about itself. Nobody vouches for that, and `updated` says how old it is.
public struct DeviceReport: Hashable, Sendable, Identifiable {
    /// The id of the device in the household.
    public var id: HouseholdID
    /// The name of the device for people.
    public var name: String
    /// The mode of the device.
    public var mode: Mode
    /// When parent mode ends, by the device's own clock; `nil` if it is not in parent mode.
    public var parentUntil: WallTime?
    /// Whether it is connected to the broker.
    public var isOnline: Bool
    /// When the device said so, by its own clock.
    public var updated: WallTime
    /// The challenge that the next command for this device has to echo: 32 bytes, or empty if the device gave none.
    package var challenge: [UInt8]
    /// The version of Gate on the device.
    public var version: String
    /// The number of the household's policy that is in force there; `nil` if none is.
    public var policyNumber: UInt64?
    /// Whether two devices use this one's key, as with a copied disk. A command may have reached only one of them.
    public var hasTwin: Bool

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

/// A guardian's signed command on its way to other devices.
package struct OutgoingCommand: Hashable, Sendable {
    /// The device that has to do it; `nil`: all devices.
    package var device: HouseholdID?
    /// A JWS in compact form.
    package var signed: [UInt8]

    package init(device: HouseholdID?, signed: [UInt8]) {
        self.device = device
        self.signed = signed
    }
}
