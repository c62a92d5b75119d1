/// What a backup holds, and so what restoring it would bring back.
public struct BackupSummary: Hashable, Sendable {
    /// The version of gated that made the backup; empty if the backup does not say.
    public var version: String
    /// When the backup was made; `nil` if the backup does not say.
    public var madeAt: WallTime?
    /// The number of people on the list.
    public var accountCount: Int
    /// The number of claims.
    public var claimCount: Int
    /// The number of responses to forms, whether they are completed, unfinished or withdrawn.
    public var responseCount: Int
    /// Whether the backup contains a passcode.
    public var hasPasscode: Bool
    /// Whether the backup contains the key of an authenticator.
    public var hasTOTP: Bool

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
