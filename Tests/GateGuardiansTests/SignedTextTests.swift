import Foundation
import GateModel
import Testing

@testable import GateGuardians

@Suite("What a household signs (H-03)")
struct SignedTextTests {
    private static let ids = (1...4).map { HouseholdID(String(repeating: "\($0)", count: 32))! }
    private static let key = SigningKey(GateSecret((0..<32).map { UInt8($0) }))!

    static let command = GuardianCommand(
        id: ids[0], household: ids[1], device: ids[2], guardian: ids[3],
        order: .override(.parent, .seconds(900), reason: "homework is done"),
        challenge: [UInt8](repeating: 9, count: 32),
        expires: WallTime(unixMilliseconds: 1_800_000_000_000))

    static let list = HouseholdList(
        household: ids[1], number: 3, issued: WallTime(unixMilliseconds: 1_000),
        expires: WallTime(unixMilliseconds: 2_000),
        members: [
            HouseholdMember(id: ids[2], name: "Mia's tablet", publicKey: key.publicKey),
            HouseholdMember(
                id: ids[3], name: "Küche", publicKey: [UInt8](repeating: 2, count: 32), guardian: "Anna",
                isRevoked: true),
        ])

    @Test("a payload with a long row of combining marks is refused before it is read, whoever has signed it")
    func marks() throws {
        for mark in ["\u{301}", #"\u0301"#] {
            let text = String(repeating: mark, count: CombiningMarks.maximumCount + 1)
            let signed = SignedText.sign(Array(#"{"a\#(text)": 1}"#.utf8), as: .command, with: Self.key)
            let error = #expect(throws: GuardianError.self) { try SignedText(signed, as: .command) }
            #expect(error?.check == .malformed)
        }
    }

    @Test(
        "each command is read back as it was signed",
        arguments: [
            GuardianOrder.lock, .extend(nil), .extend(.milliseconds(1)), .override(.child, nil, reason: "bed"),
            .override(.parent, .seconds(900), reason: "ü"), .override(.parent, nil, reason: "r"),
        ])
    func orders(order: GuardianOrder) throws {
        var command = Self.command
        command.order = order
        for (device, challenge) in [(command.device, command.challenge), (nil, [])] {
            (command.device, command.challenge) = (device, challenge)
            let text = try SignedText(SignedText.sign(command.payload, as: .command, with: Self.key), as: .command)
            try text.verify(with: Self.key.publicKey)
            #expect(try GuardianCommand(payload: text.payload) == command)
        }
    }

    @Test("lists and results are read back as they were signed")
    func others() throws {
        #expect(try HouseholdList(payload: Self.list.payload) == Self.list)
        for refusal in [nil, CommandResult.Refusal(.challenge, "Again.")] {
            let result = CommandResult(
                household: Self.ids[1], device: Self.ids[2], command: Self.ids[0], refusal: refusal, mode: .parent)
            #expect(try CommandResult(payload: result.payload) == result)
        }
    }

    @Test("a refusal with invisible characters is accepted, and those characters are replaced")
    func hiddenWords() throws {
        var result = CommandResult(
            household: Self.ids[1], device: Self.ids[2], command: Self.ids[0],
            refusal: .init(.refused, "No.\n\u{1B}[2JIt is done.\0"), mode: .child)
        let read = try CommandResult(payload: result.payload)
        result.refusal = .init(.refused, "No.\u{FFFD}\u{FFFD}[2JIt is done.\u{FFFD}")
        #expect(read == result)
    }

    @Test("a signed text is a JWS as RFC 7515 and RFC 8037 define it")
    func form() throws {
        let text = String(decoding: SignedText.sign(Array("{}".utf8), as: .command, with: Self.key), as: UTF8.self)
        let segments = text.split(separator: ".")
        #expect(segments.count == 3 && segments[1] == "e30")
        let header = try #require(Base64.bytes(Array(segments[0].utf8), .url))
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"EdDSA","typ":"gate-command"}"#)
        #expect(Base64.bytes(Array(segments[2].utf8), .url)?.count == 64)
    }

    @Test("a text with any byte changed is refused")
    func changed() throws {
        let signed = SignedText.sign(Self.command.payload, as: .command, with: Self.key)
        for index in signed.indices {
            var changed = signed
            changed[index] ^= 1
            #expect(throws: GuardianError.self) {
                try SignedText(changed, as: .command).verify(with: Self.key.publicKey)
            }
        }
    }

