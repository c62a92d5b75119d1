import GateModel
import GatePolicy

/// The policy of a device for tests: the one in its files, with at least one product for each entitlement.
struct TestingPolicy: Sendable {
    /// The user of RevenueCat whose purchases belong to the device.
    static let deviceCustomer = "testing-device"

    /// Reads the files, together with what was chosen to stand before gated actions.
    let read: @Sendable (_ choices: [String: String]) throws(PolicyError) -> Policy

    init(read: @escaping @Sendable (_ choices: [String: String]) throws(PolicyError) -> Policy) {
        self.read = read
    }

    /// Each of these accounts can sign in, and is also a user of RevenueCat.
    func policy(accounts: [String], choices: [String: String] = [:]) throws(PolicyError) -> Policy {
        var policy = try read(choices)
        let configuration = policy.configuration
        for entitlement in configuration.entitlements.keys {
            for provider in [ClaimProvider.storeKit, .revenueCat]
            where configuration.items(of: provider, for: entitlement).isEmpty {
                let item = ProviderItem(provider, Self.item(for: entitlement, of: provider))
                policy.configuration.items[item] = entitlement
            }
        }
        policy.configuration.customers[Self.deviceCustomer] = .device
        for account in accounts { policy.configuration.customers[Self.customer(account)] = .account(account) }
        return policy
    }

    static func customer(_ account: String) -> String { "testing-account-\(account)" }

    /// The product that is sold if `providers.yaml` names none.
    private static func item(for entitlement: String, of provider: ClaimProvider) -> String {
        switch provider {
        case .storeKit: "\(entitlement).monthly"
        case .revenueCat, .manual, .unrecognized: entitlement
        }
    }
}

extension Configuration {
    /// The items of a provider that give an entitlement, in the order of their names.
    func items(of provider: ClaimProvider, for entitlement: String) -> [String] {
        items.filter { $0.key.provider == provider && $0.value == entitlement }.map(\.key.name).sorted()
    }
}
