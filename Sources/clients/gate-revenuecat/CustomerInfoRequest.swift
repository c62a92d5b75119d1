import FoundationEssentials
import GateModel

/// The request `GET /v1/subscribers/{id}`, made so that RevenueCat signs its answer.
struct CustomerInfoRequest: Hashable, Sendable {
    let url: String
    let publicKey: String
    /// The path without the base URL. It is part of what is signed, exactly as it is sent.
    let path: String
    /// New for each request, so that an older answer can't pass for the answer to this one.
    let nonce: [UInt8]
    let etag: String?

    init?(_ settings: RevenueCatSettings, user: String, etag: String?, nonce: [UInt8]) {
        guard let path = Self.path(of: user) else { return nil }
        self.path = path
        url = settings.baseURL + path
        publicKey = settings.publicKey
        self.nonce = nonce
        self.etag = etag
    }

    /// There is no X-Platform: it would change what RevenueCat knows about the user's devices, and the signature does
    /// not need it. There is no X-Is-Sandbox either, since it would be signed, too.
    var headers: [String: String] {
        var headers = [
            "Authorization": "Bearer \(publicKey)", "X-Nonce": Data(nonce).base64EncodedString(),
            "Accept": "application/json", "User-Agent": "gate-revenuecat/\(GateRelease.version)",
        ]
        headers["X-RevenueCat-ETag"] = etag
        return headers
    }

    /// `nil` if the user can't be a segment of a path, like "." and "..".
    static func path(of user: String) -> String? {
        ["", ".", ".."].contains(user) ? nil : "/v1/subscribers/\(percentEncoded(user))"
    }

    /// Encodes everything but the unreserved characters of RFC 3986.
    private static func percentEncoded(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                encoded.unicodeScalars.append(UnicodeScalar(byte))
            case _:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
