/// The settings of `household.yaml`: the household that this device belongs to, as an administrator has set it up. Without that file it
/// belongs to none.
package struct HouseholdSettings: Hashable, Sendable {
    /// The id of the household.
    package var household: HouseholdID
    /// The id of this device within it.
    package var device: HouseholdID
    /// The name of this device, as people read it.
    package var name: String
    /// The household's Ed25519 key, 32 bytes: it vouches for guardians and devices.
    package var publicKey: [UInt8]
    /// Where the devices meet.
    package var broker: Broker
    /// The things that Home Assistant may do here, beside locking. They need no guardian, so that anyone who runs the broker can do them.
    package var homeAssistant: Set<HomeAssistantPermission>

    /// The longest name of a device, in UTF-8.
    package static let maximumNameByteCount = 64

    /// Makes settings of these values.
    package init(
        household: HouseholdID, device: HouseholdID, name: String, publicKey: [UInt8], broker: Broker,
        homeAssistant: Set<HomeAssistantPermission> = []
    ) {
        self.household = household
        self.device = device
        self.name = name
        self.publicKey = publicKey
        self.broker = broker
        self.homeAssistant = homeAssistant
    }

    /// An MQTT 5 broker, over TLS.
    package struct Broker: Hashable, Sendable {
        /// Its name or address.
        package var host: String
        /// Its port.
        package var port: UInt16
        /// The path of the certificate (PEM) that vouches for the broker. Like the other two, it is absolute or leads from the
        /// configuration directory.
        package var authority: String
        /// The path of this device's certificate (PEM).
        package var certificate: String
        /// The path of this device's private key (PEM).
        package var key: String

        /// MQTT over TLS, as IANA has it.
        package static let defaultPort: UInt16 = 8883

        /// Makes a broker of these values.
        package init(host: String, port: UInt16 = Self.defaultPort, authority: String, certificate: String, key: String)
        {
            self.host = host
            self.port = port
            self.authority = authority
            self.certificate = certificate
            self.key = key
        }
    }
}

/// Something that Home Assistant may do on a device whose administrator has said so.
package enum HomeAssistantPermission: String, Hashable, Sendable, CaseIterable {
    /// Lengthen parent mode.
    case extend
    /// Answer what is asked.
    case answer
}
