package import GateModel

/// A provider's checked statement, as JSON on one line. Times are RFC 3339 in UTC; empty fields are left out.
package enum StatementJSON {
    package static func text(of statement: ProviderStatement) -> String {
        switch statement {
        case .storeKit(let transaction, let purchase, let renewal, let notification, let binding):
            JSONText.object([
                provider(statement), ("originalTransaction", JSONString.quoted(transaction)),
                ("notification", notification.map(JSONString.quoted)), ("purchase", purchase.map(json)),
                ("renewal", renewal.map(json)), ("holder", binding.holder.map(json)),
            ])
        case .storeKitNothing(let notification):
            JSONText.object([provider(statement), ("notification", JSONString.quoted(notification))])
        case .revenueCat(let user, let entitlements, let saidAt):
            JSONText.object([
                provider(statement), ("appUser", JSONString.quoted(user)), ("saidAt", json(saidAt)),
                ("entitlements", JSONText.list(entitlements.map(json))),
            ])
        }
    }

    private static func provider(_ statement: ProviderStatement) -> JSONText.Field {
        ("provider", JSONString.quoted(statement.provider.rawValue))
    }

    private static func json(_ entitlement: ProviderStatement.CustomerEntitlement) -> String {
        JSONText.object([("purchase", json(entitlement.purchase)), ("renewal", entitlement.renewal.map(json))])
    }

    private static func json(_ purchase: ClaimedPurchase) -> String {
        JSONText.object([
            ("item", JSONString.quoted(purchase.item)), ("product", JSONString.quoted(purchase.product)),
            ("purchasedAt", json(purchase.purchasedAt)), ("expiresAt", purchase.expiresAt.map(json)),
            ("revokedAt", purchase.revokedAt.map(json)), ("isForTesting", "\(purchase.isForTesting)"),
            ("saidAt", json(purchase.saidAt)),
        ])
    }

    /// As in providers.yaml.
    private static func json(_ holder: Claim.Holder) -> String {
        switch holder {
        case .account(let name): JSONText.object([("account", JSONString.quoted(name))])
        case .device: JSONString.quoted("device")
        }
    }

    private static func json(_ renewal: SubscriptionRenewal) -> String {
        JSONText.object([
            ("isInBillingRetry", "\(renewal.isInBillingRetry)"),
            ("gracePeriodEndsAt", renewal.gracePeriodEndsAt.map(json)), ("saidAt", json(renewal.saidAt)),
        ])
    }

    private static func json(_ time: WallTime) -> String { JSONString.quoted(time.briefUTCText) }
}
