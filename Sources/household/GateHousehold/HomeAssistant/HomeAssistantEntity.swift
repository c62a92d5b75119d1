package import GateModel

/// An entity of a device that Home Assistant shows.
package enum HomeAssistantEntity: String, Hashable, Sendable, CaseIterable {
    /// The padlock, which is unlocked only in parent mode.
    case padlock
    /// The mode, as a word.
    case mode
    /// When parent mode ends. Available only in parent mode.
    case end
    /// Whether the device is connected to the broker.
    case connection
    case lock
    case extend
    /// When the newest open question was asked. Its number, kind and words are attributes. Available only while a
    /// question is open. There are no buttons to answer it: a button would answer the question that is the newest when
    /// it is pressed, which may not be the one that the person has read.
    case request
    /// How many minutes of allowances were used today. Who used how much of what are attributes.
    case used

    /// The kind of entity, as Home Assistant calls it.
    package var component: String {
        switch self {
        case .padlock: "lock"
        case .mode, .end, .request, .used: "sensor"
        case .connection: "binary_sensor"
        case .lock, .extend: "button"
        }
    }

    /// Whether this entity is published for Home Assistant. If not, its description is cleared.
    package func isFound(_ settings: HouseholdSettings.HomeAssistant) -> Bool {
        guard settings.isFound else { return false }
        switch self {
        case .padlock, .mode, .end, .connection, .lock, .request: return true
        case .extend: return settings.may.contains(.extend)
        case .used: return settings.tellsUse
        }
    }

    /// The topic of the description of one person's sensor. People are told apart by their own users, so the sensor
    /// stays if somebody gets another name.
    package static func topic(ofPerson uid: UInt32, on device: HouseholdID) -> String {
        "\(sensors(of: device))\(name(ofPerson: uid))/config"
    }

    static func name(ofPerson uid: UInt32) -> String { "\(Self.used.rawValue)_\(uid)" }

    /// The beginning of the topics of the descriptions of a device's sensors.
    static func sensors(of device: HouseholdID) -> String { "homeassistant/\(Self.used.component)/\(device)/" }

    /// The filter of the descriptions of a device's sensors.
    package static func sensorFilter(of device: HouseholdID) -> String { "\(sensors(of: device))+/config" }

    /// The person whose sensor a topic describes, by their own user; `nil` if it is another topic.
    static func person(ofTopic topic: String, on device: HouseholdID) -> UInt32? {
        let name = topic.split(separator: "/").dropLast().last
        let uid = name.flatMap { $0.split(separator: "_").last }.flatMap { UInt32($0) }
        return uid.flatMap { topic == Self.topic(ofPerson: $0, on: device) ? $0 : nil }
    }

    /// The topic of the entity's description. The third level, Home Assistant's node, is the device's id alone, so that
    /// the broker's access list can tell whose it is.
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
    package var used: String
    /// The name of the sensor of one person's used time, with `{name}` in the place of the person's name.
    package var usedByPerson: String

    package init(
        mode: String, end: String, connection: String, lock: String, extend: String, request: String, used: String,
        usedByPerson: String
    ) {
        self.mode = mode
        self.end = end
        self.connection = connection
        self.lock = lock
        self.extend = extend
        self.request = request
        self.used = used
        self.usedByPerson = usedByPerson
    }
}
