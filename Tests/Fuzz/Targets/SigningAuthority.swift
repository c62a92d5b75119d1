import Crypto
import Foundation
import GateModel
import GateReceipts
import GateStoreKit
import ReceiptSupport

/// The authority that the fuzzed verifiers trust, with keys that are always the same, so that inputs signed in one run
/// are valid in the next.
enum SigningAuthority {
    static let now = SignedTransactions.now

    static let store: SignedTransactions = {
        do {
            return try SignedTransactions(chain: StoreKitChain(keySeed: 7))
        } catch {
            preconditionFailure("the keys are good: \(error)")
        }
    }()

    static let storeKit: StoreKitVerifier = {
        do {
            return try StoreKitVerifier(store.settings)
        } catch {
            preconditionFailure("the root is good: \(error)")
        }
    }()

    static let rootDER: [UInt8] = (try? store.chain.root.derBytes) ?? []
    static let rootPEM: [UInt8] = {
        let text = Data(rootDER).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return Array("-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n".utf8)
    }()

    // MARK: RevenueCat

    static let publicKey = "appl_of_the_fuzzer"
    static let nonce = Array("twelve bytes".utf8)
    static let path = "/v1/subscribers/anna"
    static let body = """
        {"request_date":"2026-01-01T00:00:00Z","request_date_ms":1767225600000,"subscriber":{\
        "original_app_user_id":"anna","entitlements":{"pro":{"expires_date":"2026-02-01T00:00:00Z",\
        "grace_period_expires_date":null,"product_identifier":"annual","purchase_date":"2026-01-01T00:00:00Z"}},\
        "subscriptions":{"annual":{"billing_issues_detected_at":null,"is_sandbox":false,"refunded_at":null,\
        "purchase_date":"2026-01-01T00:00:00Z","grace_period_expires_date":"2026-02-03T00:00:00Z"}},\
        "non_subscriptions":{"skin":[{"purchase_date":"2025-01-01T00:00:00Z","is_sandbox":true}]}}}
        """

    static let revenueCat = RevenueCatVerifier(settings(acceptsUnsigned: false))
    static let credulousRevenueCat = RevenueCatVerifier(settings(acceptsUnsigned: true))

    /// Of all that they say; a signature of Ed25519 is always the same.
    static func answer(path: String = path, time: String, etag: String, body: [UInt8]) -> CustomerInfoResponse {
        let salt = [UInt8](repeating: 7, count: 16)
        let key = Array(intermediateKey.publicKey.rawRepresentation)
        let message = salt + Array(publicKey.utf8) + nonce + Array("\(path)\(time)\(etag)".utf8) + body
        let signature =
            key + expiry + rootSignature + salt
            + self.signature(of: message, by: intermediateKey)
        return CustomerInfoResponse(
            path: path, nonce: nonce,
            headers: [
                .init(name: "X-RevenueCat-ETag", value: etag), .init(name: "X-RevenueCat-Request-Time", value: time),
                .init(name: "X-Signature", value: Data(signature).base64EncodedString()),
            ], body: body)
    }

    private static let rootKey = key(seed: 8)
    private static let intermediateKey = key(seed: 9)
    /// The expiry of the signing key: in thousands of years.
    private static let expiry: [UInt8] = [0xFF, 0xFF, 0x20, 0x00]
    private static let rootSignature = signature(
        of: expiry + Array(intermediateKey.publicKey.rawRepresentation), by: rootKey)

    private static func settings(acceptsUnsigned: Bool) -> RevenueCatSettings {
        RevenueCatSettings(
            publicKey: publicKey, rootKey: Array(rootKey.publicKey.rawRepresentation),
            acceptsUnsigned: acceptsUnsigned, acceptsSandbox: true)
    }

    private static func key(seed: UInt8) -> Curve25519.Signing.PrivateKey {
        do {
            return try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: seed, count: 32))
        } catch {
            preconditionFailure("any 32 bytes are a key: \(error)")
        }
    }

    private static func signature(of bytes: [UInt8], by key: Curve25519.Signing.PrivateKey) -> [UInt8] {
        do {
            return Array(try key.signature(for: bytes))
        } catch {
            preconditionFailure("any bytes can be signed: \(error)")
        }
    }
}
