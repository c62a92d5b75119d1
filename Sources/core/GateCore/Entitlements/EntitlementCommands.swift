package import GateModel

/// Commands about claims, offers and paywalls. `EntitlementRules.swift` has the conclusions from claims,
/// `ClaimRules.swift` the changes because of a statement.
package enum EntitlementCommand: Hashable, Sendable {
    /// An administrator gives an entitlement until a time; `nil`: forever.
    case addClaim(entitlement: String, Claim.Holder, until: WallTime?)
    case revokeClaim(Claim.ID)
    /// A provider's statement, whose signature was checked. `for: nil`: the claim keeps its holder; a new claim belongs
    /// to the account that is signed in, or else to the device.
    case submit(ProviderStatement, for: Claim.Holder?, from: StatementSource = .provider(nil))
    case reportProvider(ClaimProvider, isReachable: Bool, detail: String)
    /// A provider's offers for an entitlement, in place of those that it reported before.
    case reportOffers(ClaimProvider, entitlement: String, [Offer])
    case requestPaywall(PaywallRequest, presenting: Presenting)

    var rules: CommandRules {
        switch self {
        case .addClaim, .revokeClaim: CommandRules(.administrator)
        case .submit(_, _, .device): CommandRules(.household)
        case .submit(_, _, .provider), .reportProvider, .reportOffers: CommandRules(.provider)
        case .requestPaywall: CommandRules(.everyone, usesSession: true)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: EntitlementCommand, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .addClaim(let entitlement, let holder, let end):
            return try addClaim(entitlement, holder, until: end, context, &draft)
        case .revokeClaim(let id): return try revokeClaim(id, context, &draft)
        case .submit(let statement, let holder, let source):
            return try submit(statement, for: holder, from: source, context, &draft)
        case .reportProvider(let provider, let isReachable, let detail):
            return try reportProvider(provider, isReachable: isReachable, detail, context, &draft)
        case .reportOffers(let provider, let entitlement, let offers):
            return try reportOffers(offers, of: provider, for: entitlement, context, &draft)
        case .requestPaywall(let request, let presenting):
            return try ask(presenting, &context, &draft) { state, itself, context, draft throws(GateError) in
                try state.requestPaywall(request, presentsItself: itself, &context, &draft)
            }
        }
    }

    private mutating func submit(
        _ statement: ProviderStatement, for holder: Claim.Holder?, from source: StatementSource, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        var (isAdministrator, sender) = (context.peer.isAdministrator, "")
        switch source {
        case .provider: break
        // Another device's statement never has an administrator's rights here.
        case .device(let device, let key):
            (isAdministrator, sender) = (false, ", from \(try sharingMember(device, verifiedBy: key).name)")
        }
        let rules = ClaimRules(
            records: records, configuration: configuration, signedInAccount: signInMachine.person?.name,
            isAdministrator: isAdministrator)
        switch rules.result(of: statement, for: holder, isShared: source.isShared) {
        case .refused(let error):
            throw error
        case .changes(let changes):
            for change in changes {
                guard case .claimSet(let claim) = change else {
                    record(change, &draft)
                    continue
                }
                let before = records.claims[claim.id]
                record(change, &draft)
                keepReceipt(of: claim, before, from: source, &draft)
                draft.journal(.entitlementClaimed, by: context.peer, claim.name + sender)
            }
            return .done
        }
    }

    private mutating func addClaim(
        _ entitlement: String, _ holder: Claim.Holder, until end: WallTime?, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard configuration.entitlements[entitlement] != nil else { throw .noEntitlement(entitlement) }
        if case .account(let name) = holder, records.people[name] == nil { throw .noPerson(name) }
        if let end, end <= context.wallTime { throw .claimIsOver }
        guard records.claims.count < ClaimRules.maximumClaims else { throw .tooManyClaims }
        let id = Claim.ID(.manual, String(records.nextManualClaim))
        let claim = Claim(
            id: id, holder: holder,
            purchase: ClaimedPurchase(
                item: entitlement, product: entitlement, purchasedAt: context.wallTime, expiresAt: end,
                saidAt: context.wallTime))
        record(.nextManualClaimSet(records.nextManualClaim + 1), &draft)
        record(.claimSet(claim), &draft)
        draft.journal(.entitlementClaimed, by: context.peer, claim.name)
        return .claimed(id)
    }

    /// An administrator revokes a claim. A claim made by hand is removed. A store's claim stays and is marked, so that
    /// the store's next statement does not bring it back.
    private mutating func revokeClaim(
        _ id: Claim.ID, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard var claim = records.claims[id] else { throw .noClaim }
        switch id.provider {
        case .manual:
            record(.claimRemoved(id), &draft)
        case .storeKit, .revenueCat, .unrecognized:
            guard claim.revokedHere == nil else { return .done }
            claim.revokedHere = context.wallTime
            record(.claimSet(claim), &draft)
        }
        draft.journal(.claimRevoked, by: context.peer, claim.name)
        return .done
    }

    /// Notes whether a provider can be reached. Its earlier statements stay valid even if not.
    private mutating func reportProvider(
        _ provider: ClaimProvider, isReachable: Bool, _ detail: String, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard detail.utf8.count <= Limits.providerDetailByteCount, detail.isSingleLine else { throw .longDetail }
        let before = providerHealth[provider]
        providerHealth[provider]?.lastReport = context.wallTime
        guard before?.isReachable != isReachable || before?.detail != detail else { return .done }
        let since = before?.isReachable == isReachable ? before?.since : nil
        providerHealth[provider] = ProviderHealth(
            isReachable: isReachable, detail: detail, since: since ?? context.wallTime, lastReport: context.wallTime)
        if before?.isReachable != isReachable {
            let what = isReachable ? "heard" : "not heard"
            draft.journal(
                .providerChanged, by: context.peer,
                detail.isEmpty ? "\(provider.rawValue) \(what)" : "\(provider.rawValue) \(what): \(detail)")
        }
        return .done
    }

    private mutating func reportOffers(
        _ offers: [Offer], of provider: ClaimProvider, for entitlement: String, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch provider {
        case .storeKit, .revenueCat: break
        case .manual, .unrecognized: throw .offersOfNobody
        }
        guard configuration.entitlements[entitlement] != nil else { throw .noEntitlement(entitlement) }
        try OfferRules.check(offers)
        let key = OfferBook.Key(provider: provider, entitlement: entitlement)
        let before = self.offers.offers(of: provider, for: entitlement)
        try self.offers.reported(offers, for: key, by: context.peer.owner, at: context.wallTime)
        if offers != before {
            draft.journal(
                .providerChanged, by: context.peer, "\(provider.rawValue) offers for \(entitlement): \(offers.count)")
        }
        return .done
    }

    // MARK: - Conclusions from claims

    private var entitlementRules: EntitlementRules {
        EntitlementRules(configuration: configuration, account: signInMachine.person?.name)
    }

    func areEntitlementsCurrent(at moment: BootTime) -> Bool {
        resolved.isCurrent(at: wallTime(at: moment)) && resolved.basis == ResolvedEntitlements.Basis(of: self)
    }

    /// Decides only if a claim, the session, the configuration or the clock changed, or a change is due.
    mutating func resolveEntitlements(at moment: BootTime, _ draft: inout TransitionDraft) {
        guard !areEntitlementsCurrent(at: moment) else { return }
        let (basis, time) = (ResolvedEntitlements.Basis(of: self), wallTime(at: moment))
        let claims = basis.isClosed ? [:] : basis.claims
        let state = entitlementRules.resolved(claims.values, at: time)
        for (old, new) in changes(to: state) {
            draft.journal(.entitlementChanged, by: nil, "\(new.id): \(old?.shortText ?? "none") → \(new.shortText)")
        }
        if state != resolved.state { draft.becameVisible() }
        resolved = ResolvedEntitlements(
            state: state, basis: basis, since: time,
            nextChange: entitlementRules.nextChange(of: claims.values, after: time),
            subscriptionEnds: entitlementRules.subscriptionEnds(of: claims.values, after: time))
    }

    /// The changes to journal. A renewal of a subscription is not among them, since the claim's own entry shows it.
    private func changes(to state: EntitlementsState) -> [(Entitlement?, Entitlement)] {
        let before = Dictionary(
            resolved.state.entitlements.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return state.entitlements.compactMap { new in
            let old = before[new.id]
            return old?.source?.status == new.source?.status ? nil : (old, new)
        }
    }

    /// When an entitlement next changes by itself. The wall clock may be set meanwhile: see `wallTime(at:)`.
    var nextEntitlementChange: BootTime? { resolved.nextChange.map { bootTime(at: $0) } }

    func isEntitled(_ name: String) -> Bool {
        resolved.state.entitlements.contains { $0.id == name && $0.isActive }
    }

    var activeEntitlements: Set<String> {
        Set(resolved.state.entitlements.lazy.filter(\.isActive).map(\.id))
    }
}

/// The conclusions from the claims, with the data they are based on and the time until which they hold.
struct ResolvedEntitlements: Hashable, Sendable {
    struct Basis: Hashable, Sendable {
        let claims: [Claim.ID: Claim]
        let account: String?
        let configuration: Shared<Configuration>
        let isClosed: Bool

        init(of state: GateState) {
            claims = state.records.claims
            account = state.signInMachine.person?.name
            configuration = state.sharedConfiguration
            isClosed = state.quarantinedFile != nil
        }
    }

    var state = EntitlementsState.closed
    var basis: Basis?
    var since = WallTime(unixMilliseconds: 0)
    var nextChange: WallTime?
    var subscriptionEnds = SubscriptionEnds()

    /// Whether `time` is in the period for which the state was concluded. That is not so if the clock was set back.
    func isCurrent(at time: WallTime) -> Bool {
        time >= since && nextChange.map { time < $0 } ?? true
    }
}

extension Claim {
    fileprivate var name: String {
        let whose =
            switch holder {
            case .device: "device"
            case .account(let name): name
            }
        return
            "\(id.provider.rawValue) \(purchase.product.cut(toByteCount: Limits.journalledDetailsByteCount)), \(whose)"
    }
}

extension Entitlement {
    fileprivate var shortText: String { source?.status.rawValue ?? "none" }
}
