import Crypto
import Foundation
import GateModel
import GateReceipts
import GateStoreKit
import ReceiptSupport
import SwiftASN1
import Testing
import X509

@Suite("StoreKit's certificates")
struct StoreKitChainTests {
    /// The check that refuses a subscription signed under this chain, with its own root configured.
    func refusal(
        of chain: StoreKitChain, roots: [[UInt8]]? = nil, header: [String: any Sendable]? = nil,
        signedAt: WallTime = SignedTransactions.now, now: WallTime = SignedTransactions.now
    ) async throws -> ReceiptError.Check? {
        let store = try SignedTransactions(chain: chain)
        var settings = try store.settings
        settings.roots = roots ?? settings.roots
        var payload = store.transactionPayload
        payload["signedDate"] = signedAt.unixMilliseconds
        return try await StoreKitVerifier(settings).refusal(of: chain.sign(payload, header: header), at: now)
    }

    func refusal(of shape: StoreKitChain.Shape) async throws -> ReceiptError.Check? {
        try await refusal(of: StoreKitChain(shape))
    }

    @Test("a chain like Apple's is accepted, whether its marks are critical or not")
    func good() async throws {
        #expect(try await refusal(of: StoreKitChain.Shape()) == nil)
        #expect(try await refusal(of: StoreKitChain.Shape(areMarkersCritical: true)) == nil)
    }

