package import GateModel

/// A new key for an authenticator, as it is shown to the person who sets it up (G-11).
package struct AuthenticatorKey {
    /// The key itself.
    package let key: GateSecret
    /// The authenticator's name for it: the device.
    package let account: String

    /// The length that RFC 4226 asks for at least, and that every authenticator takes.
    package static let keyBytes = 20

    /// With a key of the system's cryptographic generator.
    package init(account: String) {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<Self.keyBytes).map { _ in UInt8.random(in: 0...255, using: &generator) }
        self.init(key: GateSecret(wiping: &bytes), account: account)
    }

    /// With a key that there is.
    package init(key: GateSecret, account: String) {
        self.key = key
        self.account = account
    }

    /// `otpauth://totp/Gate:tablet?secret=…&issuer=Gate`: SHA-1, 30 s and six digits go without saying, and some
    /// authenticators do not take them said.
    package var link: [UInt8] {
        Array("otpauth://totp/Gate:\(Self.encoded(account))?secret=".utf8) + base32 + Array("&issuer=Gate".utf8)
    }

    /// For typing, in groups of four.
    package var groupedKey: String {
        let digits = base32
        return stride(from: 0, to: digits.count, by: 4)
            .map { String(decoding: digits[$0..<min($0 + 4, digits.count)], as: UTF8.self) }
            .joined(separator: " ")
    }

    private var base32: [UInt8] {
        key.withBytes { Base32.encoded($0) }
    }

    /// A name of a host has nothing else in it; what has is left out.
    private static func encoded(_ account: String) -> String {
        account.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
    }
}
