import FoundationEssentials
import GateModel

/// `GET /v1/subscribers/{id}`, asked so that the answer is signed.
struct CustomerInfoRequest: Hashable, Sendable {
    let url: String
    let publicKey: String
    /// Without the base. Part of what is signed, as it is sent.
    let path: String
    /// Fresh, so that an older answer can't be passed off for this one's.
    let nonce: [UInt8]
    let etag: String?

    /// `nil`: the user is no segment of a path.
    init?(_ settings: RevenueCatSettings, user: String, etag: String?, nonce: [UInt8]) {
        guard let path = Self.path(of: user) else { return nil }
        self.path = path
        url = settings.baseURL + path
        publicKey = settings.publicKey
        self.nonce = nonce
        self.etag = etag
    }

    /// No X-Platform: it would change what RevenueCat knows of the user's devices, and the signature does not need it. No
    /// X-Is-Sandbox either, which would be signed too.
    var headers: [String: String] {
        var headers = [
            "Authorization": "Bearer \(publicKey)", "X-Nonce": Data(nonce).base64EncodedString(),
            "Accept": "application/json", "User-Agent": "gate-revenuecat/\(GateRelease.version)",
        ]
        headers["X-RevenueCat-ETag"] = etag
        return headers
    }

    /// `nil`: the user is no segment of a path, as "." and ".." are none.
    static func path(of user: String) -> String? {
        ["", ".", ".."].contains(user) ? nil : "/v1/subscribers/\(percentEncoded(user))"
    }

    /// All but the unreserved characters of RFC 3986.
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
