import FoundationEssentials
import GateGuardians
package import GateModel

/// The description of a device for Home Assistant: a JSON object for each entity, with keys that version 2024.3 knows.
package struct HomeAssistantDescription: Hashable, Sendable {
    package var household: HouseholdID
    package var device: HouseholdID
    package var name: String
    package var version: String
    package var names: HomeAssistantNames

    package init(
        household: HouseholdID, device: HouseholdID, name: String, version: String, names: HomeAssistantNames
    ) {
        self.household = household
        self.device = device
        self.name = name
        self.version = version
        self.names = names
    }

    package func json(of entity: HomeAssistantEntity) -> [UInt8] { json(entity.rawValue, keys(of: entity)) }

    /// The sensor of what one person has used today. Its attributes are the allowances.
    package func json(ofPerson name: String, uid: UInt32) -> [UInt8] {
        // Without defaults, a cleared topic would be logged as an error, and so would a message without this person.
        let used = "((value_json | default({})).people | default({})).get(\(Self.literal(name)), {})"
        return json(
            HomeAssistantEntity.name(ofPerson: uid),
            [
                "name": .text(names.usedByPerson.replacing("{name}", with: name)),
                "state_topic": topic(.homeAssistantUsed(device)), "device_class": .text("duration"),
                "state_class": .text("total_increasing"), "unit_of_measurement": .text("min"),
                "value_template": .text("{{ \(used).values() | sum }}"),
                "json_attributes_topic": topic(.homeAssistantUsed(device)),
                "json_attributes_template": .text("{{ \(used) | tojson }}"), "availability": isOnline,
            ])
    }

    /// The text as a literal in Home Assistant's templates, which take the escapes of Python.
    private static func literal(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }

    private func json(_ id: String, _ keys: [String: Value]) -> [UInt8] {
        var object: [String: Value] = [
            "unique_id": .text("gate_\(device)_\(id)"),
            "device": .object([
                "identifiers": .list([.text("gate_\(device)")]), "manufacturer": .text("Gate"), "name": .text(name),
                "sw_version": .text(version),
            ]),
            // With QoS 0, messages from and to Home Assistant would get lost on a bad network.
            "qos": .number(1),
        ]
        object.merge(keys) { $1 }
        return SortedJSON.bytes(of: Value.object(object))
    }

    private func keys(of entity: HomeAssistantEntity) -> [String: Value] {
        switch entity {
        case .padlock:
            // Home Assistant offers to unlock any lock. The device ignores that, so the state stays.
            [
                "name": .null, "state_topic": topic(.state(device)), "command_topic": topic(.homeAssistant(device)),
                "value_template": .text("{{ 'UNLOCKED' if value_json.mode == 'parent' else 'LOCKED' }}"),
                "payload_lock": .text("lock"), "payload_unlock": .text("unlock"), "availability": isOnline,
            ]
        case .mode:
            [
                "name": .text(names.mode), "state_topic": topic(.state(device)),
                "value_template": .text("{{ value_json.mode }}"), "availability": isOnline,
            ]
        case .end:
            // Without a time Home Assistant would log an error, so there is always one. The entity is unavailable if it
            // is not the end of parent mode.
            [
                "name": .text(names.end), "state_topic": topic(.state(device)), "device_class": .text("timestamp"),
                "value_template": .text(
                    "{{ ((value_json.parentUntil or value_json.updated) / 1000) | timestamp_custom('%Y-%m-%dT%H:%M:%S+00:00', false) }}"
                ),
                "availability": .list([
                    .object(["topic": topic(.availability(device))]),
                    .object([
                        "topic": topic(.state(device)),
                        "value_template": .text("{{ 'online' if value_json.parentUntil else 'offline' }}"),
                    ]),
                ]),
                "availability_mode": .text("all"),
            ]
        case .connection:
            [
                "name": .text(names.connection), "state_topic": topic(.availability(device)),
                "device_class": .text("connectivity"), "entity_category": .text("diagnostic"),
                "payload_on": .text(Availability.online.rawValue), "payload_off": .text(Availability.offline.rawValue),
            ]
        case .lock: button(names.lock, pressed: "lock")
        case .extend: button(names.extend, pressed: "extend")
        case .request:
            // There always is a time, as for `end`. Without defaults, a cleared topic would be logged as an error.
            [
                "name": .text(names.request), "state_topic": topic(.homeAssistantRequest(device)),
                "device_class": .text("timestamp"),
                "value_template": .text(
                    "{{ (value_json | default({'asked': none})).asked or '1970-01-01T00:00:00Z' }}"),
                "json_attributes_topic": topic(.homeAssistantRequest(device)),
                "json_attributes_template": .text("{{ value or '{}' }}"),
                "availability": .list([
                    .object(["topic": topic(.availability(device))]),
                    .object([
                        "topic": topic(.homeAssistantRequest(device)),
                        "value_template": .text(
                            "{{ 'online' if (value_json | default({'request': none})).request else 'offline' }}"),
                    ]),
                ]),
                "availability_mode": .text("all"),
            ]
        case .used:
            // Without a default, a cleared topic would be logged as an error.
            [
                "name": .text(names.used), "state_topic": topic(.homeAssistantUsed(device)),
                "device_class": .text("duration"), "state_class": .text("total_increasing"),
                "unit_of_measurement": .text("min"),
                "value_template": .text("{{ (value_json | default({'minutes': 0})).minutes }}"),
                "json_attributes_topic": topic(.homeAssistantUsed(device)),
                "json_attributes_template": .text("{{ value or '{}' }}"), "availability": isOnline,
            ]
        }
    }

    private func button(_ name: String, pressed payload: String) -> [String: Value] {
        [
            "name": .text(name), "command_topic": topic(.homeAssistant(device)), "payload_press": .text(payload),
            "availability": isOnline,
        ]
    }

    private var isOnline: Value { .list([.object(["topic": topic(.availability(device))])]) }

    private func topic(_ topic: HouseholdTopic) -> Value { .text(topic.text(in: household)) }

    private indirect enum Value: Encodable {
        case null
        case text(String)
        case number(Int)
        case list([Value])
        case object([String: Value])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            case .list(let values): try container.encode(values)
            case .object(let values): try container.encode(values)
            }
        }
    }
}
