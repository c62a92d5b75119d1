/// Whether a provider can be reached, as it was last reported.
public struct ProviderReport: Hashable, Sendable {
    /// The provider.
    public var provider: ClaimProvider
    /// Whether it can be reached, and since when.
    public var health: ProviderHealth

    package init(provider: ClaimProvider, health: ProviderHealth) {
        self.provider = provider
        self.health = health
    }
}
