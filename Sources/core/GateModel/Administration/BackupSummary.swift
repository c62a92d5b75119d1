/// The contents of a backup: everything that a restore brings back.
public struct BackupSummary: Hashable, Sendable {
    /// The version of gated that made the backup; empty: it does not say.
    public var version: String
    /// When the backup was made; `nil`: it does not say.
    public var madeAt: WallTime?
    /// The number of accounts.
    public var accountCount: Int
    /// The number of claims.
    public var claimCount: Int
    /// The number of kept responses to forms.
    public var responseCount: Int
    /// Whether a passcode is in it.
    public var hasPasscode: Bool
    /// Whether the key of an authenticator is in it.
    public var hasTOTP: Bool

    /// Makes a summary of these values.
    package init(
        version: String, madeAt: WallTime?, accountCount: Int, claimCount: Int, responseCount: Int, hasPasscode: Bool,
        hasTOTP: Bool
    ) {
        self.version = version
        self.madeAt = madeAt
        self.accountCount = accountCount
        self.claimCount = claimCount
        self.responseCount = responseCount
        self.hasPasscode = hasPasscode
        self.hasTOTP = hasTOTP
    }
}
