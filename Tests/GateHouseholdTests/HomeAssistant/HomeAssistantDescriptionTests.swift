import Foundation
import GateModel
import Testing

@testable import GateHousehold

@Suite("Descriptions have the keys that Home Assistant 2024.3 knows, and no others (H-07)")
struct HomeAssistantDescriptionTests {
    private typealias Sample = SampleHomeAssistant

    // Home Assistant's documentation of MQTT discovery, release 2024.3: https://www.home-assistant.io/integrations/mqtt/

    /// Keys of every kind of entity.
    private static let common: Set<String> = [
        "availability", "availability_mode", "availability_template", "availability_topic", "device",
        "enabled_by_default",
        "encoding", "entity_category", "icon", "json_attributes_template", "json_attributes_topic", "name", "object_id",
        "payload_available", "payload_not_available", "qos", "unique_id",
    ]
    private static let known: [String: Set<String>] = [
        "lock": [
            "code_format", "command_template", "command_topic", "optimistic", "payload_lock", "payload_open",
            "payload_unlock", "retain", "state_jammed", "state_locked", "state_locking", "state_topic",
            "state_unlocked", "state_unlocking", "value_template",
        ],
        // No `options`: a sensor has them from 2024.9 on.
        "sensor": [
            "device_class", "expire_after", "force_update", "last_reset_value_template", "state_class", "state_topic",
            "suggested_display_precision", "unit_of_measurement", "value_template",
        ],
        "binary_sensor": [
            "device_class", "expire_after", "force_update", "off_delay", "payload_off", "payload_on", "state_topic",
            "value_template",
        ],
        "button": ["command_template", "command_topic", "device_class", "payload_press", "retain"],
    ]
    /// Without these keys Home Assistant refuses an entity.
    private static let needed: [String: Set<String>] = [
        "lock": ["command_topic"], "sensor": ["state_topic"], "binary_sensor": ["state_topic"],
        "button": ["command_topic"],
    ]
    // No `model_id`: from 2024.8 on.
    private static let ofDevice: Set<String> = [
        "configuration_url", "connections", "hw_version", "identifiers", "manufacturer", "model", "name",
        "serial_number", "suggested_area", "sw_version", "via_device",
    ]
    private static let ofAvailability: Set<String> = [
        "payload_available", "payload_not_available", "topic", "value_template",
    ]
    private static let deviceClasses = ["sensor": ["timestamp", "duration"], "binary_sensor": ["connectivity"]]

