public import GateModel

/// The hash of an account's password, made and compared like that of a passcode: yescrypt, from the system's libcrypt.
/// Hashing is slow on purpose, so never do it on an event loop.
public struct PasswordHash: Hashable, Sendable {
    private let hash: PasscodeHash

    public init(text: String) {
        hash = PasscodeHash(text: text)
    }

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

    public var text: String { hash.text }

    public static func unsuitability(of password: GateSecret) -> String? {
        PasscodeHash.unsuitability(of: password, called: "password")
    }

    /// - Throws: `libcrypt` if the stored hash is invalid, or hashing fails.
    public func matches(_ typed: GateSecret) throws(CredentialError) -> Bool {
        try hash.matches(typed)
    }
}

extension PasswordHash: CustomStringConvertible {
    public var description: String { "(hash)" }
}
