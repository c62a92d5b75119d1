/// The settings of `household.yaml`: which household this device belongs to. Without that file it belongs to none.
package struct HouseholdSettings: Hashable, Sendable {
    package var household: HouseholdID
    package var device: HouseholdID
    /// The name of this device for people.
    package var name: String
    /// The household's Ed25519 public key, 32 bytes. Its signature vouches for guardians and devices.
    package var publicKey: [UInt8]
    /// The MQTT broker over which the devices of the household reach each other.
    package var broker: Broker
    /// What Home Assistant, which finds devices at the broker, may know and do; `nil` if nothing is published for it.
    package var homeAssistant: HomeAssistant?
    /// Whether this device applies the policy that the household publishes for all its devices.
    package var takesPolicy: Bool
    /// Whether receipts are shared: purchases made on this device count on the others, and theirs count here.
    package var sharesReceipts: Bool
    /// Whether use is summed: the time that people use on this device counts on the others, and theirs counts here.
    package var sumsUsage: Bool

    package static let maximumNameByteCount = 64

    package init(
        household: HouseholdID, device: HouseholdID, name: String, publicKey: [UInt8], broker: Broker,
        homeAssistant: HomeAssistant? = nil, takesPolicy: Bool = false, sharesReceipts: Bool = false,
        sumsUsage: Bool = false
    ) {
        self.household = household
        self.device = device
        self.name = name
        self.publicKey = publicKey
        self.broker = broker
        self.homeAssistant = homeAssistant
        self.takesPolicy = takesPolicy
        self.sharesReceipts = sharesReceipts
        self.sumsUsage = sumsUsage
    }

    package struct HomeAssistant: Hashable, Sendable {
        /// What Home Assistant may do here besides locking. No guardian signs it: anyone who runs the broker can do it.
        package var may: Set<HomeAssistantPermission>
        /// Whether the device describes itself to Home Assistant. If not, it withdraws an earlier description.
        package var isFound: Bool
        /// Whether the words of questions asked here are published for Home Assistant. Anyone who runs the broker can
        /// read them.
        package var tellsWords: Bool

        package init(may: Set<HomeAssistantPermission> = [], isFound: Bool = true, tellsWords: Bool = false) {
            self.may = may
            self.isFound = isFound
            self.tellsWords = tellsWords
        }

        /// Whether the time that people use here is published for Home Assistant.
        package var tellsUse: Bool { isFound && tellsWords }
    }

    package func homeAssistantMay(_ permission: HomeAssistantPermission) -> Bool {
        homeAssistant?.may.contains(permission) ?? false
    }

    /// An MQTT 5 broker, over TLS.
    package struct Broker: Hashable, Sendable {
        /// A DNS name or an IP address.
        package var host: String
        package var port: UInt16
        /// The path of the certificate that vouches for the broker. This file, `certificate` and `key` are in PEM, and
        /// their paths are absolute or relative to the configuration directory.
        package var authority: String
        package var certificate: String
        package var key: String

        /// The port that IANA assigned to MQTT over TLS.
        package static let defaultPort: UInt16 = 8883

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

/// What Home Assistant may do on a device if the administrator allows it in `household.yaml`.
package enum HomeAssistantPermission: String, Hashable, Sendable, CaseIterable {
    /// Lengthen parent mode.
    case extend
    /// Answer the questions that the device asks grown-ups.
    case answer
}
