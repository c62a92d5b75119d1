package import GateModel

/// What a paywall says after a person has asked the store to look for an earlier payment.
package enum RestoreWords {
    /// The result, for a paywall that is still open; `nil` if the provider has not reported since the person asked.
    package static func result(_ health: ProviderHealth, askedAt: WallTime) -> String? {
        guard health.lastReport >= askedAt else { return nil }
        return health.isReachable
            ? localized(
                "The store has no purchase of this. If you have just paid, wait a moment and try again.")
            : localized(
                "The store can't be reached. Gate keeps trying, and this closes by itself when your purchase is found."
            )
    }
}
