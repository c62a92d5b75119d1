import Crypto
import Foundation
import GateModel
import GateReceipts
import GateStoreKit
import ReceiptSupport
import Testing

@Suite("StoreKit: the signature")
struct StoreKitSignatureTests {
    let store: SignedTransactions
    let verifier: StoreKitVerifier
    /// A subscription that is accepted as it is.
    let good: String

    init() throws {
        store = try SignedTransactions()
        verifier = try StoreKitVerifier(store.settings)
        good = try store.chain.sign(store.transactionPayload)
    }

    var segments: [String] { good.split(separator: ".").map(String.init) }

    @Test("a transaction that is signed as Apple does it is accepted, also with white space around it")
    func taken() async throws {
        #expect(await verifier.refusal(of: good) == nil)
        #expect(await verifier.refusal(of: " \t\r\n\(good)\n\n") == nil)
        #expect(await verifier.refusal(of: good.replacingOccurrences(of: ".", with: ".\n")) == .malformed)
    }

    @Test(
        "another algorithm than ES256 is refused, and so is none",
        arguments: ["RS256", "none", "None", "HS256", "ES384", "es256", "ES256K", "", nil])
    func algorithm(_ name: String?) async throws {
        var header = try store.chain.header
        header["alg"] = name
        #expect(
            try await verifier.refusal(of: store.chain.sign(store.transactionPayload, header: header)) == .algorithm)
    }

    @Test("a signature made with the public key as an HMAC's secret is refused, whatever the header says")
    func keyConfusion() async throws {
        for algorithm in ["HS256", "ES256"] {
            var header = try store.chain.header
            header["alg"] = algorithm
            let signed = try store.chain.sign(store.transactionPayload, header: header)
                .split(separator: ".").prefix(2).joined(separator: ".")
            let key = SymmetricKey(data: store.chain.leafKey.publicKey.derRepresentation)
            let code = Data(HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: key))
            let refusal = await verifier.refusal(of: "\(signed).\(code.base64URL)")
            #expect(refusal == (algorithm == "ES256" ? .signature : .algorithm))
        }
    }

    @Test("a header with a list of critical extensions is refused, even with an empty one")
    func critical() async throws {
        for demand: any Sendable in [["b64"], [String](), NSNull()] {
            var header = try store.chain.header
            header["crit"] = demand
            header["b64"] = false
            #expect(
                try await verifier.refusal(of: store.chain.sign(store.transactionPayload, header: header)) == .algorithm
            )
        }
    }

    @Test("a text without exactly three segments, or with an empty one, is refused")
    func segmentCount() async throws {
        let two = segments.prefix(2).joined(separator: ".")
        let bad = ["", ".", "..", "...", "....", two, "\(good).", "\(good).AAAA", ".\(good)", ".\(segments[1]).AAAA"]
        for text in bad {
            #expect(await verifier.refusal(of: text) == .malformed, "\(text)")
        }
        #expect(await verifier.refusal(of: "\(segments[0])..\(segments[2])") == .malformed)
    }

    @Test("a signature that is stripped, cut short, too long, all zero or in DER is refused")
    func signatureForms() async throws {
        let two = segments.prefix(2).joined(separator: ".")
        let raw = try #require(Data(base64URL: segments[2]))
        let der = try P256.Signing.ECDSASignature(rawRepresentation: raw).derRepresentation
        let zero = Data(count: 64)
        for signature in [Data(), raw.prefix(63), raw.dropFirst(), raw.prefix(32), raw + [0], raw + raw, der, zero] {
            #expect(
                await verifier.refusal(of: "\(two).\(signature.base64URL)") == .signature, "\(signature.count) bytes")
        }
    }

    @Test("base64url with padding, with another alphabet or with stray bits is refused")
    func spelling() async throws {
        #expect(await verifier.refusal(of: good + "==") == .malformed)
        #expect(await verifier.refusal(of: good + "=") == .malformed)
        // 64 bytes are 86 characters, of which the last has four bits that say nothing.
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = try #require(good.last.flatMap { alphabet.firstIndex(of: $0) })
        #expect(last % 16 == 0)
        for bits in 1..<16 {
            #expect(await verifier.refusal(of: good.dropLast() + String(alphabet[last + bits])) == .malformed)
        }
        for character in ["+", "/", "=", " ", "\0", "ä", "%"] {
            let text = good.dropLast(10) + character + good.suffix(9)
            #expect(await verifier.refusal(of: String(text)) == .malformed, "\(character)")
        }
    }

    @Test("a signature by another key than the leaf's is refused, also the intermediate's")
    func otherKeys() async throws {
        for key in [P256.Signing.PrivateKey(), store.chain.intermediateKey, store.chain.rootKey] {
            #expect(try await verifier.refusal(of: store.chain.sign(store.transactionPayload, key: key)) == .signature)
        }
    }

    @Test("a payload, header or signature from another transaction is refused")
    func swapped() async throws {
        let other = try store.transaction(expiresAt: nil).split(separator: ".").map(String.init)
        #expect(await verifier.refusal(of: [segments[0], other[1], segments[2]].joined(separator: ".")) == .signature)
        #expect(await verifier.refusal(of: [segments[0], segments[1], other[2]].joined(separator: ".")) == .signature)
        var header = try store.chain.header
        header["kid"] = "another"
        let third = try store.chain.sign(store.transactionPayload, header: header).split(separator: ".").map(
            String.init)
        #expect(await verifier.refusal(of: [third[0], segments[1], segments[2]].joined(separator: ".")) == .signature)
        #expect(await verifier.refusal(of: third.joined(separator: ".")) == nil)
    }

    @Test(
        "a change to any field of a transaction breaks the signature",
        arguments: [
            "originalTransactionId", "transactionId", "webOrderLineItemId", "bundleId", "productId",
            "subscriptionGroupIdentifier", "purchaseDate", "originalPurchaseDate", "expiresDate", "quantity", "type",
            "appAccountToken", "inAppOwnershipType", "signedDate", "environment", "isUpgraded", "offerType",
            "offerIdentifier", "offerDiscountType", "transactionReason", "storefront", "storefrontId", "price",
            "currency", "appTransactionId",
        ])
    func tampered(_ field: String) async throws {
        let payload = store.transactionPayload
        let changed: any Sendable =
            switch payload[field] {
            case let text as String: text + "1"
            case let flag as Bool: !flag
            case let number as Int64: number + 1000
            case let number as Int: number + 1
            default: try #require(nil as String?, "\(field) is not in the sample")
            }
        for value in [changed, nil] {
            var tampered = payload
            tampered[field] = value
            let body = Data(try JSONSerialization.data(withJSONObject: tampered, options: .sortedKeys)).base64URL
            try #require(body != segments[1])
            let refusal = await verifier.refusal(of: [segments[0], body, segments[2]].joined(separator: "."))
            // Without the time of signing there is nothing to hold the certificates against.
            #expect(refusal == (field == "signedDate" && value == nil ? .malformed : .signature))
        }
    }

    @Test("the list of fields covers the whole sample, and an added field breaks the signature")
    func added() async throws {
        #expect(store.transactionPayload.count == 25)
        for (field, value) in [("revocationDate", 1), ("revocationReason", 0), ("another", 1)] {
            var payload = store.transactionPayload
            payload[field] = value
            let body = Data(try JSONSerialization.data(withJSONObject: payload)).base64URL
            let text = [segments[0], body, segments[2]].joined(separator: ".")
            #expect(await verifier.refusal(of: text) == .signature)
        }
    }

    @Test("no byte can be changed, in the header, the payload or the signature")
    func flips() async throws {
        // The chain is short, because the root in the header does not count.
        let header: [String: any Sendable] = [
            "alg": "ES256", "x5c": [try store.chain.leaf.base64, try store.chain.intermediate.base64, ""],
        ]
        let sample = Array(try store.chain.sign(store.transactionPayload, header: header).utf8)
        try #require(await verifier.refusal(of: String(decoding: sample, as: UTF8.self)) == nil)
        for index in sample.indices {
            var flipped = sample
            // One bit of each byte is flipped, each of the eight in turn.
            flipped[index] ^= 1 << (index % 8)
            await #expect(throws: ReceiptError.self, "byte \(index)") {
                try await verifier.transaction(flipped, at: SignedTransactions.now)
            }
        }
    }

    @Test("no bit of the signature can be changed")
    func signatureFlips() async throws {
        let two = segments.prefix(2).joined(separator: ".")
        let raw = try #require(Data(base64URL: segments[2]))
        for bit in 0..<raw.count * 8 {
            var flipped = Array(raw)
            flipped[bit / 8] ^= 1 << (bit % 8)
            #expect(await verifier.refusal(of: "\(two).\(Data(flipped).base64URL)") == .signature, "bit \(bit)")
        }
    }
}
