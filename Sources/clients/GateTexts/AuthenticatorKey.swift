package import GateModel

/// A new key for an authenticator, in the forms that are shown to the person who sets it up.
package struct AuthenticatorKey {
    package let key: GateSecret
    /// The name under which the authenticator shows the key: the name of the device.
    package let account: String

    /// The key's length in bytes: the one that RFC 4226 recommends, and that every authenticator accepts.
    package static let keyBytes = 20

    /// Makes a key with the system's cryptographic random number generator.
    package init(account: String) {
        var generator = SystemRandomNumberGenerator()
        var bytes = (0..<Self.keyBytes).map { _ in UInt8.random(in: 0...255, using: &generator) }
        self.init(key: GateSecret(wiping: &bytes), account: account)
    }

    package init(key: GateSecret, account: String) {
        self.key = key
        self.account = account
    }

    /// For example `otpauth://totp/Gate:tablet?secret=…&issuer=Gate`. SHA-1, 30 s and six digits are the defaults; they
    /// are left out because some authenticators refuse a link that names them.
    package var link: [UInt8] {
        Array("otpauth://totp/Gate:\(Self.encoded(account))?secret=".utf8) + base32 + Array("&issuer=Gate".utf8)
    }

    /// The key for typing, in groups of four characters.
    package var groupedKey: String {
        let digits = base32
        return stride(from: 0, to: digits.count, by: 4)
            .map { String(decoding: digits[$0..<min($0 + 4, digits.count)], as: UTF8.self) }
            .joined(separator: " ")
    }

    private var base32: [UInt8] {
        key.withBytes { Base32.encoded($0) }
    }

    /// Removes what a host name can't contain.
    private static func encoded(_ account: String) -> String {
        account.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0)) }
    }
}
