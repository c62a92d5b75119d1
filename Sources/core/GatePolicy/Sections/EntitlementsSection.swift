import GateModel

/// Reads `entitlements` and `paywall`: what can be bought, and how people are asked to buy it.
extension PolicyDraft {
    mutating func readEntitlements(_ node: PolicyNode) {
        guard let entries = entries(of: "entitlements", node) else { return }
        for entry in entries {
            // Even if it has a mistake, this is the entitlement that others mean by its name.
            namedEntitlements.insert(entry.key)
            guard !isOverruled("entitlements.\(entry.key)") else {
                _ = isGoodEntitlementName(entry)
                continue
            }
            let isNamed = isGoodEntitlementName(entry)
            guard let definition = definition(entry), isNamed else { continue }
            guard
                hasRoom(
                    for: "entitlements", after: configuration.entitlements.count, of: PolicyLimits.entitlements,
                    at: entry.keyPlace)
            else { return }
            let texts = configuration.entitlements.values.reduce(definition.titles.translations.count) {
                $0 + $1.titles.translations.count
            }
            guard texts <= PolicyLimits.entitlementTexts else {
                problems.add(
                    "The titles of entitlements are more than \(PolicyLimits.entitlementTexts) texts, counted in each "
                        + "language. Leave some out.", kind: .tooLong,
                    parameters: ["maximum": "\(PolicyLimits.entitlementTexts)"], at: entry.keyPlace)
                return
            }
            configuration.entitlements[entry.key] = definition
        }
    }

    private mutating func isGoodEntitlementName(_ entry: PolicyNode.Entry) -> Bool {
        isDottedName(entry, of: "an entitlement", like: "premium")
            && isFirst("entitlements.\(entry.key)", called: entry.key, at: entry.keyPlace)
    }

    private mutating func definition(_ entry: PolicyNode.Entry) -> EntitlementDefinition? {
        if entry.value.isNothing { return EntitlementDefinition(title: LocalizedText(entry.key)) }
        guard let fields = PolicyFields(entry.value, of: "an entitlement", keys: ["title", "features"], &problems)
        else { return nil }
        let features = fields.value("features").map { self.features($0) } ?? []
        guard let value = fields.value("title") else {
            return EntitlementDefinition(title: LocalizedText(entry.key), features: features)
        }
        return value.texts(of: "title", atMost: PolicyLimits.titleLength, &self)
            .map { EntitlementDefinition(title: $0, features: features) }
    }

    private mutating func features(_ node: PolicyNode) -> [LocalizedText] {
        guard case .list(let lines) = node.content, lines.count <= PolicyLimits.featuresOfEntitlement else {
            problems.add(
                "'features' is a list of at most \(PolicyLimits.featuresOfEntitlement) lines, each a text or a text in each language.",
                kind: .structure, parameters: ["maximum": "\(PolicyLimits.featuresOfEntitlement)"], at: node.place)
            return []
        }
        return lines.compactMap { $0.texts(of: "features", atMost: PolicyLimits.titleLength, &self) }
    }

    mutating func readPaywall(_ node: PolicyNode) {
        let keys = ["entitlement", "provider", "style"]
        guard let fields = PolicyFields(node, of: "'paywall'", keys: keys, &problems) else { return }
        if let value = fields.value("entitlement"), isFirst("paywall.entitlement", at: value.place) {
            configuration.paywall.entitlement = entitlementName(value)
        }
        if let value = fields.value("provider"), isFirst("paywall.provider", at: value.place),
            let provider: ClaimProvider = value.word("provider", &problems)
        {
            configuration.paywall.provider = provider
        }
        if let value = fields.value("style"), isFirst("paywall.style", at: value.place),
            let style: Presentation.Style = value.word("style", &problems)
        {
            configuration.paywall.style = style
        }
    }

    // MARK: - Names of entitlements

    mutating func entitlementName(_ node: PolicyNode) -> String? {
        usedName(node, "Write the name of an entitlement here", \.usesOfEntitlements)
    }

    mutating func checkNamesOfEntitlements(isWhole: Bool) {
        let leftOut = namesOfLeftOutFiles(
            usesOfEntitlements, of: "entitlement", among: namedEntitlements, isWhole: isWhole,
            ifNone: "is not an entitlement: no file here defines any.",
            advice: "Name it under 'entitlements' in policy.yaml.")
        for name in leftOut {
            // Nobody has this entitlement, so its gates stay closed.
            configuration.entitlements[name] = EntitlementDefinition(title: LocalizedText(name))
        }
    }
}
