/// A right that somebody has paid for or was given. Gate derives it from the claims of providers.
public struct Entitlement: Hashable, Sendable, Identifiable {
    /// The status of a claim.
    @nonexhaustive
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// Paid for, and not expired.
        case subscribed
        /// Expired.
        case expired
        /// Expired, but the store wants it to be honoured while it tries to collect the money.
        case inGracePeriod = "in-grace-period"
        /// Expired, and the store is still trying to collect the money.
        case inBillingRetry = "in-billing-retry"
        /// Refunded, or revoked by the store or by an administrator.
        case revoked

        /// Whether a claim with this status gives its entitlement.
        public var isActive: Bool {
            switch self {
            case .subscribed, .inGracePeriod: true
            case .expired, .inBillingRetry, .revoked: false
            }
        }
    }

    /// The claim that decides about an entitlement, and its status.
    public struct Source: Hashable, Sendable {
        /// The provider that made the claim.
        public var provider: ClaimProvider
        /// When the provider last said something about the purchase.
        public var saidAt: WallTime
        /// The status of the claim.
        public var status: Status
        /// The provider's name for what was bought.
        public var product: String
        /// Who has the benefit of the claim: an account, or everybody on the device.
        public var holder: Claim.Holder
        /// When the status changes next if nobody says anything new; `nil` if it never does.
        public var until: WallTime?

        public init(
            provider: ClaimProvider, saidAt: WallTime, status: Status, product: String, holder: Claim.Holder,
            until: WallTime?
        ) {
            self.provider = provider
            self.saidAt = saidAt
            self.status = status
            self.product = product
            self.holder = holder
            self.until = until
        }
    }

    /// The name of the entitlement in the policy, like "premium".
    public var id: String
    /// The title that people read, in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// The claim that decides; `nil` if there is no claim for the device, nor for the person who is signed in.
    public var source: Source?

    public init(id: String, title: LocalizedText, source: Source?) {
        self.id = id
        titles = title
        self.source = source
    }

    /// Whether it is paid for now. False if there is no claim.
    public var isActive: Bool { source?.status.isActive ?? false }
}

/// All entitlements that the policy defines, whether active or not. Every peer may see them.
public struct EntitlementsState: Hashable, Sendable {
    /// The entitlements, in the order of their names.
    public var entitlements: [Entitlement]
    /// Whether the entitlement that the paywall sells is paid for.
    public var isSubscriptionActive: Bool

    public init(entitlements: [Entitlement], isSubscriptionActive: Bool) {
        self.entitlements = entitlements
        self.isSubscriptionActive = isSubscriptionActive
    }

    /// The state if nothing is known: nothing is paid for.
    public static let closed = EntitlementsState(entitlements: [], isSubscriptionActive: false)
}

package struct EntitlementDefinition: Hashable, Sendable {
    package var titles: LocalizedText
    package var title: String { titles.text }
    package var features: [LocalizedText]

    package init(title: LocalizedText, features: [LocalizedText] = []) {
        titles = title
        self.features = features
    }
}

/// A request to show a paywall. Whatever is `nil` is up to the policy.
public struct PaywallRequest: Hashable, Sendable {
    /// The name of the entitlement to sell; `nil`: the one that the paywall sells by the policy.
    public var entitlement: String?
    /// The provider that sells it; `nil`: the policy's.
    public var provider: ClaimProvider?
    /// How the paywall is shown; `nil`: the policy's style.
    public var style: Presentation.Style?

    public init(entitlement: String? = nil, provider: ClaimProvider? = nil, style: Presentation.Style? = nil) {
        self.entitlement = entitlement
        self.provider = provider
        self.style = style
    }
}

/// What a paywall shows.
public struct Paywall: Hashable, Sendable {
    /// The name of the entitlement in the policy.
    public var entitlement: String
    /// The title that people read, in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// The provider that sells it.
    public var provider: ClaimProvider
    /// The provider's names for the products that give the entitlement, in the order to show them. May be empty.
    public var products: [String]
    /// The provider's offers, in the order to show them. Empty if the provider has not reported any.
    public var offers: [Offer]

    /// What the buyer gets, in the policy's words, in the order to show it. May be empty.
    public var features: [LocalizedText]
    /// Whether there is anything to buy, because the provider is set up on this device.
    public var isForSale: Bool { !products.isEmpty || !offers.isEmpty }

    public init(
        entitlement: String, title: LocalizedText, provider: ClaimProvider, products: [String], offers: [Offer] = [],
        features: [LocalizedText] = []
    ) {
        self.features = features
        self.entitlement = entitlement
        titles = title
        self.provider = provider
        self.products = products
        self.offers = offers
    }
}

/// How a request for an entitlement succeeded. If it fails, an error is thrown.
@nonexhaustive
public enum PaywallOutcome: Hashable, Sendable, CaseIterable {
    /// The entitlement was active already, so nothing was shown.
    case activeAlready
    /// Somebody paid while the paywall was open.
    case paid
}
