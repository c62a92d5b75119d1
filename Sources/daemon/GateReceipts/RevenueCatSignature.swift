import Crypto
import FoundationEssentials
import GateModel

/// The value of the header X-Signature (RevenueCat's Trusted Entitlements): 180 bytes in base64. A root key vouches for
/// an intermediate key until some day, and only that key signs answers. All signatures are Ed25519.
struct RevenueCatSignature {
    /// 32 bytes.
    let intermediateKey: [UInt8]
    /// The day on which the key expires, at 0:00 UTC: the number of days since 1970-01-01 in 4 bytes, little-endian.
    let expiry: [UInt8]
    /// The root key's signature over `expiry` and then `intermediateKey`; 64 bytes.
    let rootSignature: [UInt8]
    /// 16 bytes.
    let salt: [UInt8]
    /// The intermediate key's signature over the answer; 64 bytes.
    let payloadSignature: [UInt8]

    static let byteCount = 32 + 4 + 64 + 16 + 64

    /// - Throws: `malformed`.
    init(header: String) throws(ReceiptError) {
        guard let bytes = Data(base64Encoded: header).map({ Array($0) }), bytes.count == Self.byteCount else {
            throw ReceiptError(.malformed, "X-Signature is not \(Self.byteCount) bytes in base64.")
        }
        var rest = bytes[...]
        func take(_ count: Int) -> [UInt8] {
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        intermediateKey = take(32)
        expiry = take(4)
        rootSignature = take(64)
        salt = take(16)
        payloadSignature = take(64)
    }

    /// When the intermediate key expires; `nil` if the day is 0.
    var expiresAt: WallTime? {
        let days = expiry.reversed().reduce(Int64(0)) { $0 << 8 | Int64($1) }
        return days > 0 ? WallTime(unixMilliseconds: days * 86_400_000) : nil
    }

    /// - Parameter payload: what was signed, after the salt.
    /// - Throws: `intermediate-key`, `intermediate-expiry`, `signature`.
    func verify(_ payload: SignedPayload, root: [UInt8], at now: WallTime) throws(ReceiptError) {
        guard Self.isValid(rootSignature, by: root, over: expiry + intermediateKey) else {
            throw ReceiptError(
                .intermediateKey,
                "The root key does not vouch for the key that signed the answer. Compare the root key in providers.yaml."
            )
        }
        guard let expiresAt, now <= expiresAt else {
            throw ReceiptError(
                .intermediateExpiry,
                "The key that signed the answer has expired. Ask RevenueCat anew, and look at this device's clock.")
        }
        guard Self.isValid(payloadSignature, by: intermediateKey, over: salt + payload.bytes) else {
            throw ReceiptError(
                .signature,
                "The signature is not RevenueCat's over this answer. "
                    + "Something in it was changed, or it was given to another public key, nonce or path.")
        }
    }

    private static func isValid(_ signature: [UInt8], by key: [UInt8], over bytes: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else { return false }
        return key.isValidSignature(signature, for: bytes)
    }
}

/// What RevenueCat signs of an answer: these parts in this order, with nothing between them. So the bytes alone don't
/// tell where one part ends. `RevenueCatVerifier` makes sure that only one division is possible.
struct SignedPayload {
    /// The public key that was sent as Authorization; empty for the few paths that need none.
    var publicKey: String
    /// The bytes of X-Nonce; empty if none was sent.
    var nonce: [UInt8]
    /// The path as it was sent, percent-encoded.
    var path: String
    /// The request's X-Post-Params-Hash; empty if there is none.
    var postParameters = ""
    /// The request's X-Headers-Hash; empty if there is none.
    var signedHeaders = ""
    /// The answer's X-RevenueCat-Request-Time, in decimal digits.
    var requestTime: String
    /// The answer's X-RevenueCat-ETag; empty if there is none.
    var etag: String
    /// Empty for an answer with status 304.
    var body: [UInt8]

    var bytes: [UInt8] {
        var bytes = Array(publicKey.utf8)
        bytes += nonce
        for part in [path, postParameters, signedHeaders, requestTime, etag] { bytes += part.utf8 }
        return bytes + body
    }
}
