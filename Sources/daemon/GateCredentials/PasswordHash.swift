public import GateModel

/// The hash of an account's password, made and compared like that of a passcode: yescrypt, from the system's libcrypt.
/// Hashing is slow on purpose, so never do it on an event loop.
public struct PasswordHash: Hashable, Sendable {
    private let hash: PasscodeHash

    /// How many bytes of UTF-8 a new password may have.
    public static let byteCounts = PasscodeHash.byteCounts

    /// A hash that crypt(3) made before.
    public init(text: String) {
        hash = PasscodeHash(text: text)
    }

    /// Hashes a new password with a new salt.
    /// - Throws: `unsuitable` if it is too short, too long, or not text; `libcrypt` if hashing fails.
    public init(of password: GateSecret, using random: inout some RandomNumberGenerator) throws(CredentialError) {
        if let reason = Self.unsuitability(of: password) { throw .unsuitable(reason) }
        hash = try PasscodeHash(of: password, using: &random)
    }

    /// The hash of a random password, with the parameters of a new one. If an account does not exist, the input is
    /// compared with this, so that the time does not reveal it.
    /// - Throws: `libcrypt` if hashing fails.
    public static func ofNobody(using random: inout some RandomNumberGenerator) throws(CredentialError) -> PasswordHash
    {
        let digits = Array("0123456789abcdef".utf8)
        return try PasswordHash(
            of: GateSecret((0..<64).map { _ in digits[Int.random(in: 0..<digits.count, using: &random)] }),
            using: &random)
    }

    /// A text like "$y$j9T$…". It can be kept in a file that nobody else can read.
    public var text: String { hash.text }

    /// Why this can't be a new password, as a sentence that says what to do; `nil` if it can.
    public static func unsuitability(of password: GateSecret) -> String? {
        PasscodeHash.unsuitability(of: password, called: "password")
    }

    /// Whether this is the password. Any input is hashed once and compared once, so one that is too long, too short or
    /// not text takes as long as any other wrong password.
    /// - Throws: `libcrypt` if the stored hash is invalid, or hashing fails.
    public func matches(_ typed: GateSecret) throws(CredentialError) -> Bool {
        try hash.matches(typed)
    }
}

extension PasswordHash: CustomStringConvertible {
    public var description: String { "(hash)" }
}
