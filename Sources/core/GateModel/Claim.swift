/// Who says that something was bought.
@nonexhaustive
public enum ClaimProvider: String, Hashable, Sendable, CaseIterable {
    /// Apple's App Store, by StoreKit 2.
    case storeKit = "storekit"
    /// RevenueCat.
    case revenueCat = "revenuecat"
    /// An administrator, who grants an entitlement by hand.
    case manual
    /// A provider that only a newer daemon knows.
    case unrecognized

    /// All providers that this version knows, without `unrecognized`.
    public static let allCases: [ClaimProvider] = [.storeKit, .revenueCat, .manual]
}

/// What a provider says about one purchase. Programs name a claim by `Claim.ID` and read it as a `ClaimSummary`; what
/// it gives is an `Entitlement`.
public struct Claim: Hashable, Sendable {
    /// Names a claim: the provider, and the provider's own name for it.
    public struct ID: Hashable, Sendable {
        /// The provider that made the claim.
        public var provider: ClaimProvider
        /// The provider's name for the claim. StoreKit: the id of the original transaction. RevenueCat: the app user
        /// id, a slash and RevenueCat's name of the entitlement. An administrator's: a number.
        public var name: String

        public init(_ provider: ClaimProvider, _ name: String) {
            self.provider = provider
            self.name = name
        }
    }

    /// Who has the benefit of a claim.
    @nonexhaustive
    public enum Holder: Hashable, Sendable {
        /// Everybody on this device.
        case device
        /// Everybody who is signed in to the account with this name.
        case account(String)
    }

    package var id: ID
    package var holder: Holder
    package var purchase: ClaimedPurchase
    /// What is known about the renewal of a subscription; `nil` if the provider said nothing.
    package var renewal: SubscriptionRenewal?
    /// When an administrator revoked the claim on this device, which overrides the provider; `nil` if nobody did.
    package var revokedHere: WallTime?

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

/// A purchase, as its provider describes it.
package struct ClaimedPurchase: Hashable, Sendable {
    /// What was bought, by the name that `providers.yaml` maps to an entitlement: StoreKit's product id, or
    /// RevenueCat's name of the entitlement. If an administrator made the claim: the entitlement's name in the policy.
    package var item: String
    /// The provider's name for the product, for people to read.
    package var product: String
    package var purchasedAt: WallTime
    /// `nil` if the purchase never runs out.
    package var expiresAt: WallTime?
    /// When the store refunded or revoked the purchase; `nil` if it did not.
    package var revokedAt: WallTime?
    /// Whether no real money was paid, as in a store's sandbox or test environment.
    package var isForTesting: Bool
    /// When the provider said so. A newer statement replaces an older one.
    package var saidAt: WallTime

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

/// How the renewal of a subscription is going, as the store says.
package struct SubscriptionRenewal: Hashable, Sendable {
    /// Whether the store failed to collect the money, and is trying again.
    package var isInBillingRetry: Bool
    /// Until when the store wants the unpaid subscription to be honoured; `nil` if it does not.
    package var gracePeriodEndsAt: WallTime?
    package var saidAt: WallTime

    package init(isInBillingRetry: Bool, gracePeriodEndsAt: WallTime?, saidAt: WallTime) {
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodEndsAt = gracePeriodEndsAt
        self.saidAt = saidAt
    }
}

/// What a provider says about purchases, after its origin was checked. Only what was covered by that check is in it.
package enum ProviderStatement: Hashable, Sendable {
    /// About one original transaction: its purchase, its renewal, or both. At least one of them is there.
    /// - `notificationID`: of the server notification that carried it, each of which is accepted once; or `nil`.
    /// - `binding`: the person and the device that the receipt binds the purchase to.
    case storeKit(
        originalTransaction: String, purchase: ClaimedPurchase?, renewal: SubscriptionRenewal?, notificationID: String?,
        binding: PurchaseBinding = .unbound)
    /// A server notification that is not about a purchase.
    case storeKitNothing(notificationID: String)
    /// Everything that this RevenueCat user had at the time `saidAt`, under RevenueCat's names of entitlements. The
    /// user had nothing that is not listed.
    case revenueCat(appUser: String, [CustomerEntitlement], saidAt: WallTime)

    /// One entitlement that a RevenueCat user has or had.
    package struct CustomerEntitlement: Hashable, Sendable {
        package var purchase: ClaimedPurchase
        /// `nil` if RevenueCat said nothing about the renewal.
        package var renewal: SubscriptionRenewal?

        package init(purchase: ClaimedPurchase, renewal: SubscriptionRenewal?) {
            self.purchase = purchase
            self.renewal = renewal
        }
    }

    package var provider: ClaimProvider {
        switch self {
        case .storeKit, .storeKitNothing: .storeKit
        case .revenueCat: .revenueCat
        }
    }
}

/// The person and the device that a receipt binds a purchase to.
package struct PurchaseBinding: Hashable, Sendable {
    /// The holder that the receipt names; `nil` if it names none, so that the one who submits it chooses.
    package var holder: Claim.Holder?
    /// Whether the statement may introduce a purchase that Gate does not know yet. A statement that does not say on
    /// which device the purchase was made may only change a known one.
    package var mayBegin: Bool

    package init(holder: Claim.Holder?, mayBegin: Bool) {
        self.holder = holder
        self.mayBegin = mayBegin
    }

    /// For statements that need no binding: anybody may hold the purchase, on any device.
    package static let unbound = PurchaseBinding(holder: nil, mayBegin: true)
}

/// Whether a provider could be reached last time.
public struct ProviderHealth: Hashable, Sendable {
    /// False if the program that asks the provider got no answer. What the provider said before still counts.
    public var isReachable: Bool
    /// What went wrong, as one line for people. May be empty.
    public var detail: String
    /// When it began to be reachable, or stopped being so.
    public var since: WallTime
    /// When the provider's program reported last. If it is asked to look for a payment, it reports when it has looked.
    public var lastReport: WallTime

    /// - Parameter lastReport: `nil`: the same as `since`.
    package init(isReachable: Bool, detail: String, since: WallTime, lastReport: WallTime? = nil) {
        self.isReachable = isReachable
        self.detail = detail
        self.since = since
        self.lastReport = lastReport ?? since
    }
}

extension Claim.ID: Comparable {
    /// Orders by the provider's name, then by the claim's name.
    public static func < (left: Claim.ID, right: Claim.ID) -> Bool {
        (left.provider.rawValue, left.name) < (right.provider.rawValue, right.name)
    }
}
