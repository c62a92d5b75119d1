import GateModel

/// Reads `providers.yaml`: which providers Gate believes about purchases, and what these give.
extension PolicyDraft {
    static let providerKeys = ["storekit", "revenuecat"]

    mutating func readProviders(_ root: PolicyNode) {
        var elsewhere = Dictionary(uniqueKeysWithValues: Self.keys.map { ($0, "policy.yaml") })
        for key in Self.keysOfHouseholdsAlone { elsewhere[key] = PolicySource.householdName }
        guard
            let fields = PolicyFields(
                root, of: PolicySource.providersName, keys: Self.providerKeys, elsewhere: elsewhere, &problems)
        else { return }
        if let section = fields.section("storekit"), isFirst("storekit", at: section.place) {
            providers.storeKit = storeKit(section)
        }
        if let section = fields.section("revenuecat"), isFirst("revenuecat", at: section.place) {
            providers.revenueCat = revenueCat(section)
        }
    }

    mutating func items(_ node: PolicyNode, of key: String, like example: String) -> [String: String] {
        guard let entries = entries(node, of: key, "what is sold, each with the entitlement that it gives", example)
        else {
            return [:]
        }
        var items: [String: String] = [:]
        for entry in entries {
            let isNamed = isProviderName(entry, of: key)
            if let entitlement = entitlementName(entry.value), isNamed { items[entry.key] = entitlement }
        }
        return items
    }

    /// A mapping whose keys are names of a provider's. Empty if everything in it is commented out.
    mutating func entries(
        _ node: PolicyNode, of key: String, atMost count: Int = PolicyLimits.items, _ what: String, _ example: String
    ) -> [PolicyNode.Entry]? {
        if node.isNothing { return [] }
        guard case .mapping(let entries) = node.content else {
            problems.add("'\(key)' are \(what), like \(example), not \(node.found).", kind: .structure, at: node.place)
            return nil
        }
        guard entries.count <= count else {
            problems.add(
                "'\(key)' has \(entries.count) entries; at most \(count) are read.", kind: .tooLong,
                parameters: ["maximum": "\(count)"], at: node.place)
            return nil
        }
        return entries
    }

    /// Reads who holds something that a provider names. `what` is for messages: "a user's holder".
    mutating func holder(_ node: PolicyNode, of what: String) -> Claim.Holder? {
        if node.text == "device" { return .device }
        guard case .mapping = node.content else {
            problems.add(
                "Write 'device' here, or an account like {account: anna}, not \(node.found).", kind: .structure,
                at: node.place)
            return nil
        }
        guard let fields = PolicyFields(node, of: what, keys: ["account"], &problems),
            let value = fields.value(needed: "account", what.capitalizedFirst, &problems)
        else { return nil }
        guard let name = value.text, name.isNameLine(atMost: GatePerson.maximumNameByteCount) else {
            problems.add(
                "'account' is the name of an account, one line of at most \(GatePerson.maximumNameByteCount) bytes, not "
                    + "\(value.found).", kind: .value, at: value.place)
            return nil
        }
        return .account(name)
    }

    mutating func isProviderName(_ entry: PolicyNode.Entry, of key: String) -> Bool {
        guard entry.key.isProviderName else {
            problems.add(
                "'\(entry.key.shortened)' can't be a name in '\(key)': those are one line, without spaces around them, of 1 "
                    + "to \(PolicyLimits.providerNameBytes) bytes.", kind: .value, at: entry.keyPlace)
            return false
        }
        return true
    }
}

extension String {
    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    /// Whether this can be a name that a provider uses: one visible line, not too long.
    var isProviderName: Bool { isNameLine(atMost: PolicyLimits.providerNameBytes) }
}
