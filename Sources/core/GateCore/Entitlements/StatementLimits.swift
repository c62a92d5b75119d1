import GateModel

extension ProviderStatement {
    /// Refuses what nobody could read, or the store could not keep. A provider's checks are its own; these are ours,
    /// no matter who hands it over.
    ///
    /// - Parameter isConfigured: whether something is configured for this item of RevenueCat's.
    func checkLimits(_ isConfigured: (String) -> Bool) throws(GateError) {
        switch self {
        case .storeKit(let transaction, let purchase, _, let notification, _):
            try Self.check(transaction, "original transaction")
            try purchase?.checkLimits()
            if let notification { try Self.check(notification, "notification") }
        case .storeKitNothing(let notification):
            try Self.check(notification, "notification")
        case .revenueCat(let user, let entitlements, _):
            try Self.check(user, "app user")
            // Those that nothing is configured for are passed over, whatever they are called: see `ClaimRules`.
            for entitlement in entitlements where isConfigured(entitlement.purchase.item) {
                try entitlement.purchase.checkLimits()
            }
        }
    }

    /// - Parameter what: the text is, for people.
    fileprivate static func check(_ text: String, _ what: String, mayBeEmpty: Bool = false) throws(GateError) {
        guard mayBeEmpty || !text.isEmpty, text.utf8.count <= Limits.providerNameByteCount, text.isSingleLine else {
            throw .invalid(
                "",
                "The provider's name of the \(what) is not one line of at most \(Limits.providerNameByteCount) bytes. "
                    + "Submit what it said, as it said it.")
        }
    }
}

extension ClaimedPurchase {
    fileprivate func checkLimits() throws(GateError) {
        try ProviderStatement.check(item, "item")
        try ProviderStatement.check(product, "product", mayBeEmpty: true)
    }
}

extension Limits {
    /// UTF-8 bytes of a provider's name of anything. A claim's name has up to four times as many, and one more.
    static let providerNameByteCount = 200
}
