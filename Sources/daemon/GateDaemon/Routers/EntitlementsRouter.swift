import GateCore
import GateModel
import GateProtocol

/// The methods of `gate.v1.Entitlements`: what is paid for, claims and paywalls. SubmissionsRouter takes receipts.
struct EntitlementsRouter: ServiceRouter {
    let pipeline: CommandPipeline

    func addMethods(to router: inout Router) {
        router.on(Methods.Entitlements.get) { _, call in
            // An entitlement that expires is over even if that is not recorded yet, so it is recorded first.
            guard pipeline.durable.areEntitlementsInQuestion(by: pipeline.clock) else {
                return call.answer(GetEntitlementsResponse(pipeline.durable))
            }
            pipeline.submit(.daemon(.deadlineReached), as: .daemon, for: call.caller) { result in
                switch result {
                case .failure(let error): call.fail(error)
                case .success(let settled): call.answer(GetEntitlementsResponse(settled.state))
                }
            }
        }
        router.onRead(Methods.Entitlements.listClaims) { request, call throws(GateError) in
            guard pipeline.durable.mayReadClaims(call.peer) else { throw .onlyProviders("list claims") }
            let claims = pipeline.durable.claims(at: pipeline.clock.wallTime()).map {
                (key: PageKey(of: $0.claim.id), reading: $0)
            }
            .sorted { $0.key < $1.key }
            let page = try Page(of: claims, for: request, pipeline.limits, hasGroups: true) { $0.key }
            return ListClaimsResponse(
                page.elements.map { ClaimSummary($0.reading) }, nextPageToken: page.nextToken)
        }
        router.onCommand(Methods.Entitlements.addClaim) {
            .entitlements(.addClaim(entitlement: $0.entitlement, $0.holder, until: $0.expiresAt))
        } answer: {
            guard case .claimed(let id) = $0.reply else { return nil }
            return AddClaimResponse(revision: $0.revision, name: id.name)
        }
        router.onCommand(Methods.Entitlements.revokeClaim) {
            .entitlements(.revokeClaim($0.claim))
        } answer: {
            RevokeClaimResponse(revision: $0.revision)
        }
        router.onCommand(Methods.Entitlements.reportProvider) {
            .entitlements(.reportProvider($0.provider, isReachable: $0.isReachable, detail: $0.detail))
        } answer: {
            ReportProviderResponse(revision: $0.revision)
        }
        router.onCommand(Methods.Entitlements.reportOffers) {
            .entitlements(.reportOffers($0.provider, entitlement: $0.entitlement, $0.offers))
        } answer: {
            ReportOffersResponse(revision: $0.revision)
        }
        router.onRead(Methods.Entitlements.listOffers) { _, _ in
            ListOffersResponse(reports: pipeline.durable.reportedOffers)
        }
        addPaywalls(to: &router)
    }

    private func addPaywalls(to router: inout Router) {
        router.onCommand(Methods.Entitlements.requestPaywall) {
            .entitlements(.requestPaywall($0.paywall, presenting: .elsewhere))
        } answer: { settled in
            settled.paywallOutcome.map { RequestPaywallResponse(revision: settled.revision, outcome: $0) }
        }
        router.onCommand(Methods.Entitlements.requirePremium) {
            .entitlements(.requestPaywall($0.paywall, presenting: $0.presenting))
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
        let place = ClaimProvider.allCases.firstIndex(of: claim.provider) ?? ClaimProvider.allCases.count
        self.init(group: UInt32(place), name: claim.name)
    }
}
