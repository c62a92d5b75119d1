/// The settings of `providers.yaml`: whom Gate believes, and about what.
public struct ProviderSettings: Hashable, Sendable {
    /// `nil`: nothing of StoreKit's is taken.
    public var storeKit: StoreKitSettings?
    /// `nil`: nothing of RevenueCat's is taken.
    public var revenueCat: RevenueCatSettings?

    /// Makes settings of these values.
    public init(storeKit: StoreKitSettings? = nil, revenueCat: RevenueCatSettings? = nil) {
        self.storeKit = storeKit
        self.revenueCat = revenueCat
    }

    /// The settings where no provider is configured.
    public static let none = ProviderSettings()
}

/// Which signed data of StoreKit's is taken.
public struct StoreKitSettings: Hashable, Sendable {
    /// Where a purchase was made, by Apple's names.
    @nonexhaustive
    public enum Environment: String, Hashable, Sendable, CaseIterable {
        /// Real purchases.
        case production = "Production"
        /// Purchases in Apple's sandbox.
        case sandbox = "Sandbox"
        /// Purchases in Xcode's simulation.
        case xcode = "Xcode"
        /// Purchases in the store's local tests.
        case localTesting = "LocalTesting"

        /// Whether no real money was paid.
        public var isForTesting: Bool {
            switch self {
            case .production: false
            case .sandbox, .xcode, .localTesting: true
            }
        }
    }

    /// The bundle ids of the apps whose purchases count. Not empty.
    public var bundleIDs: Set<String>
    /// The root certificates, each in DER. Not empty.
    public var roots: [[UInt8]]
    /// The environments whose purchases count.
    public var environments: Set<Environment>
    /// Product id → entitlement.
    public var products: [String: String]
    /// The holders of purchases that carry an `appAccountToken`, by that UUID in lower case; `nil`: none has to carry one.
    public var accountTokens: [String: Claim.Holder]?
    /// This device's `AppStore.deviceVerificationID`, a UUID in lower case; `nil`: a transaction of any device will do.
    public var deviceVerificationID: String?

    /// Makes settings of these values.
    public init(
        bundleIDs: Set<String>, roots: [[UInt8]], environments: Set<Environment> = [.production],
        products: [String: String] = [:], accountTokens: [String: Claim.Holder]? = nil,
        deviceVerificationID: String? = nil
    ) {
        self.bundleIDs = bundleIDs
        self.roots = roots
        self.environments = environments
        self.products = products
        self.accountTokens = accountTokens
        self.deviceVerificationID = deviceVerificationID
    }
}

/// Which customer info of RevenueCat's is taken, and how it is asked for.
public struct RevenueCatSettings: Hashable, Sendable {
    /// The public key of the app, which may be known by everybody.
    public var publicKey: String
    /// RevenueCat's Ed25519 root key, 32 bytes; `nil`: nothing that is signed can be checked.
    public var rootKey: [UInt8]?
    /// Whether customer info without a signature is taken from a peer with the role provider.
    public var acceptsUnsigned: Bool
    /// Whether purchases of the sandbox, where nobody pays, count.
    public var acceptsSandbox: Bool
    /// Where the API is, without a slash at the end.
    public var baseURL: String
    /// How long `gate-revenuecat` waits between two questions about a user, while nobody waits for the answer.
    public var pollInterval: Duration
    /// RevenueCat's user ids → whose they are here.
    public var users: [String: Claim.Holder]
    /// RevenueCat's names of entitlements → ours.
    public var entitlements: [String: String]

    /// The address of RevenueCat's own servers.
    public static let defaultBaseURL = "https://api.revenuecat.com"

    /// Makes settings of these values.
    public init(
        publicKey: String, rootKey: [UInt8]?, acceptsUnsigned: Bool = false, acceptsSandbox: Bool = false,
        baseURL: String = Self.defaultBaseURL,
        pollInterval: Duration = .seconds(15 * 60), users: [String: Claim.Holder] = [:],
        entitlements: [String: String] = [:]
    ) {
        self.publicKey = publicKey
        self.rootKey = rootKey
        self.acceptsUnsigned = acceptsUnsigned
        self.acceptsSandbox = acceptsSandbox
        self.baseURL = baseURL
        self.pollInterval = pollInterval
        self.users = users
        self.entitlements = entitlements
    }
}

/// An item that a provider sells, by the name that `providers.yaml` gives an entitlement for.
public struct ProviderItem: Hashable, Sendable {
    /// The provider.
    public var provider: ClaimProvider
    /// Its name for what was bought.
    public var name: String

    /// Makes an item of these values.
    public init(_ provider: ClaimProvider, _ name: String) {
        self.provider = provider
        self.name = name
    }
}

extension ProviderSettings {
    /// The entitlement that each item gives.
    public var entitlements: [ProviderItem: String] {
        var entitlements: [ProviderItem: String] = [:]
        for (product, entitlement) in storeKit?.products ?? [:] {
            entitlements[ProviderItem(.storeKit, product)] = entitlement
        }
        for (name, entitlement) in revenueCat?.entitlements ?? [:] {
            entitlements[ProviderItem(.revenueCat, name)] = entitlement
        }
        return entitlements
    }
}
