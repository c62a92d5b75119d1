package import GateModel

/// The words about a payment that somebody has made before, and that is looked for from a paywall.
package enum RestoreWords {
    /// Once the store was asked, and the paywall is still open; `nil`: it was not asked yet.
    ///
    /// - Parameters:
    ///   - health: of the paywall's provider, as the daemon tells it.
    ///   - askedAt: when the person asked to look for it.
    package static func result(_ health: ProviderHealth, askedAt: WallTime) -> String? {
        guard health.lastReport >= askedAt else { return nil }
        return health.isReachable
            ? localized(
                "The store knows of no payment for this. If you have paid just now, wait a moment and look again.")
            : localized(
                "The store can't be reached now. It is asked again, and this closes by itself when the payment is found."
            )
    }
}
