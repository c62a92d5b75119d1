import GateModel

extension Configuration {
    /// The entitlements that can be bought, as English lines for people.
    var entitlementLines: [String] {
        guard !entitlements.isEmpty else { return [] }
        var lines = entitlements.sorted { $0.key < $1.key }.map { name, definition in
            let given = items.filter { $0.value == name }.keys
                .map { "\($0.provider.rawValue) \($0.name)" }.sorted()
            return "entitlement \(name) (\(definition.title)): given by "
                + (["an administrator"] + given).joined(separator: ", ")
        }
        lines.append(
            "paywall: \(subscription ?? "no entitlement by default"); provider \(paywall.provider.rawValue), "
                + "style \(paywall.style.rawValue)")
        return lines
    }
}

extension ProviderSettings {
    /// Which providers Gate believes, as English lines for people. No key is in them.
    var policyLines: [String] { [storeKit?.policyLine, revenueCat?.policyLine].compactMap(\.self) }
}

extension StoreKitSettings {
    fileprivate var policyLine: String {
        "storekit: apps \(bundleIDs.sorted().joined(separator: ", ")); environments "
            + "\(environments.map(\.rawValue).sorted().joined(separator: ", ")); "
            + "\(roots.count) \(roots.count == 1 ? "root certificate" : "root certificates")"
            + (accountTokens.map { "; for \($0.count) app account \($0.count == 1 ? "token" : "tokens") alone" } ?? "")
            + (deviceVerificationID == nil ? "" : "; bought or restored on this device alone")
    }
}

extension RevenueCatSettings {
    fileprivate var policyLine: String {
        let answers =
            switch (rootKey != nil, acceptsUnsigned) {
            case (true, true): "signed and unsigned answers are taken"
            case (true, false): "signed answers are taken"
            case (false, true): "unsigned answers are taken"
            case (false, false): "nothing is taken"
            }
        return "revenuecat: \(baseURL), every \(pollInterval.textWithDays); "
            + "\(users.count) \(users.count == 1 ? "user" : "users"); \(answers)"
    }
}
