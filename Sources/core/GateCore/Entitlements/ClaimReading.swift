public import GateModel

/// A claim with its entitlement and status, as it is listed for administrators.
public struct ClaimReading: Hashable, Sendable {
    public var claim: Claim
    /// The claim's entitlement; `nil` if the configuration names none for its item.
    public var entitlement: String?
    public var status: Entitlement.Status

    public init(claim: Claim, entitlement: String?, status: Entitlement.Status) {
        self.claim = claim
        self.entitlement = entitlement
        self.status = status
    }
}
