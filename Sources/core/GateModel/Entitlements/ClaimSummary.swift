/// A claim, its status, and the entitlement that it gives.
public struct ClaimSummary: Hashable, Sendable {
    /// The provider, and its name for the claim.
    public var claim: Claim.ID
    /// Who has the benefit of the claim: an account, or everybody on the device.
    public var holder: Claim.Holder
    /// What was bought, by the name that `providers.yaml` maps to an entitlement.
    public var item: String
    /// The provider's name for what was bought.
    public var product: String
    /// The name of the entitlement in the policy; empty if the configuration maps the item to none.
    public var entitlement: String
    /// The status of the claim now.
    public var status: Entitlement.Status
    /// When it was bought.
    public var purchasedAt: WallTime
    /// When the purchase runs out; `nil` if it never does.
    public var expiresAt: WallTime?
    /// When the provider said so.
    public var saidAt: WallTime
    /// Whether no real money was paid, as in a store's sandbox.
    public var isForTesting: Bool
    /// Whether an administrator revoked it on this device.
    public var isRevokedHere: Bool

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
