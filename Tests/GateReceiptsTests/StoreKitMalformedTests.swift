import Foundation
import GateModel
import GateReceipts
import GateStoreKit
import ReceiptSupport
import Testing

@Suite("Malformed transactions of StoreKit")
struct StoreKitMalformedTests {
    let store: SignedTransactions
    let verifier: StoreKitVerifier
    let now = SignedTransactions.now

    init() throws {
        store = try SignedTransactions()
        verifier = try StoreKitVerifier(store.settings)
    }

    /// A JWS whose payload is this text, under a good signature.
    func signed(_ payload: String) throws -> String {
        let header = Data(try JSONSerialization.data(withJSONObject: store.chain.header)).base64URL
        return try store.chain.sign("\(header).\(Data(payload.utf8).base64URL)")
    }

    @Test(
        "a date is a whole number of milliseconds up to the year 9999, in each field that holds one",
        arguments: ["signedDate", "purchaseDate", "originalPurchaseDate", "expiresDate", "revocationDate"])
    func dates(_ field: String) async throws {
        let sample = String(
            decoding: try JSONSerialization.data(withJSONObject: store.transactionPayload, options: .sortedKeys),
            as: UTF8.self)
        var payload = store.transactionPayload
        payload[field] = nil
        let rest = String(
            decoding: try JSONSerialization.data(withJSONObject: payload, options: .sortedKeys), as: UTF8.self
        ).dropLast()
        try #require(sample.hasSuffix("}"))
        let bad = [
            "-1", "-1767225600000", "1767225600000.5", "1e400", "253402300800000", "9223372036854775807",
            "9223372036854775808", "-9223372036854775809", "123456789012345678901234567890", "\"1767225600000\"",
            "true", "[1767225600000]", "{}", "NaN", "0x10", "01", "+1", "",
        ]
        for number in bad {
            let jws = try signed("\(rest),\"\(field)\":\(number)}")
            #expect(await verifier.refusal(of: jws) == .malformed, "\(field): \(number)")
        }
        #expect(try await verifier.refusal(of: signed("\(rest),\"\(field)\":1767225600000}")) == nil)
    }

    @Test("the first and the last possible date are accepted, and trap nothing")
    func rangeEnds() async throws {
        var payload = store.transactionPayload
        payload["purchaseDate"] = 0
        payload["expiresDate"] = 253_402_300_799_999
        #expect(try await verifier.refusal(of: store.chain.sign(payload)) == nil)
        for end in [0, 253_402_300_799_999] as [Int64] {
            payload["signedDate"] = end
            let jws = try store.chain.sign(payload)
            #expect(await verifier.refusal(of: jws, at: WallTime(unixMilliseconds: end)) == .certificateValidity)
        }
    }

    @Test(
        "a field of the wrong type is refused",
        arguments: ["originalTransactionId", "productId", "bundleId", "environment", "type", "isUpgraded"])
    func kinds(_ field: String) async throws {
        for value: any Sendable in [17, ["a"], ["a": 1], field == "isUpgraded" ? "true" : true] {
            var payload = store.transactionPayload
            payload[field] = value
            #expect(try await verifier.refusal(of: store.chain.sign(payload)) == .malformed, "\(field): \(value)")
        }
    }

    @Test("an id that is not printable ASCII, an empty name and texts that are too long are refused")
    func texts() async throws {
        let bad = ["", "a\u{0}b", "a\u{1b}[2J", "a\nb", "a\u{9b}b", String(repeating: "a", count: 257)]
        for text in bad + [nil] {
            for field in ["originalTransactionId", "productId"] {
                var payload = store.transactionPayload
                payload[field] = text
                #expect(try await verifier.refusal(of: store.chain.sign(payload)) == .malformed, "\(field)")
            }
        }
        for id in ["a b", "ä", "1\u{202e}2"] {
            var payload = store.transactionPayload
            payload["originalTransactionId"] = id
            #expect(try await verifier.refusal(of: store.chain.sign(payload)) == .malformed)
        }
    }

    @Test("a transaction without a purchase date is refused")
    func noPurchaseDate() async throws {
        var payload = store.transactionPayload
        payload["purchaseDate"] = nil
        #expect(try await verifier.refusal(of: store.chain.sign(payload)) == .malformed)
    }

