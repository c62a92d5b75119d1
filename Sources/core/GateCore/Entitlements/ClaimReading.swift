public import GateModel

/// A claim, what it is about, and how it stands.
public struct ClaimReading: Hashable, Sendable {
    public var claim: Claim
    /// The entitlement that it comes to; `nil`: the configuration gives none for it.
    public var entitlement: String?
    public var status: Entitlement.Status

    public init(claim: Claim, entitlement: String?, status: Entitlement.Status) {
        self.claim = claim
        self.entitlement = entitlement
        self.status = status
    }
}
