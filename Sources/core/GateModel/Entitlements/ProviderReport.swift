/// The health of a provider.
public struct ProviderReport: Hashable, Sendable {
    /// The provider.
    public var provider: ClaimProvider
    /// Whether it can be reached, and since when.
    public var health: ProviderHealth

    /// Makes a report of these values.
    package init(provider: ClaimProvider, health: ProviderHealth) {
        self.provider = provider
        self.health = health
    }
}
