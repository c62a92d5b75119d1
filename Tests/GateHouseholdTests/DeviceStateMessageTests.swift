import Foundation
import GateModel
import Testing

@testable import GateHousehold

@Suite("The state of a device as JSON (H-03)")
struct DeviceStateMessageTests {
    private static let device = SampleHousehold.me.description
    private static let challenge = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    private static let full = DeviceStateMessage(
        device: SampleHousehold.me, name: "Mia's tablet / Küche", mode: .parent,
        parentUntil: WallTime(unixMilliseconds: 1_800_000_000_123),
        updated: WallTime(unixMilliseconds: 1_799_999_999_999),
        challenge: SampleHousehold.challenge, gate: "0.9.0")
    private static let least = DeviceStateMessage(
        device: SampleHousehold.me, name: "T", mode: .child, parentUntil: nil, updated: WallTime(unixMilliseconds: 0),
        challenge: [], gate: "1")

    @Test("a state is written with all its keys, and read back")
    func written() throws {
        #expect(
            String(decoding: Self.full.json, as: UTF8.self) == """
                {"challenge":"\(Self.challenge)","device":"\(Self.device)","gate":"0.9.0","mode":"parent",\
                "name":"Mia's tablet / Küche","parentUntil":1800000000123,"updated":1799999999999,"version":1}
                """)
        #expect(
            String(decoding: Self.least.json, as: UTF8.self) == """
                {"challenge":null,"device":"\(Self.device)","gate":"1","mode":"child","name":"T","parentUntil":null,\
                "updated":0,"version":1}
                """)
        for message in [Self.full, Self.least] { #expect(DeviceStateMessage(json: message.json) == message) }
    }

    @Test("unknown keys are ignored, and optional ones may be missing")
    func lenient() {
        let json = """
            {"version":1,"device":"\(Self.device)","name":"T","mode":"child","updated":0,"gate":"1","battery":{"a":[1]}}
            """
        #expect(DeviceStateMessage(json: Array(json.utf8)) == Self.least)
    }

    @Test("a state has the number of the household policy if one is in force")
    func policy() throws {
        var message = Self.full
        message.policy = 7
        #expect(DeviceStateMessage(json: message.json) == message)
        #expect(try JSONSchema.of("state").faults(of: message.json) == [])
        #expect(!String(decoding: Self.full.json, as: UTF8.self).contains("policy"))
    }

    @Test("a state names the run that sent it, and a twin, if these are known")
    func twin() throws {
        var message = Self.full
        (message.instance, message.hasTwin) = ("1f", true)
        #expect(DeviceStateMessage(json: message.json) == message)
        #expect(try JSONSchema.of("state").faults(of: message.json) == [])
        message.instance = String(repeating: "1", count: 65)
        #expect(DeviceStateMessage(json: message.json) == nil)
    }

    @Test(
        "a state with a malformed value is refused",
        arguments: [
            ("version", "2"), ("version", "\"1\""), ("version", "null"), ("device", "\"a\""), ("device", "null"),
            ("name", "\"\""), ("name", "\" T\""), ("name", "\"a\\nb\""), ("name", "\"a\\u202eb\""),
            ("name", "\"\(String(repeating: "ü", count: 33))\""), ("name", "1"), ("mode", "\"open\""),
            ("mode", "\"Parent\""), ("updated", "null"), ("updated", "1.5"), ("updated", "9223372036854775808"),
            ("parentUntil", "\"soon\""), ("challenge", "\"\""), ("challenge", "\"AAEC\""),
            ("challenge", "\"\(challenge)=\""), ("challenge", "\"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9\""),
            ("gate", "\"\""), ("gate", "\"\(String(repeating: "1", count: 65))\""), ("gate", "null"),
            ("policy", "0"), ("policy", "\"7\""), ("policy", "-1"), ("policy", "35184372088833"),
        ])
    func refused(key: String, value: String) throws {
        var object = try #require(
            try JSONSerialization.jsonObject(with: Data(Self.full.json)) as? [String: Any])
        object[key] = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
        let json = try JSONSerialization.data(withJSONObject: object)
        #expect(DeviceStateMessage(json: Array(json)) == nil)
    }

    @Test(
        "malformed JSON and texts that are too long are refused",
        arguments: ["", "null", "[]", "{", "{}", String(repeating: "[", count: 4000), "\u{0}"])
    func nonsense(text: String) {
        #expect(DeviceStateMessage(json: Array(text.utf8)) == nil)
        #expect(DeviceStateMessage(json: Self.full.json + Array(repeating: 0x20, count: 4096)) == nil)
        #expect(DeviceStateMessage(json: Array(repeating: 0xFF, count: 100)) == nil)
    }

    @Test("a state follows the schema in docs/household.schema.json")
    func schema() throws {
        let schema = try JSONSchema.of("state")
        for message in [Self.full, Self.least, SampleHousehold.state(mode: .verifying)] {
            #expect(try schema.faults(of: message.json) == [])
        }
        // The schema also refuses something, so it is not one that accepts everything.
        let text = String(decoding: Self.full.json, as: UTF8.self)
        for (old, new) in [
            ("\"version\":1", "\"version\":2"), ("\"parent\"", "\"open\""), ("1800000000123", "\"soon\""),
            (Self.challenge, "AAEC"), ("\"gate\":\"0.9.0\",", ""), (Self.device, "A"), ("Mia's tablet / Küche", ""),
        ] {
            let broken = text.replacingOccurrences(of: old, with: new)
            #expect(try schema.faults(of: Array(broken.utf8)).count == 1, "\(broken)")
        }
    }
}
