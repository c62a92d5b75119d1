import GateModel
import GateTexts

enum EntitlementText {
    /// `premium`, `subscribed`, `until 2027-01-31T00:00:00Z`, `revenuecat monthly`, `for anna`.
    static func columns(_ entitlement: Entitlement) -> [String] {
        guard let source = entitlement.source else { return [entitlement.id, localized("not bought")] }
        return [
            entitlement.id, word(for: source.status), end(source.until),
            VisibleText.line("\(source.provider.rawValue) \(source.product)"),
            localized("for {name}", ["name": name(of: source.holder)]),
        ]
    }

    static func line(_ entitlement: Entitlement) -> String {
        columns(entitlement).joined(separator: "  ")
    }

    static func name(of holder: Claim.Holder) -> String {
        switch holder {
        case .device: localized("the device")
        case .account(let name): VisibleText.line(name)
        }
    }

    static func columns(_ claim: ClaimSummary) -> [String] {
        let entitlement = claim.entitlement.isEmpty ? localized("(nothing)") : claim.entitlement
        var columns = [
            claim.claim.provider.rawValue, VisibleText.line(claim.claim.name), entitlement, word(for: claim.status),
            end(claim.expiresAt), VisibleText.line(claim.product),
            localized("for {name}", ["name": name(of: claim.holder)]),
        ]
        if claim.isForTesting { columns.append(localized("for testing")) }
        if claim.isRevokedHere { columns.append(localized("taken back here")) }
        return columns
    }

    static func end(_ end: WallTime?) -> String {
        end.map { localized("until {time}", ["time": WallTimeText.shown($0)]) } ?? localized("for good")
    }

    private static func word(for status: Entitlement.Status) -> String {
        Localization.isTranslating ? PurchaseWords.status(status) : status.rawValue
    }

    /// A warning about a provider that can't be reached; `nil` if it can.
    static func line(_ report: ProviderReport) -> String? {
        guard !report.health.isReachable else { return nil }
        let unheard = localized(
            "{provider} can't be heard since {time}",
            ["provider": report.provider.rawValue, "time": WallTimeText.shown(report.health.since)])
        let detail = VisibleText.line(report.health.detail)
        return detail.isEmpty ? unheard : ListText.pair(unheard, detail)
    }

    static func name(of provider: ClaimProvider) -> String { QuestionWords.provider(provider) }
}
