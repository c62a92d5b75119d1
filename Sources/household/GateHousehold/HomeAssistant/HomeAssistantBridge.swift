package import GateModel

/// Connects the broker that Home Assistant uses with the household's. Home Assistant can have only one broker, and a
/// family that has other appliances there can't exchange it.
package struct HomeAssistantBridge: Hashable, Sendable {
    /// The folder for these files at the broker that Home Assistant uses.
    package static let defaultFolder = "/etc/mosquitto/gate-bridge"
    package static let fileName = "bridge.conf"

    private let household: HouseholdID
    private let broker: HouseholdSettings.Broker
    private let folder: String

    package init(_ household: HouseholdID, broker: HouseholdSettings.Broker, folder: String = Self.defaultFolder) {
        (self.household, self.broker, self.folder) = (household, broker, folder)
    }

    /// `bridge.conf`, for mosquitto's `conf.d`. Without a connection nothing is queued: nobody wants a late order.
    package var text: String {
        let root = "gate/\(household)/devices/+"
        let name = HomeAssistantAccess.userName
        return """
            # Gate's household \(household), for the mosquitto 2 that Home Assistant uses. It comes with Home Assistant's certificate, so it may no
            # more than that.
            connection gate-\(household)
            address \(broker.host):\(broker.port)
            bridge_protocol_version mqttv50
            bridge_cafile \(folder)/ca.pem
            bridge_certfile \(folder)/\(name).pem
            bridge_keyfile \(folder)/\(name).key
            cleansession true
            notifications false
            restart_timeout 2 30
            topic \(root)/state in 1
            topic \(root)/availability in 1
            topic \(root)/home-assistant/request in 1
            topic \(root)/home-assistant/used in 1
            topic homeassistant/+/+/+/config in 1
            topic \(root)/home-assistant/set out 1

            """
    }

    /// `bridge.conf`, to be put beside the certificate.
    package var file: HouseholdFile { HouseholdFile(Self.fileName, Array(text.utf8), for: .nobody) }
}
