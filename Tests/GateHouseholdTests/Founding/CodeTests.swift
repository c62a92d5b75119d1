import Crypto
import GateGuardians
import GateModel
import Testing

@testable import GateHousehold

@Suite("Codes and keys that people type (H-01)")
struct CodeTests {
    private let authority: [UInt8] = Array(0..<200)

    private func code(host: String = "gate.example", port: UInt16 = 8884) -> JoinCode {
        JoinCode(host: host, port: port, authority: authority, seed: JoinSeed())
    }

    @Test(
        "a code is read back, however its letters are typed",
        arguments: ["gate.example", "localhost", "192.0.2.7", "2001:db8::7", "a_b-c.example"])
    func readBack(host: String) throws {
        for port: UInt16 in [8884, 1, 65535] {
            let code = code(host: host, port: port)
            let (groups, place) = try #require(code.text.cut(atFirst: "@"))
            #expect(JoinCode(code.text) == code)
            #expect(JoinCode(code.text.lowercased()) == code && JoinCode(code.text.uppercased()) == code)
            #expect(JoinCode(" " + groups.replacing("-", with: " ") + " @ " + place + "\n") == code)
            for bare in [
                groups.replacing("-", with: ""), String(groups.dropFirst(5)), groups.replacing("-", with: " - "),
            ] {
                #expect(JoinCode("\(bare)@\(place)") == code, "\(bare)")
            }
            let lookalikes = groups.replacing("O", with: "0").replacing("I", with: "1").replacing("B", with: "8")
            #expect(JoinCode("\(lookalikes)@\(place)") == code)
            #expect(code.isOfAuthority(authority))
            #expect(!code.isOfAuthority(authority + [0]))
        }
    }

    @Test("a code has seven groups of five characters and the broker's address, without the usual port")
    func form() throws {
        #expect(code().text.wholeMatch(of: /GATE(-[A-Z2-7]{5}){7}@gate\.example/) != nil)
        #expect(code(port: 9).text.hasSuffix("@gate.example:9"))
        #expect(code(host: "Gate.Example").text.hasSuffix("@gate.example"))
        #expect(code(host: "2001:db8::7").text.hasSuffix("@[2001:db8::7]"))
    }

