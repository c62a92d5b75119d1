package import GateModel

/// A configuration of mosquitto that is ready to be copied, for devices with a certificate of the household, and their
/// access list. Devices that join have a broker of their own: `JoinBroker`.
package struct MosquittoConfiguration: Hashable, Sendable {
    /// The port for devices without a certificate.
    package static let defaultJoinPort: UInt16 = 8884
    /// The folder for these files at the broker.
    package static let defaultFolder = "/etc/mosquitto/gate"

    package var household: HouseholdID
    /// The device that has the household's key.
    package var keeper: HouseholdID
    /// The port for devices with a certificate.
    package var port: UInt16
    /// The folder for these files at the broker.
    package var folder: String

    package init(
        household: HouseholdID, keeper: HouseholdID, port: UInt16, folder: String = Self.defaultFolder
    ) {
        self.household = household
        self.keeper = keeper
        self.port = port
        self.folder = folder
    }

    /// `gate.conf`.
    package var text: String {
        """
        # Gate's household \(household), for mosquitto 2. Devices that join have another broker: join.conf.
        per_listener_settings true
        persistence true
        max_packet_size \(HouseholdLimits.packetBytes)
        max_inflight_messages 100
        max_queued_messages \(HouseholdLimits.queuedMessages)
        max_queued_bytes \(HouseholdLimits.queuedBytes)

        # Devices, which show a certificate of the household. The name in it is the device's id.
        listener \(port)
        cafile \(folder)/ca.pem
        certfile \(folder)/server.pem
        keyfile \(folder)/server.key
        crlfile \(folder)/revoked.pem
        tls_version tlsv1.2
        require_certificate true
        use_identity_as_username true
        allow_anonymous false
        acl_file \(folder)/devices.acl

        """
    }

    package var file: HouseholdFile {
        HouseholdFile(HouseholdFileName.brokerConfiguration, Array(text.utf8), for: .everybody)
    }

    /// `devices.acl`. Its rules can't say "all but", so each topic that may be read is listed.
    /// `examples/household/gate.acl` has the same lines.
    package var deviceRules: String {
        let root = "gate/\(household)"
        return """
            # Each device writes below its own id alone (%u), and what is sealed or signed may be read by all of them. Mosquitto warns of the
            # lines without %u; they are meant for all devices.
            pattern write \(root)/devices/%u/state
            pattern write \(root)/devices/%u/availability
            pattern write \(root)/devices/%u/requests/+
            pattern write \(root)/devices/%u/to/+/commands
            pattern write \(root)/devices/%u/to/+/results
            pattern write \(root)/devices/%u/to/+/answers/+
            pattern write \(root)/shared/receipts/%u/+
            pattern write \(root)/shared/usage/%u
            pattern read \(root)/devices/+/state
            pattern read \(root)/devices/+/availability
            pattern read \(root)/devices/+/requests/+
            pattern read \(root)/devices/+/to/%u/commands
            pattern read \(root)/devices/+/to/all/commands
            pattern read \(root)/devices/+/to/%u/results
            pattern read \(root)/devices/+/to/%u/answers/+
            pattern read \(root)/devices/%u/to/+/answers/+
            pattern read \(root)/shared/guardians
            pattern read \(root)/shared/policy
            pattern read \(root)/shared/receipts/#
            pattern read \(root)/shared/usage/+
            pattern read \(root)/shared/certificates/%u

            # Home Assistant: each device describes itself, and hears what is asked of it.
            pattern write homeassistant/lock/%u/+/config
            pattern write homeassistant/sensor/%u/+/config
            pattern write homeassistant/binary_sensor/%u/+/config
            pattern write homeassistant/button/%u/+/config
            pattern read homeassistant/sensor/%u/+/config
            pattern read \(root)/devices/%u/home-assistant/set
            pattern write \(root)/devices/%u/home-assistant/request
            pattern write \(root)/devices/%u/home-assistant/used

            # Its certificate is made by `gate-household home-assistant`. No device has this name. What the lines for all devices allow is for
            # them alone.
            user \(HomeAssistantAccess.userName)
            topic deny \(root)/devices/+/requests/#
            topic deny \(root)/devices/+/to/#
            topic deny \(root)/shared/#
            topic read \(root)/devices/+/state
            topic read \(root)/devices/+/availability
            topic write \(root)/devices/+/home-assistant/set
            topic read \(root)/devices/+/home-assistant/request
            topic read \(root)/devices/+/home-assistant/used
            topic read homeassistant/#
            topic write homeassistant/status

            # The device that has the household's key.
            user \(keeper)
            topic readwrite \(root)/shared/guardians
            topic readwrite \(root)/shared/policy
            topic readwrite \(root)/shared/certificates/+
            topic readwrite \(root)/join/#
            # It takes away what devices that are gone have left, and what any device has kept where nothing is to be kept.
            topic write \(root)/devices/+/state
            topic write \(root)/devices/+/availability
            topic write \(root)/devices/+/requests/+
            topic write \(root)/devices/+/home-assistant/request
            topic write \(root)/devices/+/home-assistant/used
            topic write \(root)/shared/receipts/+/+
            topic write \(root)/shared/usage/+
            topic write homeassistant/+/+/+/config
            topic read homeassistant/+/+/+/config
            topic readwrite \(root)/devices/+/to/+/commands
            topic readwrite \(root)/devices/+/to/+/results
            topic readwrite \(root)/devices/+/to/+/answers/+

            """
    }

    package var deviceRulesFile: HouseholdFile {
        HouseholdFile("\(HouseholdFileName.broker)/devices.acl", Array(deviceRules.utf8), for: .everybody)
    }
}

/// The topics of joining: `gate/HOUSEHOLD/join/…`.
package enum JoinTopic {
    /// The authority's certificate, retained, for newcomers that know only its fingerprint.
    package static func authority(in household: HouseholdID) -> String { "gate/\(household)/join/authority" }
    /// A filter for the certificates of all households, for a newcomer that does not know the household's id yet.
    package static let anyAuthority = "gate/+/join/authority"
    /// The device that has the household's key writes here, and hears itself.
    package static func echo(in household: HouseholdID) -> String { "gate/\(household)/join/echo" }
    /// The one level where newcomers may write, the same for all codes.
    static let place = "newcomer"
    /// A newcomer writes here.
    package static func request(_ place: String, in household: HouseholdID) -> String {
        "gate/\(household)/join/\(place)/request"
    }
    /// The inviting device writes here.
    package static func answer(_ place: String, in household: HouseholdID) -> String {
        "gate/\(household)/join/\(place)/answer"
    }

    /// The household of an `authority` topic; `nil` if it is another topic.
    package static func household(ofAuthority topic: String) -> HouseholdID? {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == 4, levels[0] == "gate", levels[2] == "join", levels[3] == "authority" else { return nil }
        return HouseholdID(String(levels[1]))
    }
}
