public import GateModel

/// An account, and the hash that its password is compared with.
public struct AccountRecord: Hashable, Sendable {
    public var account: GateAccount
    /// A crypt(3) hash.
    public var passwordHash: String

    public init(account: GateAccount, passwordHash: String) {
        self.account = account
        self.passwordHash = passwordHash
    }
}
