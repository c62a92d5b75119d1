package import GateModel

/// Something of a device's that Home Assistant shows.
package enum HomeAssistantEntity: String, Hashable, Sendable, CaseIterable {
    /// The padlock: locked, but in parent mode.
    case padlock
    /// The mode, as a word.
    case mode
    /// When parent mode ends. It is there in parent mode alone.
    case end
    /// Whether the device is connected to the broker.
    case connection
    /// Locks.
    case lock
    /// Lengthens parent mode.
    case extend
    /// When the newest question was asked that is open; its number, kind and words are attributes. It is there as long as a question is.
    /// There are no buttons for an answer: one sends what Home Assistant knows when it is pressed, which may be another question than the
    /// one that the person has read.
    case request

    /// Its kind, as Home Assistant calls it.
    package var component: String {
        switch self {
        case .padlock: "lock"
        case .mode, .end, .request: "sensor"
        case .connection: "binary_sensor"
        case .lock, .extend: "button"
        }
    }

    /// Whether Home Assistant is told of it, with these settings. Otherwise it is taken back.
    package func isFound(_ settings: HouseholdSettings.HomeAssistant) -> Bool {
        guard settings.isFound else { return false }
        switch self {
        case .padlock, .mode, .end, .connection, .lock, .request: return true
        case .extend: return settings.may.contains(.extend)
        }
    }

    /// The topic of its description. Home Assistant calls the third level the node; it is the device's id alone, so that an access list
    /// of the broker can tell whose it is.
    package func topic(of device: HouseholdID) -> String {
        "homeassistant/\(component)/\(device)/\(rawValue)/config"
    }
}

/// The names of what Home Assistant shows, in the language of this device.
package struct HomeAssistantNames: Hashable, Sendable {
    package var mode: String
    package var end: String
    package var connection: String
    package var lock: String
    package var extend: String
    package var request: String

    /// Makes names of these.
    package init(mode: String, end: String, connection: String, lock: String, extend: String, request: String) {
        self.mode = mode
        self.end = end
        self.connection = connection
        self.lock = lock
        self.extend = extend
        self.request = request
    }
}
