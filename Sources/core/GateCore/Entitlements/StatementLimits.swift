import GateModel

extension ProviderStatement {
    /// Refuses names that people could not read, or that are too long for the store. Gate checks that itself, whatever
    /// program submits the statement.
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
            // `ClaimRules` skips entitlements without a configured item, so their names don't matter.
            for entitlement in entitlements where isConfigured(entitlement.purchase.item) {
                try entitlement.purchase.checkLimits()
            }
        }
    }

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
    /// The most UTF-8 bytes of any name of a provider's. A claim's name can be four times as long, plus one byte: a
    /// customer, a slash, and an item in which each character may be escaped by three.
    static let providerNameByteCount = 200
}
