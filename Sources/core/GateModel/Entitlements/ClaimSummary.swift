/// A claim, and the entitlement that it gives.
public struct ClaimSummary: Hashable, Sendable {
    /// The provider, and its name for the claim.
    public var claim: Claim.ID
    /// The account, or the device, that it belongs to.
    public var holder: Claim.Holder
    /// The item that the configuration gives an entitlement for.
    public var item: String
    /// The provider's name for what was bought.
    public var product: String
    /// The name of the entitlement in the policy; empty: the configuration gives none for the item.
    public var entitlement: String
    /// How it stands now.
    public var status: Entitlement.Status
    /// When it was bought.
    public var purchasedAt: WallTime
    /// When it runs out; `nil`: never.
    public var expiresAt: WallTime?
    /// When the provider said so.
    public var saidAt: WallTime
    /// Whether no real money was paid.
    public var isForTesting: Bool
    /// Whether an administrator took it back.
    public var isRevokedHere: Bool

    /// Makes a summary of these values.
    package init(
        claim: Claim.ID, holder: Claim.Holder, item: String, product: String, entitlement: String,
        status: Entitlement.Status, purchasedAt: WallTime, expiresAt: WallTime?, saidAt: WallTime, isForTesting: Bool,
        isRevokedHere: Bool
    ) {
        self.claim = claim
        self.holder = holder
        self.item = item
        self.product = product
        self.entitlement = entitlement
        self.status = status
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.saidAt = saidAt
        self.isForTesting = isForTesting
        self.isRevokedHere = isRevokedHere
    }
}
