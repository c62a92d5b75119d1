import Crypto
import GateModel
import GateReceipts

/// RevenueCat with keys of the tests' own, signing its answers.
struct SigningRevenueCat {
    static let publicKey = "appl_of_the_tests"
    static let path = "/v1/subscribers/anna"
    static let nonce: [UInt8] = Array("123456789012".utf8)
    static let etag = "97d4f0d2353d784a"
    /// 2026-03-01T12:00:00Z.
    static let requestedAt = WallTime(unixMilliseconds: 1_772_366_400_000)

    let root = Curve25519.Signing.PrivateKey()
    let intermediate = Curve25519.Signing.PrivateKey()
    /// In days since 1970: 2026-04-01.
    var expiryDay: UInt32 = 20_544

    var settings: RevenueCatSettings {
        RevenueCatSettings(publicKey: Self.publicKey, rootKey: Array(root.publicKey.rawRepresentation))
    }

    /// The parts of X-Signature, in order.
    struct Parts {
        var intermediateKey: [UInt8]
        var expiry: [UInt8]
        var rootSignature: [UInt8]
        var salt: [UInt8]
        var payloadSignature: [UInt8]

        var header: String { base64(intermediateKey + expiry + rootSignature + salt + payloadSignature) }
    }

    /// Signs what was asked with this path and nonce. Spelled out here, and not with the types under test.
    func parts(
        path: String = Self.path, nonce: [UInt8] = Self.nonce, time: String, etag: String = Self.etag, body: [UInt8]
    ) throws -> Parts {
        let salt: [UInt8] = Array("sixteen bytes ok".utf8)
        let expiry = (0..<4).map { UInt8(truncatingIfNeeded: expiryDay >> ($0 * 8)) }
        let key = Array(intermediate.publicKey.rawRepresentation)
        let signed = salt + Array(Self.publicKey.utf8) + nonce + Array("\(path)\(time)\(etag)".utf8) + body
        return Parts(
            intermediateKey: key, expiry: expiry, rootSignature: Array(try root.signature(for: expiry + key)),
            salt: salt,
            payloadSignature: Array(try intermediate.signature(for: signed)))
    }

    /// An answer whose signature is good.
    func answer(
        path: String = Self.path, nonce: [UInt8] = Self.nonce, time: String = "\(Self.requestedAt.unixMilliseconds)",
        etag: String = Self.etag, body: String = CustomerInfo.premium
    ) throws -> CustomerInfoResponse {
        let parts = try parts(path: path, nonce: nonce, time: time, etag: etag, body: Array(body.utf8))
        return CustomerInfoResponse(
            path: path, nonce: nonce,
            headers: [
                .init(name: "Content-Type", value: "application/json"),
                .init(name: "x-signature", value: parts.header),
                .init(name: "X-RevenueCat-Request-Time", value: time),
                .init(name: "X-RevenueCat-ETag", value: etag),
            ], body: Array(body.utf8))
    }
}

extension CustomerInfoResponse {
    func header(named name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }

    func with(_ name: String, _ value: String?) -> CustomerInfoResponse {
        var response = self
        response.headers.removeAll { $0.name.lowercased() == name.lowercased() }
        if let value { response.headers.append(Header(name: name, value: value)) }
        return response
    }
}

/// Bodies.
enum CustomerInfo {
    static let premium = of(
        entitlements: [
            "premium": """
            {"expires_date":"2026-04-01T12:00:00Z","grace_period_expires_date":null,\
            "product_identifier":"annual","purchase_date":"2026-03-01T11:59:00Z"}
            """
        ],
        subscriptions: [
            "annual": """
            {"billing_issues_detected_at":null,"expires_date":"2026-04-01T12:00:00Z","grace_period_expires_date":null,\
            "is_sandbox":false,"purchase_date":"2026-03-01T11:59:00Z","refunded_at":null,"store":"app_store",\
            "unsubscribe_detected_at":null}
            """
        ])

    static func of(
        time: Int64 = SigningRevenueCat.requestedAt.unixMilliseconds, entitlements: [String: String],
        subscriptions: [String: String] = [:], others: [String: String] = [:]
    ) -> String {
        func object(_ members: [String: String]) -> String {
            "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
        }
        return """
            {"request_date":"2026-03-01T12:00:00Z","request_date_ms":\(time),"subscriber":\
            {"entitlements":\(object(entitlements)),"non_subscriptions":\(object(others)),\
            "original_app_user_id":"$RCAnonymousID:1af5","subscriptions":\(object(subscriptions))}}

            """
    }
}

/// Base64 of RFC 4648, so that no test needs Foundation for it.
func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
        for index in 0..<4 {
            text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : "=")
        }
    }
    return text
}
