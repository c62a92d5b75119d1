import GateModel

/// Decides the status of each entitlement, which claim decides it, and when it next changes.
///
/// | revoked | expires        | grace period ends | billing retry | status           | active |
/// |---------|----------------|-------------------|---------------|------------------|--------|
/// | yes     | any            | any               | any           | revoked          | no     |
/// | no      | never or later | any               | any           | subscribed       | yes    |
/// | no      | before         | later             | any           | in grace period  | yes    |
/// | no      | before         | never or before   | yes           | in billing retry | no     |
/// | no      | before         | never or before   | no            | expired          | no     |
///
/// Of several claims an active one decides, and among these the one that lasts longest. If none is active, one in
/// billing retry comes first, then an expired one, then a revoked one; among equals the newest.
struct EntitlementRules {
    let configuration: Configuration
    let account: String?

    static func status(of claim: Claim, at time: WallTime) -> Entitlement.Status {
        if claim.revokedHere != nil { return .revoked }
        if let revokedAt = claim.purchase.revokedAt, revokedAt <= time { return .revoked }
        guard let expiresAt = claim.purchase.expiresAt, expiresAt <= time else { return .subscribed }
        if let end = claim.renewal?.gracePeriodEndsAt, time < end { return .inGracePeriod }
        return claim.renewal?.isInBillingRetry ?? false ? .inBillingRetry : .expired
    }

    /// When the claim's status next changes without a new statement; `nil`: never.
    static func end(of claim: Claim, after time: WallTime) -> WallTime? {
        guard claim.revokedHere == nil else { return nil }
        return [claim.purchase.revokedAt, claim.purchase.expiresAt, claim.renewal?.gracePeriodEndsAt]
            .compactMap { $0 }.filter { time < $0 && status(of: claim, at: $0) != status(of: claim, at: time) }.min()
    }

    /// `nil` if nothing is configured for the claim's item.
    func entitlementName(of claim: Claim) -> String? {
        let name: String?
        switch claim.id.provider {
        case .manual: name = claim.purchase.item
        case .unrecognized: name = nil
        case .storeKit, .revenueCat: name = configuration.items[ProviderItem(claim.id.provider, claim.purchase.item)]
        }
        return name.flatMap { configuration.entitlements[$0] == nil ? nil : $0 }
    }

    /// Every entitlement that the configuration defines, sorted by name.
    func resolved(_ claims: some Collection<Claim>, at time: WallTime) -> EntitlementsState {
        var deciding: [String: Standing] = [:]
        for claim in claims where counts(claim) {
            guard let name = entitlementName(of: claim) else { continue }
            let standing = Standing(claim, at: time)
            if let best = deciding[name], best.outweighs(standing) { continue }
            deciding[name] = standing
        }
        let entitlements = configuration.entitlements.sorted { $0.key < $1.key }.map { name, definition in
            Entitlement(id: name, title: definition.titles, source: deciding[name]?.source)
        }
        let subscription = configuration.subscription
        return EntitlementsState(
            entitlements: entitlements,
            isSubscriptionActive: entitlements.contains { $0.id == subscription && $0.isActive })
    }

    /// The first moment after `time` at which `resolved` may give another result; `nil`: never.
    func nextChange(of claims: some Collection<Claim>, after time: WallTime) -> WallTime? {
        claims.lazy.filter { counts($0) && entitlementName(of: $0) != nil }
            .compactMap { Self.end(of: $0, after: time) }.min()
    }

    /// Whether a claim counts now. Claims of the device do, and those of the account that is signed in. RevenueCat's
    /// claims count only as long as the configuration names the same holder for the user.
    func counts(_ claim: Claim) -> Bool {
        if let customer = claim.id.customer, configuration.customers[customer] != claim.holder { return false }
        return switch claim.holder {
        case .device: true
        case .account(let name): name == account
        }
    }
}

private struct Standing {
    let claim: Claim
    let status: Entitlement.Status
    let until: WallTime?

    init(_ claim: Claim, at time: WallTime) {
        self.claim = claim
        status = EntitlementRules.status(of: claim, at: time)
        until = EntitlementRules.end(of: claim, after: time)
    }

    var source: Entitlement.Source {
        Entitlement.Source(
            provider: claim.id.provider,
            saidAt: max(claim.purchase.saidAt, claim.renewal?.saidAt ?? claim.purchase.saidAt), status: status,
            product: claim.purchase.product, holder: claim.holder, until: until)
    }

    /// The end of the active time, including a grace period; `nil`: none.
    private var activeUntil: WallTime? {
        guard let expiresAt = claim.purchase.expiresAt else { return claim.purchase.revokedAt }
        let last = max(expiresAt, claim.renewal?.gracePeriodEndsAt ?? expiresAt)
        return min(last, claim.purchase.revokedAt ?? last)
    }

    /// Whether this claim decides rather than the other. True in one direction only, so their order does not matter.
    func outweighs(_ other: Standing) -> Bool {
        if rank != other.rank { return rank > other.rank }
        if status.isActive, activeUntil != other.activeUntil {
            guard let mine = activeUntil else { return true }
            guard let others = other.activeUntil else { return false }
            return mine > others
        }
        let (mine, others) = (source.saidAt, other.source.saidAt)
        return mine == others ? claim.id < other.claim.id : mine > others
    }

    private var rank: Int {
        switch status {
        case .subscribed, .inGracePeriod: 3
        case .inBillingRetry: 2
        case .expired: 1
        case .revoked: 0
        }
    }
}
