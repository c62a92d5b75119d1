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
    /// How Home Assistant finds this device; `nil`: it is told nothing.
    package var homeAssistant: HomeAssistant?
    /// Whether this device takes the policy that the household has for all of its devices.
    package var takesPolicy: Bool
    /// Whether what was bought here counts on the others, and what was bought there here (H-05).
    package var sharesReceipts: Bool

    /// The longest name of a device, in UTF-8.
    package static let maximumNameByteCount = 64

    /// Makes settings of these values.
    package init(
        household: HouseholdID, device: HouseholdID, name: String, publicKey: [UInt8], broker: Broker,
        homeAssistant: HomeAssistant? = nil, takesPolicy: Bool = false, sharesReceipts: Bool = false
    ) {
        self.household = household
        self.device = device
        self.name = name
        self.publicKey = publicKey
        self.broker = broker
        self.homeAssistant = homeAssistant
        self.takesPolicy = takesPolicy
        self.sharesReceipts = sharesReceipts
    }

    /// Home Assistant, which finds devices at the broker.
    package struct HomeAssistant: Hashable, Sendable {
        /// The things that it may do here, beside locking. They need no guardian, so that anyone who runs the broker can do them.
        package var may: Set<HomeAssistantPermission>
        /// Whether the device describes itself. Otherwise it takes back what it said before.
        package var isFound: Bool
        /// Whether it is told the words of what is asked here. Anyone who runs the broker reads them.
        package var tellsWords: Bool

        /// Makes settings of these values.
        package init(may: Set<HomeAssistantPermission> = [], isFound: Bool = true, tellsWords: Bool = false) {
            self.may = may
            self.isFound = isFound
            self.tellsWords = tellsWords
        }
    }

    /// Whether Home Assistant may do this here.
    package func homeAssistantMay(_ permission: HomeAssistantPermission) -> Bool {
        homeAssistant?.may.contains(permission) ?? false
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
