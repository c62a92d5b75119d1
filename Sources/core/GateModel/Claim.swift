/// The source of a statement about a purchase (F-50).
@nonexhaustive
public enum ClaimProvider: String, Hashable, Sendable, CaseIterable {
    /// Apple's App Store, by StoreKit 2.
    case storeKit = "storekit"
    /// RevenueCat.
    case revenueCat = "revenuecat"
    /// An administrator.
    case manual
    /// One that a newer daemon knows.
    case unrecognized

    /// The providers that somebody can name.
    public static let allCases: [ClaimProvider] = [.storeKit, .revenueCat, .manual]
}

/// A provider's word about one purchase. Programs name it by `Claim.ID` and read it as `ClaimSummary`; what it leads to is in
/// `Entitlement`.
public struct Claim: Hashable, Sendable {
    /// The name of a claim: its provider, and the provider's name for it.
    public struct ID: Hashable, Sendable {
        /// The provider that says so.
        public var provider: ClaimProvider
        /// StoreKit: the original transaction. RevenueCat: the app user, a slash, and its name of the entitlement. By
        /// hand: a number.
        public var name: String

        /// Makes an id of these values.
        public init(_ provider: ClaimProvider, _ name: String) {
            self.provider = provider
            self.name = name
        }
    }

    /// The holder of a claim.
    @nonexhaustive
    public enum Holder: Hashable, Sendable {
        /// Everybody's on this device.
        case device
        /// The account with this name.
        case account(String)
    }

    /// The provider, and its name for the claim.
    package var id: ID
    /// The account, or the device, that it belongs to.
    package var holder: Holder
    /// The purchase.
    package var purchase: ClaimedPurchase
    /// The renewal of a subscription that the store renews; `nil`: nothing was said.
    package var renewal: SubscriptionRenewal?
    /// When an administrator took it back here, whatever its provider says; `nil`: nobody did.
    package var revokedHere: WallTime?

    /// Makes a claim of these values.
    package init(
        id: ID, holder: Holder, purchase: ClaimedPurchase, renewal: SubscriptionRenewal? = nil,
        revokedHere: WallTime? = nil
    ) {
        self.id = id
        self.holder = holder
        self.purchase = purchase
        self.renewal = renewal
        self.revokedHere = revokedHere
    }
}

/// A purchase, until when, as its provider says.
package struct ClaimedPurchase: Hashable, Sendable {
    /// The item that `providers.yaml` gives an entitlement for: StoreKit's product id, RevenueCat's name of the
    /// entitlement. By hand: our own name of the entitlement.
    package var item: String
    /// The provider's name for what was bought, for people.
    package var product: String
    /// When it was bought.
    package var purchasedAt: WallTime
    /// `nil`: never.
    package var expiresAt: WallTime?
    /// Refunded, or taken back otherwise.
    package var revokedAt: WallTime?
    /// Whether no real money was paid: a sandbox, or another environment of tests.
    package var isForTesting: Bool
    /// When the provider said so. What was said before is out of date.
    package var saidAt: WallTime

    /// Makes a purchase of these values.
    package init(
        item: String, product: String, purchasedAt: WallTime, expiresAt: WallTime?, revokedAt: WallTime? = nil,
        isForTesting: Bool = false, saidAt: WallTime
    ) {
        self.item = item
        self.product = product
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.isForTesting = isForTesting
        self.saidAt = saidAt
    }
}

/// How the store gets on with the renewal of a subscription.
package struct SubscriptionRenewal: Hashable, Sendable {
    /// It could not collect, and tries again.
    package var isInBillingRetry: Bool
    /// Until when it asks for the subscription to be honoured all the same; `nil`: it does not.
    package var gracePeriodEndsAt: WallTime?
    /// When the provider said so. What was said before is out of date.
    package var saidAt: WallTime

    /// Makes a renewal of these values.
    package init(isInBillingRetry: Bool, gracePeriodEndsAt: WallTime?, saidAt: WallTime) {
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodEndsAt = gracePeriodEndsAt
        self.saidAt = saidAt
    }
}

/// A provider's statement, once it was checked to come from there (G-07). Nothing of it is believed that was not checked.
package enum ProviderStatement: Hashable, Sendable {
    /// The purchase of one original transaction, or how its renewal goes, or both. At least one of them.
    /// `notificationID`: of a server notification; each is taken once.
    /// `binding`: to whom, and to which device, the receipt binds the purchase.
    case storeKit(
        originalTransaction: String, purchase: ClaimedPurchase?, renewal: SubscriptionRenewal?, notificationID: String?,
        binding: PurchaseBinding = .unbound)
    /// A server notification that says nothing of a purchase.
    case storeKitNothing(notificationID: String)
    /// Everything that this user of the app has, at that time, by RevenueCat's names of entitlements. What is not in it, it
    /// has not.
    case revenueCat(appUser: String, [CustomerEntitlement], saidAt: WallTime)

    /// One thing that a user of RevenueCat has, or had.
    package struct CustomerEntitlement: Hashable, Sendable {
        /// The purchase.
        package var purchase: ClaimedPurchase
        /// How it is renewed; `nil`: nothing was said about that.
        package var renewal: SubscriptionRenewal?

        /// Makes a value of these.
        package init(purchase: ClaimedPurchase, renewal: SubscriptionRenewal?) {
            self.purchase = purchase
            self.renewal = renewal
        }
    }

    /// The provider that made the statement.
    package var provider: ClaimProvider {
        switch self {
        case .storeKit, .storeKitNothing: .storeKit
        case .revenueCat: .revenueCat
        }
    }
}

/// The person and the device to which a receipt binds a purchase.
package struct PurchaseBinding: Hashable, Sendable {
    /// The holder that the receipt names; `nil`: the one who has it says so.
    package var holder: Claim.Holder?
    /// Whether it may be the first that is heard of a purchase. What does not say on which device it was made may only change
    /// what is known.
    package var mayBegin: Bool

    /// Makes a value of these.
    package init(holder: Claim.Holder?, mayBegin: Bool) {
        self.holder = holder
        self.mayBegin = mayBegin
    }

    /// Where nothing of it is demanded.
    package static let unbound = PurchaseBinding(holder: nil, mayBegin: true)
}

/// Whether a provider can be heard.
public struct ProviderHealth: Hashable, Sendable {
    /// `false`: the program that asks it for us got no answer. What it said before stands.
    public var isReachable: Bool
    /// For people: what went wrong. One line; may be empty.
    public var detail: String
    /// Since when it is so.
    public var since: WallTime
    /// When its program said so last. One that is asked to look for a payment says so again once it has looked.
    public var lastReport: WallTime

    /// Makes a health of these values.
    ///
    /// - Parameter lastReport: `nil`: it was said once.
    package init(isReachable: Bool, detail: String, since: WallTime, lastReport: WallTime? = nil) {
        self.isReachable = isReachable
        self.detail = detail
        self.since = since
        self.lastReport = lastReport ?? since
    }
}

extension Claim.ID: Comparable {
    /// Orders by provider, then by name.
    public static func < (left: Claim.ID, right: Claim.ID) -> Bool {
        (left.provider.rawValue, left.name) < (right.provider.rawValue, right.name)
    }
}
