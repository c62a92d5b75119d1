import Crypto
import GateGuardians
import GateModel
import Testing

@testable import GateHousehold

@Suite("Codes and keys that people type (H-01)")
struct CodeTests {
    private let authority: [UInt8] = Array(0..<200)

    @Test(
        "a code is read as it was written, however it is typed",
        arguments: ["gate.example", "localhost", "192.0.2.7", "2001:db8::7", "a_b-c.example"])
    func readBack(host: String) throws {
        let code = JoinCode(host: host, port: 8884, authority: authority, seed: JoinSeed())
        #expect(JoinCode(code.text) == code)
        #expect(JoinCode(code.text.lowercased()) == code)
        #expect(JoinCode(" " + code.text.replacing("-", with: " ") + "\n") == code)
        #expect(
            JoinCode(code.text.replacing("O", with: "0").replacing("I", with: "1").replacing("B", with: "8")) == code)
        #expect(code.isOfAuthority(authority))
        #expect(!code.isOfAuthority(authority + [0]))
    }

    @Test("a code with any one character changed, missing or twice is refused")
    func mistakes() throws {
        let text = JoinCode(host: "gate.example", port: 8884, authority: authority, seed: JoinSeed()).text
        for index in text.indices where text[index] != "-" {
            var (changed, missing, twice) = (text, text, text)
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "C" : "A")
            missing.remove(at: index)
            twice.insert(text[index], at: index)
            for mistaken in [changed, missing, twice] { #expect(JoinCode(mistaken) == nil, "\(mistaken)") }
        }
        for nothing in ["", "GATE", "GATE-", "GATE-AAAAA", String(repeating: "A", count: 10_000), "GATE-ÄÖÜ"] {
            #expect(JoinCode(nothing) == nil)
        }
    }

    @Test("new codes have one place in common, and one of an earlier version has a place of its own")
    func places() throws {
        let code = JoinCode(host: "gate.example", port: 8884, authority: authority, seed: JoinSeed())
        #expect(code.place == "newcomer")
        var bytes = try #require(CheckedText.bytes(of: code.text, after: "GATE"))
        bytes[0] = 1
        let earlier = try #require(JoinCode(CheckedText.text(of: bytes, after: "GATE")))
        #expect(earlier.place == earlier.slot && earlier.slot == code.slot && earlier.text != code.text)
        bytes[0] = 3
        #expect(JoinCode(CheckedText.text(of: bytes, after: "GATE")) == nil)
    }

    @Test("two codes of one household share neither their name nor their keys")
    func fresh() {
        let codes = (0..<50).map { _ in
            JoinCode(host: "gate.example", port: 8884, authority: authority, seed: JoinSeed())
        }
        #expect(Set(codes.map(\.slot)).count == 50)
        #expect(codes.allSatisfy { $0.slot.utf8.count == 26 && !$0.text.contains($0.slot.uppercased()) })
        let keys = JoinSeal.Kind.allCases.map { codes[0].key($0.rawValue) } + [codes[1].key("request")]
        #expect(Set(keys.map { $0.withUnsafeBytes { Array($0) } }).count == keys.count)
    }

    @Test("a recovery key gives the same household, and one with a mistake none")
    func recoveryKey() throws {
        let secret = HouseholdSecret()
        let again = try #require(HouseholdSecret(recoveryKey: secret.recoveryKey + "\n"))
        #expect(again.household == secret.household)
        #expect(again.signingKey.publicKey == secret.signingKey.publicKey)
        #expect(again.authorityKey.rawRepresentation == secret.authorityKey.rawRepresentation)
        #expect(HouseholdSecret().household != secret.household)
        var changed = secret.recoveryKey
        changed.removeLast()
        #expect(HouseholdSecret(recoveryKey: changed) == nil)
        // A code is no recovery key, and the other way round.
        let code = JoinCode(host: "gate.example", port: 8884, authority: authority, seed: JoinSeed())
        #expect(HouseholdSecret(recoveryKey: code.text) == nil)
        #expect(JoinCode(secret.recoveryKey) == nil)
    }

    @Test("the keys that follow from a secret stay what they are")
    func vector() throws {
        let secret = try #require(
            HouseholdSecret(recoveryKey: CheckedText.text(of: Array(0..<32), after: "GATE-RECOVERY")))
        #expect(secret.household.description == "520d53a8f86b29b32a0e168775a2a15e")
        #expect(secret.signingKey.publicKey.base64URL == "GOsK9jF2CgC_sAjLrHKHBEuifUhr23-cSVuycsA_tQM")
        #expect(
            Array(secret.authorityKey.publicKey.compressedRepresentation).base64URL
                == "AoTA8qucPpv_OsJyqGVVux_aWf2SZ624we5KqRz0u1Dl")
    }

    @Test(
        "a broker is a name or an address, with a port or without",
        arguments: [
            ("gate.example", "gate.example", 8883), ("gate.example:1234", "gate.example", 1234),
            ("192.0.2.7:1", "192.0.2.7", 1), ("2001:db8::7", "2001:db8::7", 8883),
            ("[2001:db8::7]", "2001:db8::7", 8883),
            ("[2001:db8::7]:65535", "2001:db8::7", 65535),
        ] as [(String, String, UInt16)])
    func addresses(text: String, host: String, port: UInt16) throws {
        let address = try #require(BrokerAddress(text))
        #expect(address.host == host && address.port == port)
    }

    @Test(
        "anything else is no broker",
        arguments: [
            "", ":", ":8883", "gate.example:", "gate.example:0", "gate.example:65536", "gate.example:+1x",
            "mqtts://gate.example",
            "gate example", "-gate.example", "gate..example", "[gate.example]:1", "[2001:db8::7", "[2001:db8::7]8883",
            "gate.example/a", "gäte.example", "2001:db8::7:zz", String(repeating: "a", count: 254),
        ])
    func noAddresses(text: String) {
        #expect(BrokerAddress(text) == nil)
    }

    @Test("base32 has one spelling of each")
    func base32() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            #expect(Base32.bytes(Base32.encoded(bytes)) == bytes)
        }
        for text in ["A", "AAA", "AAAAAA", "AB", "AAAB", "a", "AA=", "A1"] {
            #expect(Base32.bytes(text.utf8) == nil, "\(text)")
        }
    }
}