    @Test("the configured roots must be valid certificates, and there must be at least one")
    func roots() throws {
        let good = try StoreKitChain().root.derBytes
        for roots in [[], [[]], [[0x30]], [good, Array("-----BEGIN".utf8)], [good + [0]], [Array(good.dropLast())]] {
            let error = #expect(throws: ReceiptError.self) {
                try StoreKitVerifier(StoreKitSettings(bundleIDs: ["com.example.gate"], roots: roots))
            }
            #expect(error?.check == .root)
        }
    }

    @Test("a chain to any one of several roots is accepted, in whatever order they are")
    func severalRoots() async throws {
        let chain = try StoreKitChain()
        let other = try StoreKitChain().root.derBytes
        #expect(try await refusal(of: chain, roots: [other, chain.root.derBytes]) == nil)
        #expect(try await refusal(of: chain, roots: [chain.root.derBytes, other]) == nil)
    }

    @Test("a leaf without Apple's mark, or with another one, is refused")
    func leafMarker() async throws {
        #expect(try await refusal(of: StoreKitChain.Shape(leafMarker: nil)) == .certificateMarker)
        let other: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 2]
        #expect(try await refusal(of: StoreKitChain.Shape(leafMarker: other)) == .certificateMarker)
        #expect(
            try await refusal(of: StoreKitChain.Shape(leafMarker: StoreKitChain.Shape.intermediateMarker))
                == .certificateMarker)
    }

    @Test("an intermediate without Apple's mark is refused, and so is one with another mark")
    func intermediateMarker() async throws {
        #expect(try await refusal(of: StoreKitChain.Shape(intermediateMarker: nil)) == .certificateMarker)
        let other: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 6]
        #expect(try await refusal(of: StoreKitChain.Shape(intermediateMarker: other)) == .certificateMarker)
        #expect(
            try await refusal(of: StoreKitChain.Shape(intermediateMarker: StoreKitChain.Shape.leafMarker))
                == .certificateMarker)
    }

    @Test("a critical extension that nobody knows is refused")
    func unknownCritical() async throws {
        let shape = StoreKitChain.Shape(leafMarker: [1, 2, 3, 4], areMarkersCritical: true)
        #expect(try await refusal(of: shape) == .certificateChain)
    }

    @Test("a certificate that was expired or not yet valid at the time of signing is refused")
    func validity() async throws {
        typealias Shape = StoreKitChain.Shape
        let past = Shape.year(2020)..<Shape.year(2025)
        let future = Shape.year(2027)..<Shape.year(2030)
        for validity in [past, future] {
            #expect(try await refusal(of: Shape(leafValidity: validity)) == .certificateValidity)
            #expect(try await refusal(of: Shape(intermediateValidity: validity)) == .certificateValidity)
            #expect(try await refusal(of: Shape(rootValidity: validity)) == .certificateValidity)
        }
    }

    @Test("a transaction signed while its certificates were valid stays valid after they expire")
    func expiredSince() async throws {
        let chain = try StoreKitChain()
        let later = WallTime(unixMilliseconds: SignedTransactions.now.unixMilliseconds + 20 * 365 * 86_400_000)
        #expect(try await refusal(of: chain, now: later) == nil)
        #expect(try await refusal(of: chain, signedAt: later, now: later) == .certificateValidity)
    }

    @Test("a chain to another root with the same name is refused")
    func wrongRoot() async throws {
        let other = try StoreKitChain().root.derBytes
        #expect(try await refusal(of: StoreKitChain(), roots: [other]) == .certificateChain)
    }

    @Test("the root inside the header is ignored, whether it is an attacker's or anything else")
    func rootInHeader() async throws {
        let apple = try StoreKitChain()
        let attacker = try StoreKitChain()
        var header = try attacker.header
        header["x5c"] = try [attacker.leaf, attacker.intermediate, apple.root].map { try $0.base64 }
        #expect(try await refusal(of: attacker, roots: [apple.root.derBytes], header: header) == .certificateChain)

        header["x5c"] = try [apple.leaf, apple.intermediate, attacker.root].map { try $0.base64 }
        #expect(try await refusal(of: apple, header: header) == nil)
        header["x5c"] = try [apple.leaf.base64, apple.intermediate.base64, "anything"]
        #expect(try await refusal(of: apple, header: header) == nil)
    }

    @Test("a chain has exactly three certificates, and any other number is refused")
    func count() async throws {
        let chain = try StoreKitChain()
        let three = try [chain.leaf, chain.intermediate, chain.root].map { try $0.base64 }
        for certificates in [[], [three[0]], [three[0], three[1]], three + [three[2]]] {
            let header: [String: any Sendable] = ["alg": "ES256", "x5c": certificates]
            #expect(try await refusal(of: chain, header: header) == .certificateCount)
        }
        #expect(try await refusal(of: chain, header: ["alg": "ES256"]) == .certificateCount)
    }

    @Test("certificates in another order are refused")
    func order() async throws {
        let chain = try StoreKitChain()
        let three = try [chain.leaf, chain.intermediate, chain.root].map { try $0.base64 }
        for order in [[0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 0, 0], [1, 1, 1], [2, 2, 2]] {
            let header: [String: any Sendable] = ["alg": "ES256", "x5c": order.map { three[$0] }]
            #expect(try await refusal(of: chain, header: header) == .certificateChain, "\(order)")
        }
    }

    @Test("a header whose certificates are malformed, or not a list of text, is refused")
    func garbage() async throws {
        let chain = try StoreKitChain()
        let three = try [chain.leaf, chain.intermediate, chain.root].map { try $0.base64 }
        let bad: [any Sendable] = [
            ["", three[1], three[2]], [three[0], "AAAA", three[2]], [three[0] + "\n", three[1], three[2]],
            [String(three[0].dropLast(8)), three[1], three[2]], ["%%%%", three[1], three[2]],
            [three[0].replacingOccurrences(of: "=", with: "") + "A", three[1], three[2]],
            [1, 2, 3], "MIIB", 5, [three, three, three],
        ]
        for certificates in bad {
            let header: [String: any Sendable] = ["alg": "ES256", "x5c": certificates]
            #expect(try await refusal(of: chain, header: header) == .malformed)
        }
    }

    @Test("a leaf that signed itself, or that the root signed directly, is refused")
    func shortChains() async throws {
        let chain = try StoreKitChain()
        let key = Certificate.PrivateKey(chain.leafKey)
        let name = try DistinguishedName { CommonName("Test Receipt Signing") }
        let marker = (StoreKitChain.Shape.leafMarker, isCritical: false)
        let ownLeaf = try StoreKitChain.certificate(
            key.publicKey, named: name, isAuthority: true, marker: marker, by: name, key)
        let rootsLeaf = try StoreKitChain.certificate(
            key.publicKey, named: name, isAuthority: false, marker: marker, by: chain.root.subject,
            Certificate.PrivateKey(chain.rootKey))
        for leaf in [ownLeaf, rootsLeaf] {
            let header: [String: any Sendable] = [
                "alg": "ES256", "x5c": try [leaf, chain.intermediate, chain.root].map { try $0.base64 },
            ]
            #expect(try await refusal(of: chain, header: header) == .certificateChain)
            // Not even where it is itself configured as a root: Apple's leaves are three from there.
            let roots = [try chain.root.derBytes, try leaf.derBytes]
            #expect(try await refusal(of: chain, roots: roots, header: header) == .certificateChain)
        }
    }

    @Test("an intermediate that is not an authority, and a leaf that another leaf signed, are refused")
    func noAuthority() async throws {
        #expect(try await refusal(of: StoreKitChain.Shape(isIntermediateAnAuthority: false)) == .certificateChain)
    }

    @Test("a leaf that the intermediate did not sign is refused, though it says so")
    func forgedLeaf() async throws {
        let chain = try StoreKitChain()
        let forged = try StoreKitChain.certificate(
            Certificate.PublicKey(chain.leafKey.publicKey), named: chain.leaf.subject, isAuthority: false,
            marker: (StoreKitChain.Shape.leafMarker, isCritical: false), by: chain.intermediate.subject,
            Certificate.PrivateKey(chain.leafKey))
        let header: [String: any Sendable] = [
            "alg": "ES256", "x5c": try [forged, chain.intermediate, chain.root].map { try $0.base64 },
        ]
        #expect(try await refusal(of: chain, header: header) == .certificateChain)
    }

    @Test("a leaf whose key is not P-256 is refused")
    func otherCurve() async throws {
        let chain = try StoreKitChain()
        let leaf = try StoreKitChain.certificate(
            Certificate.PublicKey(P384.Signing.PrivateKey().publicKey), named: chain.leaf.subject, isAuthority: false,
            marker: (StoreKitChain.Shape.leafMarker, isCritical: false), by: chain.intermediate.subject,
            Certificate.PrivateKey(chain.intermediateKey))
        let header: [String: any Sendable] = [
            "alg": "ES256", "x5c": try [leaf, chain.intermediate, chain.root].map { try $0.base64 },
        ]
        #expect(try await refusal(of: chain, header: header) == .algorithm)
    }
}

extension StoreKitVerifier {
    /// The check that refuses a transaction; `nil` if it is accepted.
    func refusal(of jws: String, at now: WallTime = SignedTransactions.now) async -> ReceiptError.Check? {
        do throws(ReceiptError) {
            _ = try await transaction(Array(jws.utf8), at: now)
            return nil
        } catch {
            return error.check
        }
    }

    /// The check that refuses a notification; `nil` if it is accepted.
    func refusal(ofNotification jws: String, at now: WallTime = SignedTransactions.now) async -> ReceiptError.Check? {
        do throws(ReceiptError) {
            _ = try await notification(Array(jws.utf8), at: now)
            return nil
        } catch {
            return error.check
        }
    }
}
