/// A right that somebody has paid for, or has been given: what Gate concludes from the claims of providers (F-50).
public struct Entitlement: Hashable, Sendable, Identifiable {
    /// How a claim stands (F-59).
    @nonexhaustive
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// Paid for, until it expires.
        case subscribed
        /// It ran out.
        case expired
        /// It ran out, and the store asks for it to be honoured while it tries to collect.
        case inGracePeriod = "in-grace-period"
        /// It ran out, and the store tries to collect.
        case inBillingRetry = "in-billing-retry"
        /// Taken back: refunded, or revoked by the store or an administrator.
        case revoked

        /// Whether somebody with such a claim gets what was paid for.
        public var isActive: Bool {
            switch self {
            case .subscribed, .inGracePeriod: true
            case .expired, .inBillingRetry, .revoked: false
            }
        }
    }

    /// The claim that decides, and how it stands.
    public struct Source: Hashable, Sendable {
        /// The provider that said so.
        public var provider: ClaimProvider
        /// When it said so.
        public var saidAt: WallTime
        /// How it stands.
        public var status: Status
        /// The provider's name for what was bought.
        public var product: String
        /// The account, or the device, that it belongs to.
        public var holder: Claim.Holder
        /// When the status changes next by itself; `nil`: never.
        public var until: WallTime?

        /// Makes a source of these values.
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

    /// Its name in the policy, like "premium".
    public var id: String
    /// The title that people read, in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// `nil`: nobody has claimed it for the device or for the person who is signed in.
    public var source: Source?

    /// Makes an entitlement of these values.
    public init(id: String, title: LocalizedText, source: Source?) {
        self.id = id
        titles = title
        self.source = source
    }

    /// Whether it is paid for now.
    public var isActive: Bool { source?.status.isActive ?? false }
}

/// All entitlements that the policy defines, as every peer may see them.
public struct EntitlementsState: Hashable, Sendable {
    /// The entitlements by name.
    public var entitlements: [Entitlement]
    /// Whether the paywall's entitlement is paid for (F-50).
    public var isSubscriptionActive: Bool

    /// Makes a state of these values.
    public init(entitlements: [Entitlement], isSubscriptionActive: Bool) {
        self.entitlements = entitlements
        self.isSubscriptionActive = isSubscriptionActive
    }

    /// The state for a reader who knows nothing: nothing is paid for.
    public static let closed = EntitlementsState(entitlements: [], isSubscriptionActive: false)
}

/// The policy's definition of an entitlement.
package struct EntitlementDefinition: Hashable, Sendable {
    /// The title that people read, in each of its languages: "Premium".
    package var titles: LocalizedText
    /// The title in its default language.
    package var title: String { titles.text }
    /// The things that one gets, a line each: "All levels".
    package var features: [LocalizedText]

    /// Makes a definition of these texts.
    package init(title: LocalizedText, features: [LocalizedText] = []) {
        titles = title
        self.features = features
    }
}

/// Somebody is asked to pay (F-51, F-52, F-54).
public struct PaywallRequest: Hashable, Sendable {
    /// The entitlement to be paid for; `nil`: what the policy puts behind the paywall.
    public var entitlement: String?
    /// Through whom; `nil`: as the policy says.
    public var provider: ClaimProvider?
    /// How it is shown; `nil`: as the policy says.
    public var style: Presentation.Style?

    /// Makes a request; what is left out is up to the policy.
    public init(entitlement: String? = nil, provider: ClaimProvider? = nil, style: Presentation.Style? = nil) {
        self.entitlement = entitlement
        self.provider = provider
        self.style = style
    }
}

/// The content of a paywall.
public struct Paywall: Hashable, Sendable {
    /// The name of the entitlement in the policy.
    public var entitlement: String
    /// The title that people read, in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// Through whom it is bought.
    public var provider: ClaimProvider
    /// The provider's names of what can be bought to get it, in order. May be empty.
    public var products: [String]
    /// The provider's offers, in the order to show them. Empty: it has not said any (S-08).
    public var offers: [Offer]

    /// The things that one gets for it, in the words of the policy, in the order to show them. May be empty.
    public var features: [LocalizedText]
    /// Whether there is anything to buy: its provider is set up on this device.
    public var isForSale: Bool { !products.isEmpty || !offers.isEmpty }

    /// Makes a paywall of these values.
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

/// How asking for an entitlement went well (F-51).
@nonexhaustive
public enum PaywallOutcome: Hashable, Sendable, CaseIterable {
    /// It was active already, and nothing was shown.
    case activeAlready
    /// It was paid for while the paywall was open.
    case paid
}
