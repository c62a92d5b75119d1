import GateClient
import GateModel
import GateProtocol
import GateTexts

/// The entitlements that were paid for, and who says so, for people.
enum EntitlementText {
    /// `premium`, `subscribed`, `until 2027-01-31T00:00:00Z`, `revenuecat monthly`, `for anna`.
    static func columns(_ entitlement: Entitlement) -> [String] {
        guard let source = entitlement.source else { return [entitlement.id, localized("not bought")] }
        return [
            entitlement.id, source.status.rawValue, source.until.map { "until \(WallTimeText.utc($0))" } ?? "for good",
            VisibleText.line("\(source.provider.rawValue) \(source.product)"), "for \(name(of: source.holder))",
        ]
    }

    /// On one line.
    static func line(_ entitlement: Entitlement) -> String {
        columns(entitlement).joined(separator: "  ")
    }

    static func name(of holder: Claim.Holder) -> String {
        switch holder {
        case .device: localized("the device")
        case .account(let name): VisibleText.line(name)
        }
    }

    /// A claim: who says it and by which name, what it comes to, until when, and whose it is.
    static func columns(_ claim: ClaimSummary) -> [String] {
        let entitlement = claim.entitlement.isEmpty ? "(nothing)" : claim.entitlement
        var columns = [
            claim.claim.provider.rawValue, VisibleText.line(claim.claim.name), entitlement, claim.status.rawValue,
            claim.expiresAt.map { "until \(WallTimeText.utc($0))" } ?? "for good",
            VisibleText.line(claim.product), "for \(name(of: claim.holder))",
        ]
        if claim.isForTesting { columns.append("for testing") }
        if claim.isRevokedHere { columns.append("taken back here") }
        return columns
    }

    /// `nil` where it can be heard.
    static func line(_ report: ProviderReport) -> String? {
        guard !report.health.isReachable else { return nil }
        let detail = report.health.detail.isEmpty ? "" : ": \(VisibleText.line(report.health.detail))"
        return "\(report.provider.rawValue) can't be heard since \(WallTimeText.utc(report.health.since))\(detail)"
    }

    /// A provider, as a person knows it.
    static func name(of provider: ClaimProvider) -> String { QuestionWords.provider(provider) }
}
