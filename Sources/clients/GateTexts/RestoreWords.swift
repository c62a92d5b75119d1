package import GateModel

/// What a paywall says after a person has asked the store to look for an earlier payment.
package enum RestoreWords {
    /// The result, for a paywall that is still open; `nil` if the provider has not reported since the person asked.
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
