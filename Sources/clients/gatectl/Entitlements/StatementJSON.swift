import GateModel

/// A provider's checked statement, as JSON on one line. Times are RFC 3339 in UTC; empty fields are left out.
enum StatementJSON {
    private typealias Field = (name: String, value: String?)

    static func text(of statement: ProviderStatement) -> String {
        switch statement {
        case .storeKit(let transaction, let purchase, let renewal, let notification, let binding):
            object([
                provider(statement), ("originalTransaction", JSONString.quoted(transaction)),
                ("notification", notification.map(JSONString.quoted)), ("purchase", purchase.map(json)),
                ("renewal", renewal.map(json)), ("holder", binding.holder.map(json)),
            ])
        case .storeKitNothing(let notification):
            object([provider(statement), ("notification", JSONString.quoted(notification))])
        case .revenueCat(let user, let entitlements, let saidAt):
            object([
                provider(statement), ("appUser", JSONString.quoted(user)), ("saidAt", json(saidAt)),
                ("entitlements", "[\(entitlements.map(json).joined(separator: ","))]"),
            ])
        }
    }

    private static func provider(_ statement: ProviderStatement) -> Field {
        ("provider", JSONString.quoted(statement.provider.rawValue))
    }

    private static func json(_ entitlement: ProviderStatement.CustomerEntitlement) -> String {
        object([("purchase", json(entitlement.purchase)), ("renewal", entitlement.renewal.map(json))])
    }

    private static func json(_ purchase: ClaimedPurchase) -> String {
        object([
            ("item", JSONString.quoted(purchase.item)), ("product", JSONString.quoted(purchase.product)),
            ("purchasedAt", json(purchase.purchasedAt)), ("expiresAt", purchase.expiresAt.map(json)),
            ("revokedAt", purchase.revokedAt.map(json)), ("isForTesting", "\(purchase.isForTesting)"),
            ("saidAt", json(purchase.saidAt)),
        ])
    }

    /// As in providers.yaml.
    private static func json(_ holder: Claim.Holder) -> String {
        switch holder {
        case .account(let name): object([("account", JSONString.quoted(name))])
        case .device: JSONString.quoted("device")
        }
    }

    private static func json(_ renewal: SubscriptionRenewal) -> String {
        object([
            ("isInBillingRetry", "\(renewal.isInBillingRetry)"),
            ("gracePeriodEndsAt", renewal.gracePeriodEndsAt.map(json)), ("saidAt", json(renewal.saidAt)),
        ])
    }

    private static func json(_ time: WallTime) -> String { JSONString.quoted(WallTimeText.utc(time)) }

    private static func object(_ fields: [Field]) -> String {
        "{\(fields.compactMap { field in field.value.map { "\(JSONString.quoted(field.name)):\($0)" } }.joined(separator: ","))}"
    }
}
