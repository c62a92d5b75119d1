/// The settings of `providers.yaml`: which providers Gate believes, and about what.
package struct ProviderSettings: Hashable, Sendable {
    /// `nil` if nothing from StoreKit is accepted.
    package var storeKit: StoreKitSettings?
    /// `nil` if nothing from RevenueCat is accepted.
    package var revenueCat: RevenueCatSettings?

    package init(storeKit: StoreKitSettings? = nil, revenueCat: RevenueCatSettings? = nil) {
        self.storeKit = storeKit
        self.revenueCat = revenueCat
    }

    package static let none = ProviderSettings()
}

/// Which data signed by StoreKit is accepted.
package struct StoreKitSettings: Hashable, Sendable {
    /// Where a purchase was made. The raw values are Apple's names.
    package enum Environment: String, Hashable, Sendable, CaseIterable {
        /// Real purchases.
        case production = "Production"
        /// Apple's sandbox for tests.
        case sandbox = "Sandbox"
        /// Xcode's simulated store.
        case xcode = "Xcode"
        /// The local tests of StoreKit.
        case localTesting = "LocalTesting"

        package var isForTesting: Bool {
            switch self {
            case .production: false
            case .sandbox, .xcode, .localTesting: true
            }
        }
    }

    /// The bundle ids of the apps whose purchases count. Not empty.
    package var bundleIDs: Set<String>
    /// The root certificates that signatures have to lead to, each in DER. Not empty.
    package var roots: [[UInt8]]
    package var environments: Set<Environment>
    /// The entitlement that each product id gives.
    package var products: [String: String]
    /// The holder for each `appAccountToken`, a UUID in lower case. With this, a purchase needs a token that is listed;
    /// `nil`: no purchase needs one.
    package var accountTokens: [String: Claim.Holder]?
    /// This device's `AppStore.deviceVerificationID`, a UUID in lower case. With this, a transaction has to be for this
    /// device; `nil`: transactions of all devices are accepted.
    package var deviceVerificationID: String?

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

/// Which customer info of RevenueCat's is accepted, and how it is requested.
package struct RevenueCatSettings: Hashable, Sendable {
    /// The app's public API key. It is not a secret.
    package var publicKey: String
    /// RevenueCat's Ed25519 root key, 32 bytes; `nil` if there is none, so no signature can be checked.
    package var rootKey: [UInt8]?
    /// Whether customer info without a signature is accepted from peers with the role provider.
    package var acceptsUnsigned: Bool
    /// Whether sandbox purchases, for which nobody paid, count.
    package var acceptsSandbox: Bool
    /// The address of the API, without a slash at the end.
    package var baseURL: String
    /// How long `gate-revenuecat` waits before it asks about a user again, unless somebody is waiting for the answer.
    package var pollInterval: Duration
    /// The holder on this device for each RevenueCat user id.
    package var users: [String: Claim.Holder]
    /// Our name of the entitlement for each of RevenueCat's names.
    package var entitlements: [String: String]

    package static let defaultBaseURL = "https://api.revenuecat.com"

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

/// Something that a provider sells, by the name that `providers.yaml` maps to an entitlement.
package struct ProviderItem: Hashable, Sendable {
    package var provider: ClaimProvider
    /// The provider's name for it: a StoreKit product id, or RevenueCat's name of an entitlement.
    package var name: String

    package init(_ provider: ClaimProvider, _ name: String) {
        self.provider = provider
        self.name = name
    }
}

extension ProviderSettings {
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
