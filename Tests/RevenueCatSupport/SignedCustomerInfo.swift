import Crypto
import Foundation

/// RevenueCat, as it signs its answers, under keys of the tests' own.
public struct SignedCustomerInfo: Sendable {
    /// An answer, without the headers that every HTTP server sends.
    public struct Answer: Sendable {
        public var path: String
        public var nonce: [UInt8]
        public var headers: [String: String]
        public var body: String

        /// The answer in the file format that `gatectl` reads.
        public func json() throws -> [UInt8] {
            let fields: [String: Any] = [
                "path": path, "nonce": Data(nonce).base64EncodedString(), "headers": headers, "body": body,
            ]
            return Array(try JSONSerialization.data(withJSONObject: fields))
        }
    }

    /// The public key that questions carry. It is signed too.
    public static let publicKey = "appl_of_the_tests"

    private let root = Curve25519.Signing.PrivateKey()
    private let intermediate = Curve25519.Signing.PrivateKey()

    public init() {}

    /// The key that these answers are checked with, 32 bytes.
    public var rootKey: [UInt8] { Array(root.publicKey.rawRepresentation) }

    /// An answer of just now that gives one entitlement for good.
    ///
    /// - Parameter entitlement: its name at RevenueCat.
    public func answer(path: String, nonce: [UInt8], etag: String, entitlement: String) throws -> Answer {
        let time = String(Int64(Date().timeIntervalSince1970 * 1000))
        let body = """
            {"request_date_ms":\(time),"subscriber":{"entitlements":{"\(entitlement)":{"expires_date":null,\
            "product_identifier":"annual","purchase_date":"2026-03-01T00:00:00Z"}}}}

            """
        let salt = [UInt8](repeating: 7, count: 16)
        let expiry: [UInt8] = [0xff, 0xff, 0xff, 0x7f]
        let key = Array(intermediate.publicKey.rawRepresentation)
        let message = salt + Array("\(Self.publicKey)".utf8) + nonce + Array("\(path)\(time)\(etag)\(body)".utf8)
        let signature =
            key + expiry + Array(try root.signature(for: expiry + key)) + salt
            + Array(try intermediate.signature(for: message))
        return Answer(
            path: path, nonce: nonce,
            headers: [
                "X-Signature": Data(signature).base64EncodedString(), "X-RevenueCat-Request-Time": time,
                "X-RevenueCat-ETag": etag,
            ], body: body)
    }
}