    private func object(_ entity: HomeAssistantEntity) throws -> [String: Any] {
        try #require(
            try JSONSerialization.jsonObject(with: Data(Sample.description.json(of: entity))) as? [String: Any])
    }

    @Test("a description has only known keys and all required ones", arguments: HomeAssistantEntity.allCases)
    func keys(entity: HomeAssistantEntity) throws {
        let object = try object(entity)
        let known = try #require(Self.known[entity.component], "\(entity.component) is no component")
        #expect(Set(object.keys).subtracting(known).subtracting(Self.common) == [])
        #expect(Self.needed[entity.component]?.subtracting(object.keys) == [])
        // Entities of a device need both.
        #expect(object["unique_id"] as? String == "gate_\(SampleHousehold.me)_\(entity.rawValue)")
        let device = try #require(object["device"] as? [String: Any])
        #expect(Set(device.keys).subtracting(Self.ofDevice) == [])
        #expect(device["identifiers"] as? [String] == ["gate_\(SampleHousehold.me)"])
        #expect(device["name"] as? String == "Mine" && device["sw_version"] as? String == "0.9.0")
        for place in object["availability"] as? [[String: Any]] ?? [] {
            #expect(Set(place.keys).subtracting(Self.ofAvailability) == [] && place["topic"] != nil)
        }
        if let deviceClass = object["device_class"] as? String {
            #expect(Self.deviceClasses[entity.component]?.contains(deviceClass) == true)
        }
        #expect(try #require(object["qos"] as? Int) == 1)
        #expect(
            object["retain"] == nil && object["optimistic"] == nil, "what is asked for is never kept, and never assumed"
        )
    }

    @Test(
        "a description's topic is this device's and of the form that Home Assistant looks for",
        arguments: HomeAssistantEntity.allCases)
    func topics(entity: HomeAssistantEntity) throws {
        let levels = entity.topic(of: SampleHousehold.me).split(separator: "/").map(String.init)
        #expect(levels == ["homeassistant", entity.component, "\(SampleHousehold.me)", entity.rawValue, "config"])
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
        #expect(levels.dropFirst(2).allSatisfy { !$0.isEmpty && $0.allSatisfy(allowed.contains) })
        let root = "gate/\(SampleHousehold.household)/devices/\(SampleHousehold.me)/"
        let object = try object(entity)
        let own = ["state", "availability", "home-assistant/set", "home-assistant/request", "home-assistant/used"].map {
            root + $0
        }
        let places = object["availability"] as? [[String: Any]] ?? []
        let used =
            ["state_topic", "command_topic", "json_attributes_topic"].compactMap { object[$0] as? String }
            + places.compactMap { $0["topic"] as? String }
        #expect(!used.isEmpty && used.allSatisfy(own.contains))
        // A button or padlock of a device that is away is unavailable.
        if object["command_topic"] != nil { #expect(places.count == 1) }
    }

    @Test(
        "each button of Home Assistant sends an order that Gate understands, and there is none for unlocking",
        arguments: HomeAssistantEntity.allCases)
    func payloads(entity: HomeAssistantEntity) throws {
        let object = try object(entity)
        let orders = ["payload_lock", "payload_press"].compactMap { object[$0] as? String }
            .map { HomeAssistantOrder(payload: Array($0.utf8)) }
        switch entity {
        case .padlock, .lock: #expect(orders == [.lock])
        case .extend: #expect(orders == [.extend(nil)])
        // No button answers a question, because it could not say which question the person has read.
        case .mode, .end, .connection, .request, .used: #expect(orders.isEmpty)
        }
        if let unlock = object["payload_unlock"] as? String {
            #expect(HomeAssistantOrder(payload: Array(unlock.utf8)) == nil)
        }
    }

    @Test("names are in the device's language, and the padlock has the device's own name")
    func names() throws {
        #expect(try object(.padlock)["name"] is NSNull)
        var german = Sample.description
        german.names.mode = "Modus"
        german.name = "Mias \"Tablet\""
        let text = String(decoding: german.json(of: .mode), as: UTF8.self)
        #expect(text.contains(#""name":"Modus""#) && text.contains(#""name":"Mias \"Tablet\"""#))
    }

    @Test("the sensor of a person's use has known keys, and finds the person in the message by any name (Z-06)")
    func person() throws {
        let text = Sample.description.json(ofPerson: #"O'Mia \"#, uid: 1002)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
        let known = try #require(Self.known["sensor"])
        #expect(Set(object.keys).subtracting(known).subtracting(Self.common) == [])
        let root = "gate/\(SampleHousehold.household)/devices/\(SampleHousehold.me)"
        let person = #"((value_json | default({})).people | default({})).get('O\'Mia \\', {})"#
        let expected = [
            "name": #"Time used today: O'Mia \"#, "unique_id": "gate_\(SampleHousehold.me)_used_1002",
            "device_class": "duration", "state_class": "total_increasing", "unit_of_measurement": "min",
            "state_topic": "\(root)/home-assistant/used", "json_attributes_topic": "\(root)/home-assistant/used",
            "value_template": "{{ \(person).values() | sum }}",
            "json_attributes_template": "{{ \(person) | tojson }}",
        ]
        for (key, value) in expected { #expect(object[key] as? String == value) }
        #expect(object.count == expected.count + 3 && object["availability"] != nil)
        #expect(
            HomeAssistantEntity.topic(ofPerson: 1002, on: SampleHousehold.me)
                == "homeassistant/sensor/\(SampleHousehold.me)/used_1002/config")
    }

    @Test("a complete description")
    func whole() {
        let root = "gate/\(SampleHousehold.household)/devices/\(SampleHousehold.me)"
        #expect(
            String(decoding: Sample.description.json(of: .connection), as: UTF8.self)
                == #"{"device":{"identifiers":["gate_\#(SampleHousehold.me)"],"manufacturer":"Gate","name":"Mine","#
                + #""sw_version":"0.9.0"},"device_class":"connectivity","entity_category":"diagnostic","#
                + #""name":"Connection","payload_off":"offline","payload_on":"online","qos":1,"#
                + #""state_topic":"\#(root)/availability","unique_id":"gate_\#(SampleHousehold.me)_connection"}"#)
    }
}
