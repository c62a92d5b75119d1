import GateCore
import GateModel
import GateProtocol
import GateReceipts

/// `gate.v1.Entitlements`. What is submitted is in SubmissionsRouter.swift.
extension Router {
    mutating func addEntitlements() {
        on(Methods.Entitlements.get) { authority, _, call in
            // What ends by itself has ended, also where that is not recorded yet.
            guard authority.areEntitlementsInQuestion else {
                return call.answer(GetEntitlementsResponse(authority.durable))
            }
            authority.submit(.deadlineReached, as: .daemon, for: call.caller) { result in
                switch result {
                case .failure(let error): call.fail(error)
                case .success(let settled): call.answer(GetEntitlementsResponse(settled.state))
                }
            }
        }
        onList(Methods.Entitlements.listClaims) { authority, request, call throws(GateError) in
            guard authority.durable.mayReadClaims(call.peer) else { throw .onlyProviders("list claims") }
            let claims = authority.durable.claims(at: authority.clock.wallTime()).map {
                (key: PageKey(of: $0.claim.id), reading: $0)
            }
            .sorted { $0.key < $1.key }
            let page = try Page(
                of: claims, size: request.pageSize, after: request.pageToken, limit: authority.limits.pageSize,
                hasGroups: true
            ) { $0.key }
            return ListClaimsResponse(
                claims: page.elements.map { ClaimSummary($0.reading) }, nextPageToken: page.nextToken)
        }
        onCommand(Methods.Entitlements.addClaim) {
            .addClaim(entitlement: $0.entitlement, $0.holder, until: $0.expiresAt)
        } answer: {
            guard case .claimed(let id) = $0.reply else { return nil }
            return AddClaimResponse(revision: $0.revision, name: id.name)
        }
        onCommand(Methods.Entitlements.revokeClaim) {
            .revokeClaim($0.claim)
        } answer: {
            RevokeClaimResponse(revision: $0.revision)
        }
        onCommand(Methods.Entitlements.reportProvider) {
            .reportProvider($0.provider, isReachable: $0.isReachable, detail: $0.detail)
        } answer: {
            ReportProviderResponse(revision: $0.revision)
        }
        addPaywalls()
        addSubmissions()
    }

    private mutating func addPaywalls() {
        onCommand(Methods.Entitlements.requestPaywall) {
            .requestPaywall($0.paywall, presentsItself: false)
        } answer: { settled in
            settled.paywallOutcome.map { RequestPaywallResponse(revision: settled.revision, outcome: $0) }
        }
        onCommand(Methods.Entitlements.requirePremium) {
            .requestPaywall($0.paywall, presentsItself: $0.presentsItself)
        } answer: { settled in
            let result =
                settled.paywallOutcome.map { RequirePremiumResponse.Result.outcome($0) }
                ?? settled.presentation.map { .presentation($0) }
            return result.map { RequirePremiumResponse(revision: settled.revision, result: $0) }
        }
    }
}

extension GateError {
    static func onlyProviders(_ what: String) -> GateError {
        GateError(
            .permissionDenied, .notPermitted,
            "Only providers may \(what). An administrator names them in the policy.",
            parameters: ["what": "provider"])
    }
}

extension GetEntitlementsResponse {
    fileprivate init(_ state: GateState) {
        self.init(
            revision: state.revision, state: state.entitlements,
            providers: state.providers.map { ProviderReport(provider: $0.provider, health: $0.health) })
    }
}

extension ClaimSummary {
    fileprivate init(_ reading: ClaimReading) {
        let claim = reading.claim
        self.init(
            claim: claim.id, holder: claim.holder, item: claim.purchase.item, product: claim.purchase.product,
            entitlement: reading.entitlement ?? "", status: reading.status, purchasedAt: claim.purchase.purchasedAt,
            expiresAt: claim.purchase.expiresAt, saidAt: claim.purchase.saidAt,
            isForTesting: claim.purchase.isForTesting, isRevokedHere: claim.revokedHere != nil)
    }
}

extension PageKey {
    fileprivate init(of claim: Claim.ID) {
        let place = Provider.allCases.firstIndex(of: claim.provider) ?? Provider.allCases.count
        self.init(group: UInt32(place), name: claim.name)
    }
}