    @Test("a code with one character changed, missing or repeated is refused, and its group is named")
    func mistakes() throws {
        let text = code().text
        let end = try #require(text.firstIndex(of: "@"))
        for index in text[..<end].indices.dropFirst(5) where text[index] != "-" {
            let group = (text.distance(from: text.startIndex, to: index) + 1) / 6
            for digit in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" where digit != text[index] {
                expect(text.replacing(index, with: "\(digit)"), hasMistakeIn: group)
            }
            expect(text.replacing(index, with: ""), hasMistakeIn: group)
            expect(text.replacing(index, with: "\(text[index])\(text[index])"), hasMistakeIn: group)
            expect(text.replacing(index, with: "9"), hasMistakeIn: group)
        }
        for nothing in [
            "", "GATE", "GATE-", "@", "GATE-@gate.example", "GATE-AAAAA", String(repeating: "A", count: 10_000),
            "GATE-ÄÖÜ",
            text.replacing("@", with: ""), "\(text)/", String(text[...end]), "GATE-AAAAA\u{1B}@gate.example",
            "\(text)\(text)",
            text.replacing("-", with: "").replacing(text.index(text.startIndex, offsetBy: 6), with: ""),
        ] {
            #expect(throws: FoundingError.badCode, "\(nothing.prefix(60))") { try JoinCode(typed: nothing) }
        }
    }

    @Test("swapping two characters of a group, or two groups, is noticed")
    func transpositions() throws {
        let groups = try #require(code().text.cut(atFirst: "@")).before.split(separator: "-").dropFirst().map(
            Array.init)
        for number in groups.indices {
            for (one, other) in [(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)]
            where groups[number][one] != groups[number][other] {
                var changed = groups
                changed[number].swapAt(one, other)
                expect("GATE-" + changed.map { String($0) }.joined(separator: "-") + "@x", hasMistakeIn: number + 1)
            }
            for other in groups.indices where number < other && groups[number] != groups[other] {
                var changed = groups
                changed.swapAt(number, other)
                expect("GATE-" + changed.map { String($0) }.joined(separator: "-") + "@x", hasMistakeIn: number + 1)
            }
        }
    }

    private func expect(_ text: String, hasMistakeIn group: Int) {
        do throws(FoundingError) {
            _ = try JoinCode(typed: text)
            Issue.record("\(text) was taken")
        } catch {
            guard case .badCodeGroup(group, _) = error else {
                Issue.record("\(text): \(error)")
                return
            }
        }
    }

    @Test("the example of a code in docs/household.md is valid, and its mistake is named as the page says")
    func sample() throws {
        let sample = "GATE-UJZDN-EGXDF-NCF3W-2EPF6-3DHOF-DZDON-CIS2H@gate.example"
        let code = try JoinCode(typed: sample)
        #expect(code.text == sample && code.host == "gate.example" && code.port == 8884)
        #expect(throws: FoundingError.badCodeGroup(3, text: "MCF3W")) {
            try JoinCode(typed: sample.replacing("NCF3W", with: "mcf3w"))
        }
    }

    @Test("a code of an earlier version is refused")
    func earlierForms() throws {
        for version: UInt8 in 1...2 {
            let bytes = [version] + [UInt8](repeating: 7, count: 32) + [0x22, 0xB4] + Array("gate.example".utf8)
            #expect(JoinCode(CheckedText.text(of: bytes, after: "GATE")) == nil)
        }
    }

    @Test("all codes use the same place at the broker, which reveals nothing about them")
    func places() {
        #expect(code().place == "newcomer" && code().place == code().place)
    }

    @Test("the authority's fingerprint differs in each code, so nobody can search for a matching one beforehand")
    func fingerprints() {
        let codes = (0..<50).map { _ in code() }
        #expect(Set(codes.map(\.fingerprint)).count == 50 && codes.allSatisfy { $0.fingerprint.count == 12 })
        #expect(codes.allSatisfy { $0.isOfAuthority(authority) })
    }

    @Test("two codes of one household share neither their slot nor their keys")
    func fresh() {
        let codes = (0..<50).map { _ in code() }
        #expect(Set(codes.map(\.slot)).count == 50)
        #expect(codes.allSatisfy { $0.slot.utf8.count == 26 && !$0.text.contains($0.slot.uppercased()) })
        let keys = JoinSeal.Kind.allCases.map { codes[0].key($0.rawValue) } + [codes[1].key("request")]
        #expect(Set(keys.map { $0.withUnsafeBytes { Array($0) } }).count == keys.count)
    }

    @Test("a recovery key gives the same household again, and a mistyped one gives none")
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
        #expect(HouseholdSecret(recoveryKey: code().text) == nil)
        #expect(JoinCode(secret.recoveryKey) == nil && JoinCode(secret.recoveryKey + "@gate.example") == nil)
    }

    @Test("the keys derived from a given secret never change")
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
        "a malformed broker address is refused",
        arguments: [
            "", ":", ":8883", "gate.example:", "gate.example:0", "gate.example:65536", "gate.example:+1x",
            "mqtts://gate.example",
            "gate example", "-gate.example", "gate..example", "[gate.example]:1", "[2001:db8::7", "[2001:db8::7]8883",
            "gate.example/a", "gäte.example", "2001:db8::7:zz", String(repeating: "a", count: 254),
        ])
    func noAddresses(text: String) {
        #expect(BrokerAddress(text) == nil)
    }

    @Test("base32 has exactly one spelling for each value")
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

extension String {
    /// The code with another character in one place.
    fileprivate func replacing(_ index: Index, with text: String) -> String {
        String(self[..<index]) + text + String(self[self.index(after: index)...])
    }
}