    @Test("a text signed as one kind is never accepted as another")
    func kinds() throws {
        for (kind, other) in [(SignedText.Kind.command, SignedText.Kind.result), (.result, .list), (.list, .command)] {
            let signed = SignedText.sign(Self.command.payload, as: kind, with: Self.key)
            let error = #expect(throws: GuardianError.self) { try SignedText(signed, as: other) }
            #expect(error?.check == .algorithm)
        }
    }

    @Test("a text without a valid signature by the expected key is refused")
    func keys() throws {
        let signed = SignedText.sign(Self.command.payload, as: .command, with: Self.key)
        let text = try SignedText(signed, as: .command)
        for key in [SigningKey().publicKey, [], [UInt8](repeating: 0, count: 32), Self.key.publicKey + [0]] {
            #expect(throws: GuardianError(.signature, "It was not signed with that key, or was changed since.")) {
                try text.verify(with: key)
            }
        }
        let unsigned = Array(
            String(decoding: signed, as: UTF8.self).split(separator: ".").prefix(2).joined(separator: ".").utf8)
        #expect(throws: GuardianError.self) { try SignedText(unsigned, as: .command) }
        #expect(throws: GuardianError.self) {
            try SignedText(unsigned + Array(".".utf8), as: .command).verify(with: Self.key.publicKey)
        }
    }

    @Test(
        "a header with another algorithm or other fields than Gate's is refused",
        arguments: [
            #"{"alg":"none","typ":"gate-command"}"#, #"{"alg":"HS256","typ":"gate-command"}"#,
            #"{"alg":"EdDSA","typ":"gate-command","crit":["exp"]}"#, #"{"typ":"gate-command","alg":"EdDSA"}"#, "{}",
        ])
    func headers(header: String) {
        let payload = Self.command.payload.base64URL
        let text = Array(header.utf8).base64URL + "." + payload + "." + [UInt8](repeating: 0, count: 64).base64URL
        let error = #expect(throws: GuardianError.self) { try SignedText(Array(text.utf8), as: .command) }
        #expect(error?.check == .algorithm)
    }

    @Test("a text that is too long is refused unread")
    func size() {
        let error = #expect(throws: GuardianError.self) {
            try SignedText([UInt8](repeating: 0x41, count: SignedText.maximumByteCount + 1), as: .command)
        }
        #expect(error?.check == .size)
    }

    @Test(
        "a malformed or meaningless command is refused as malformed",
        arguments: [
            ("verb", "\"open\""), ("verb", "\"extend\""), ("version", "2"), ("id", "\"1\""), ("device", "\"all\""),
            ("challenge", "\"AA\""), ("arguments", #"{"mode":"verifying","reason":"r"}"#),
            ("arguments", #"{"mode":"parent"}"#), ("arguments", #"{"mode":"parent","duration":0,"reason":"r"}"#),
            ("arguments", #"{"mode":"child","duration":5,"reason":"r"}"#), ("expires", "\"soon\""),
            ("guardian", "null"),
        ])
    func malformed(key: String, value: String) throws {
        var object = try #require(
            try JSONSerialization.jsonObject(with: Data(Self.command.payload)) as? [String: Any])
        object[key] = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
        let payload = Array(try JSONSerialization.data(withJSONObject: object))
        let error = #expect(throws: GuardianError.self) { try GuardianCommand(payload: payload) }
        #expect(error?.check == .malformed)
    }

    @Test("a list names each device once, with a name that can be shown, for 30 days at most")
    func lists() {
        let changes: [(inout HouseholdList) -> Void] = [
            { $0.members.append($0.members[0]) }, { $0.members[1].publicKey = $0.members[0].publicKey },
            { $0.members[0].name = "" }, { $0.members[0].name = "a\nb" }, { $0.members[1].guardian = "\u{202E}x" },
            { $0.members[0].publicKey = [1] }, { $0.number = 0 }, { $0.expires = $0.issued },
            { $0.expires = WallTime(unixMilliseconds: 1_001 + 30 * 86_400_000) },
        ]
        for change in changes {
            var list = Self.list
            change(&list)
            #expect(throws: GuardianError.self) { try HouseholdList(payload: list.payload) }
        }
    }
}
