import Foundation
public import GateModel
import X509

/// Signs what the App Store would sign, under an authority of the tests' own.
///
/// Three lines are enough: `let store = try SignedTransactions()`, a verifier with `store.settings`, and
/// `try store.transaction(product: "gate.premium", expiresAt: …)`.
public struct SignedTransactions: Sendable {
    public var chain: StoreKitChain
    public var bundleID = "com.example.gate"
    package var environment = StoreKitSettings.Environment.production
    /// 2026-01-01T00:00:00Z: when everything is signed that is not given another time.
    public static let now = WallTime(unixMilliseconds: 1_767_225_600_000)

    public init(chain: StoreKitChain? = nil) throws {
        self.chain = try chain ?? StoreKitChain()
    }

    /// The settings that accept these transactions, and give `premium` for the product `gate.premium`.
    package var settings: StoreKitSettings {
        get throws {
            StoreKitSettings(
                bundleIDs: [bundleID], roots: [try chain.root.derBytes], environments: [environment],
                products: ["gate.premium": "premium"])
        }
    }

    /// The JWS of a transaction: of a subscription, or of a product that is bought once where `expiresAt` is nil.
    public func transaction(
        product: String = "gate.premium", original: String = "2000000000000001",
        purchasedAt: WallTime = Self.now, expiresAt: WallTime?, revokedAt: WallTime? = nil,
        signedAt: WallTime = Self.now
    ) throws -> String {
        var payload = transactionPayload
        payload["productId"] = product
        payload["originalTransactionId"] = original
        payload["purchaseDate"] = purchasedAt.unixMilliseconds
        payload["expiresDate"] = expiresAt?.unixMilliseconds
        payload["type"] = expiresAt == nil ? "Non-Consumable" : "Auto-Renewable Subscription"
        payload["revocationDate"] = revokedAt?.unixMilliseconds
        payload["revocationReason"] = revokedAt.map { _ in 1 }
        payload["signedDate"] = signedAt.unixMilliseconds
        return try chain.sign(payload)
    }

    /// The JWS of a renewal info.
    public func renewalInfo(
        original: String = "2000000000000001", isInBillingRetry: Bool = false, gracePeriodEndsAt: WallTime? = nil,
        signedAt: WallTime = Self.now
    ) throws -> String {
        var payload: [String: any Sendable] = [
            "originalTransactionId": original, "autoRenewProductId": "gate.premium", "productId": "gate.premium",
            "autoRenewStatus": 1, "environment": environment.rawValue,
            "signedDate": signedAt.unixMilliseconds, "isInBillingRetryPeriod": isInBillingRetry,
        ]
        payload["gracePeriodExpiresDate"] = gracePeriodEndsAt?.unixMilliseconds
        return try chain.sign(payload)
    }

    /// The JWS of a server notification, with the JWS that it carries.
    public func notification(
        id: String = "002e14d5-51f5-4503-b5a8-c3a1af68eb20", type: String = "DID_RENEW", transaction: String? = nil,
        renewalInfo: String? = nil, signedAt: WallTime = Self.now
    ) throws -> String {
        try chain.sign(
            notificationPayload(
                id: id, type: type, transaction: transaction, renewalInfo: renewalInfo, signedAt: signedAt))
    }

    public func notificationPayload(
        id: String = "002e14d5-51f5-4503-b5a8-c3a1af68eb20", type: String = "DID_RENEW", transaction: String? = nil,
        renewalInfo: String? = nil, signedAt: WallTime = Self.now
    ) -> [String: any Sendable] {
        var data: [String: any Sendable] = [
            "appAppleId": 1234, "bundleId": bundleID, "bundleVersion": "1", "environment": environment.rawValue,
        ]
        data["signedTransactionInfo"] = transaction
        data["signedRenewalInfo"] = renewalInfo
        return [
            "notificationType": type, "notificationUUID": id, "version": "2.0",
            "signedDate": signedAt.unixMilliseconds, "data": data,
        ]
    }

    /// A transaction with every field that Apple documents, of a subscription for a month from `now` on.
    public var transactionPayload: [String: any Sendable] {
        [
            "originalTransactionId": "2000000000000001", "transactionId": "2000000000000002",
            "webOrderLineItemId": "2000000000000003", "bundleId": bundleID, "productId": "gate.premium",
            "subscriptionGroupIdentifier": "20000001", "purchaseDate": Self.now.unixMilliseconds,
            "originalPurchaseDate": Self.now.unixMilliseconds, "expiresDate": Self.monthLater.unixMilliseconds,
            "quantity": 1, "type": "Auto-Renewable Subscription",
            "appAccountToken": "7e3fb20b-4cdb-47cc-936d-99d65f608138", "inAppOwnershipType": "PURCHASED",
            "signedDate": Self.now.unixMilliseconds, "environment": environment.rawValue, "isUpgraded": false,
            "offerType": 1, "offerIdentifier": "spring", "offerDiscountType": "FREE_TRIAL",
            "transactionReason": "PURCHASE", "storefront": "USA", "storefrontId": "143441", "price": 1990,
            "currency": "USD", "appTransactionId": "70000000000000001",
        ]
    }

    public static let monthLater = WallTime(unixMilliseconds: now.unixMilliseconds + 30 * 86_400_000)
}
