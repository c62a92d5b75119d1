/// The settings of `providers.yaml`: whom Gate believes, and about what.
package struct ProviderSettings: Hashable, Sendable {
    /// `nil`: nothing of StoreKit's is taken.
    package var storeKit: StoreKitSettings?
    /// `nil`: nothing of RevenueCat's is taken.
    package var revenueCat: RevenueCatSettings?

    /// Makes settings of these values.
    package init(storeKit: StoreKitSettings? = nil, revenueCat: RevenueCatSettings? = nil) {
        self.storeKit = storeKit
        self.revenueCat = revenueCat
    }

    /// The settings where no provider is configured.
    package static let none = ProviderSettings()
}

/// Which signed data of StoreKit's is taken.
package struct StoreKitSettings: Hashable, Sendable {
    /// Where a purchase was made, by Apple's names.
    package enum Environment: String, Hashable, Sendable, CaseIterable {
        /// Real purchases.
        case production = "Production"
        /// Purchases in Apple's sandbox.
        case sandbox = "Sandbox"
        /// Purchases in Xcode's simulation.
        case xcode = "Xcode"
        /// Purchases in the store's local tests.
        case localTesting = "LocalTesting"

        /// Whether no real money was paid.
        package var isForTesting: Bool {
            switch self {
            case .production: false
            case .sandbox, .xcode, .localTesting: true
            }
        }
    }

    /// The bundle ids of the apps whose purchases count. Not empty.
    package var bundleIDs: Set<String>
    /// The root certificates, each in DER. Not empty.
    package var roots: [[UInt8]]
    /// The environments whose purchases count.
    package var environments: Set<Environment>
    /// Product id → entitlement.
    package var products: [String: String]
    /// The holders of purchases that carry an `appAccountToken`, by that UUID in lower case; `nil`: none has to carry one.
    package var accountTokens: [String: Claim.Holder]?
    /// This device's `AppStore.deviceVerificationID`, a UUID in lower case; `nil`: a transaction of any device will do.
    package var deviceVerificationID: String?

    /// Makes settings of these values.
    package init(
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
package struct RevenueCatSettings: Hashable, Sendable {
    /// The public key of the app, which may be known by everybody.
    package var publicKey: String
    /// RevenueCat's Ed25519 root key, 32 bytes; `nil`: nothing that is signed can be checked.
    package var rootKey: [UInt8]?
    /// Whether customer info without a signature is taken from a peer with the role provider.
    package var acceptsUnsigned: Bool
    /// Whether purchases of the sandbox, where nobody pays, count.
    package var acceptsSandbox: Bool
    /// Where the API is, without a slash at the end.
    package var baseURL: String
    /// How long `gate-revenuecat` waits between two questions about a user, while nobody waits for the answer.
    package var pollInterval: Duration
    /// RevenueCat's user ids → whose they are here.
    package var users: [String: Claim.Holder]
    /// RevenueCat's names of entitlements → ours.
    package var entitlements: [String: String]

    /// The address of RevenueCat's own servers.
    package static let defaultBaseURL = "https://api.revenuecat.com"

    /// Makes settings of these values.
    package init(
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
package struct ProviderItem: Hashable, Sendable {
    /// The provider.
    package var provider: ClaimProvider
    /// Its name for what was bought.
    package var name: String

    /// Makes an item of these values.
    package init(_ provider: ClaimProvider, _ name: String) {
        self.provider = provider
        self.name = name
    }
}

extension ProviderSettings {
    /// The entitlement that each item gives.
    package var entitlements: [ProviderItem: String] {
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