    @Test("a payload or header that is not a JSON object is refused, however deep it is nested")
    func json() async throws {
        let deep = 30_000
        let deepList = String(repeating: "[", count: deep) + String(repeating: "]", count: deep)
        let texts = [
            "", " ", "null", "[]", "1", "\"a\"", "{", "}", "{}", "{\"signedDate\":}", "{\"signedDate\"}",
            "\u{feff}{}", "{\"a\":\"\\ud800\"}", String(repeating: "[", count: deep),
            String(repeating: "{\"a\":", count: deep),
            deepList,
            "{\"signedDate\":\(String(repeating: "[", count: deep))",
            "{\"signedDate\":1767225600000,\"a\":\(deepList)}",
            "{\"signedDate\":\(String(repeating: "9", count: deep))}",
        ]
        let payload = Data(try JSONSerialization.data(withJSONObject: store.transactionPayload)).base64URL
        for text in texts {
            #expect(try await verifier.refusal(of: signed(text)) == .malformed, "\(text.prefix(40))")
            let header = try store.chain.sign("\(Data(text.utf8).base64URL).\(payload)")
            let refusal = await verifier.refusal(of: header)
            #expect(refusal == .malformed || refusal == .algorithm, "\(text.prefix(40))")
        }
        let invalid = Data([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]).base64URL
        #expect(await verifier.refusal(of: "\(invalid).\(payload).AAAA") == .malformed)
    }

    @Test("a payload or header with a duplicate key is judged by one of its two values, and traps nothing")
    func duplicates() async throws {
        let json = String(
            decoding: try JSONSerialization.data(withJSONObject: store.transactionPayload), as: UTF8.self)
        for other in ["com.example.other", "com.example.gate"] {
            let both = json.dropLast() + ",\"bundleId\":\"\(other)\"}"
            let refusal = try await verifier.refusal(of: signed(String(both)))
            #expect(other == "com.example.gate" ? refusal == nil : refusal == nil || refusal == .bundleID)
        }
        let header = try String(decoding: JSONSerialization.data(withJSONObject: store.chain.header), as: UTF8.self)
        for twice in ["\(header.dropLast()),\"alg\":\"none\"}", "{\"alg\":\"none\",\(header.dropFirst())"] {
            let two = "\(Data(twice.utf8).base64URL).\(Data(json.utf8).base64URL)"
            // Whichever counts: without the signature of the leaf it is nothing.
            let unsigned = await verifier.refusal(of: "\(two).")
            #expect(unsigned == .signature || unsigned == .algorithm)
            let signed = try await verifier.refusal(of: store.chain.sign(two))
            #expect(signed == nil || signed == .algorithm)
        }
    }

    @Test("a text longer than 256 KiB is refused unread, and one of exactly 256 KiB is read")
    func size() async throws {
        let good = try store.chain.sign(store.transactionPayload)
        let limit = 256 * 1024
        let padded = good + String(repeating: " ", count: limit - good.utf8.count)
        #expect(await verifier.refusal(of: padded) == nil)
        #expect(await verifier.refusal(of: padded + " ") == .size)
        #expect(await verifier.refusal(ofNotification: padded + " ") == .size)
        #expect(await verifier.refusal(of: String(repeating: ".", count: limit)) == .malformed)
        #expect(await verifier.refusal(of: String(repeating: "A", count: limit)) == .malformed)
    }

    @Test("random and randomly changed bytes are refused, and trap nothing")
    func garbage() async throws {
        var chance = SplitMix(state: 20_260_101)
        let good = Array(try store.chain.sign(store.transactionPayload).utf8)
        let wrapped = Array(try store.notification(transaction: String(decoding: good, as: UTF8.self)).utf8)
        for round in 0..<1500 {
            let sample = round % 2 == 0 ? good : wrapped
            let bytes: [UInt8] =
                switch round % 5 {
                case 0: (0..<Int.random(in: 0...600, using: &chance)).map { _ in .random(in: 0...255, using: &chance) }
                case 1: (0..<Int.random(in: 0...600, using: &chance)).map { _ in .random(in: 33...126, using: &chance) }
                case 2: Array(sample.prefix(.random(in: 0..<sample.count, using: &chance)))
                case 3: Array(sample.dropFirst(.random(in: 1..<sample.count, using: &chance)))
                default: Self.splice(sample, using: &chance)
                }
            await #expect(throws: ReceiptError.self, "round \(round)") {
                try await verifier.transaction(bytes, at: now)
            }
            await #expect(throws: ReceiptError.self, "round \(round)") {
                try await verifier.renewalInfo(bytes, at: now)
            }
            await #expect(throws: ReceiptError.self, "round \(round)") {
                try await verifier.notification(bytes, at: now)
            }
        }
    }

    /// Copies a piece of the bytes to another place.
    static func splice(_ bytes: [UInt8], using chance: inout SplitMix) -> [UInt8] {
        let start = Int.random(in: 0..<bytes.count, using: &chance)
        let piece = bytes[start..<Int.random(in: start..<bytes.count, using: &chance)]
        var spliced = bytes
        spliced.insert(contentsOf: piece + [.random(in: 33...126, using: &chance)], at: bytes.count / 3)
        return spliced
    }
}

/// A random generator with the same numbers each time.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
