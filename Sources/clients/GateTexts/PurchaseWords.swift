package import GateModel

/// Purchases in words, for every screen.
package enum PurchaseWords {
    package static func status(_ status: Entitlement.Status) -> String {
        switch status {
        case .subscribed: localized("Paid for")
        case .expired: localized("Expired")
        case .inGracePeriod: localized("Paid for, the next payment is late")
        case .inBillingRetry: localized("Payment failed")
        case .revoked: localized("Taken back")
        }
    }
}
