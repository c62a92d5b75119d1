public import GateModel

/// The hash of an account's password (F-61), made and compared as a passcode's: yescrypt by the system's libcrypt. Slow on
/// purpose: never on an event loop.
public struct PasswordHash: Hashable, Sendable {
    private let hash: PasscodeHash

    /// How long a new password may be, in bytes of UTF-8.
    public static let byteCounts = PasscodeHash.byteCounts

    /// A hash that was made before, as crypt(3) makes it.
    public init(text: String) {
        hash = PasscodeHash(text: text)
    }

    /// Hashes a new password, with a salt of its own.
    /// - Throws: `unsuitable` where it is too short, too long, or no text; `libcrypt` where hashing fails.
    public init(of password: GateSecret, using random: inout some RandomNumberGenerator) throws(CredentialError) {
        if let reason = Self.unsuitability(of: password) { throw .unsuitable(reason) }
        hash = try PasscodeHash(of: password, using: &random)
    }

    /// The hash of a password that nobody has, with the parameters of a new one: what is typed for an account that there
    /// is not is compared with it, so that the time does not tell.
    /// - Throws: `libcrypt` where hashing fails.
    public static func ofNobody(using random: inout some RandomNumberGenerator) throws(CredentialError) -> PasswordHash
    {
        let digits = Array("0123456789abcdef".utf8)
        return try PasswordHash(
            of: GateSecret((0..<64).map { _ in digits[Int.random(in: 0..<digits.count, using: &random)] }),
            using: &random)
    }

    /// Like "$y$j9T$…". Safe to keep in a file that nobody else reads.
    public var text: String { hash.text }

    /// Why this can't be a new password, as a sentence that says what to do; nil: it can.
    public static func unsuitability(of password: GateSecret) -> String? {
        PasscodeHash.unsuitability(of: password, called: "password")
    }

    /// Whether this is the password. Whatever was typed is hashed once and compared once: what is too long, too short or no
    /// text costs what any other wrong password does.
    /// - Throws: `libcrypt` where the hash is none, or hashing fails.
    public func matches(_ typed: GateSecret) throws(CredentialError) -> Bool {
        try hash.matches(typed)
    }
}

extension PasswordHash: CustomStringConvertible {
    public var description: String { "(hash)" }
}
