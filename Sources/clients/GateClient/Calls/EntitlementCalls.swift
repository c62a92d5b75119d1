public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about entitlements, paywalls, and what stores say.
    public struct EntitlementCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.EntitlementCalls {
    /// Every entitlement that the policy defines, and who says so (F-50).
    public func state() async throws(GateError) -> EntitlementsState {
        try await client.call(Methods.Entitlements.get, GetEntitlementsRequest()).state
    }

    /// Whether the paywall's entitlement is paid for (F-50).
    public func isSubscriptionActive() async throws(GateError) -> Bool {
        try await state().isSubscriptionActive
    }

    /// The health of each provider that somebody has reported about.
    public func providers() async throws(GateError) -> [ProviderReport] {
        try await client.call(Methods.Entitlements.get, GetEntitlementsRequest()).providers
    }

    // MARK: Paywalls

    /// Has a paywall shown where the entitlement is not active, and waits for what comes of it (F-51 … F-53). The presenters
    /// of the device show it; where none of them can, this program does. Cancelling the task takes the paywall away.
    ///
    /// - Parameters:
    ///   - request: the entitlement, and how it is shown.
    ///   - present: how this program shows a paywall. `nil`: it can't.
    /// - Throws: `CANCELLED` (`dismissed`), `DEADLINE_EXCEEDED` (`expired`) after 15 minutes, `ABORTED` (`noPresenter`) where
    ///   nobody can show it, `ABORTED` (`closed`) where it was withdrawn, `NOT_FOUND` (`unknown`) where the policy defines no
    ///   such entitlement.
    public func requestPaywall(
        _ request: PaywallRequest, presenting present: PresentationHandler? = nil
    ) async throws(GateError) -> PaywallOutcome {
        guard let present else {
            return try await client.call(
                Methods.Entitlements.requestPaywall, RequestPaywallRequest(paywall: request), timeout: nil
            ).outcome
        }
        return try await beginPaywall(request, .elsewhereIfPossible).outcome(presenting: present) { _ in .paid }
    }

    /// Begins to ask for a paywall, which this program shows, even if others could. It is up to the caller to call
    /// `OpenPresentation.awaitClosing`, or to dismiss it.
    ///
    /// - Throws: as `requestPaywall`, but for what comes of the paywall.
    public func beginPaywall(_ request: PaywallRequest) async throws(GateError) -> BegunRequest<PaywallOutcome> {
        try await beginPaywall(request, .here)
    }

    func beginPaywall(
        _ request: PaywallRequest, _ presenting: Presenting
    ) async throws(GateError) -> BegunRequest<PaywallOutcome> {
        let (response, open) = try await client.beginPaywall(request, presenting)
        if let open { return .open(open) }
        switch response.result {
        case .outcome(let outcome): return .settled(outcome)
        case .presentation:
            throw GateError(.internal, .unspecified, "The daemon sent a paywall to a program that shows none.")
        }
    }

    // MARK: Claims

    /// All claims, by provider and name. For administrators and providers.
    public func claims() async throws(GateError) -> [ClaimSummary] {
        try await GateClient.allPages { token throws(GateError) in
            try await client.call(Methods.Entitlements.listClaims, ListClaimsRequest(pageToken: token))
        }
    }

    /// Gives an entitlement. For administrators.
    ///
    /// - Parameters:
    ///   - entitlement: its name in the policy.
    ///   - holder: whose it is from now on.
    ///   - end: when it runs out; `nil`: never.
    /// - Returns: the claim that it can be revoked by.
    /// - Throws: `NOT_FOUND` (`unknown`) where the policy defines no such entitlement, or there is no such account.
    @discardableResult
    public func addClaim(
        _ entitlement: String, for holder: Claim.Holder, until end: WallTime? = nil
    ) async throws(GateError) -> ClaimChange {
        let request = AddClaimRequest(entitlement: entitlement, holder: holder, expiresAt: end)
        let response = try await client.call(Methods.Entitlements.addClaim, request)
        return ClaimChange(claim: Claim.ID(.manual, response.name), revision: response.revision)
    }

    /// Revokes a claim, whatever its provider says. For administrators.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`).
    @discardableResult
    public func revokeClaim(_ id: Claim.ID) async throws(GateError) -> ClaimChange {
        let response = try await client.call(Methods.Entitlements.revokeClaim, RevokeClaimRequest(claim: id))
        return ClaimChange(claim: id, revision: response.revision)
    }

    // MARK: Providers

    /// Submits a transaction that StoreKit signed. For providers and administrators.
    ///
    /// - Parameters:
    ///   - jws: as StoreKit gave it, at most 256 KiB.
    ///   - holder: `nil`: whose it is already; else the person who is signed in; else the device.
    /// - Throws: `INVALID_ARGUMENT` (`badReceipt`) where a check fails, `FAILED_PRECONDITION` (`outdated`,
    ///   `othersPurchase`), `NOT_FOUND` (`unknown`) where nothing is configured for the product.
    @discardableResult
    public func submitTransaction(
        _ jws: [UInt8], for holder: Claim.Holder? = nil
    ) async throws(GateError) -> ProviderSubmission {
        let request = SubmitSignedTransactionRequest(signedTransaction: jws, holder: holder)
        let response = try await client.call(Methods.Entitlements.submitSignedTransaction, request)
        return ProviderSubmission(provider: .storeKit, revision: response.revision)
    }

    /// Submits renewal info that StoreKit signed, of a transaction that was submitted before. For providers and
    /// administrators.
    ///
    /// - Parameter jws: as StoreKit gave it, at most 256 KiB.
    /// - Throws: as `submitTransaction`; `NOT_FOUND` where there is no such transaction.
    @discardableResult
    public func submitRenewalInfo(_ jws: [UInt8]) async throws(GateError) -> ProviderSubmission {
        let request = SubmitRenewalInfoRequest(signedRenewalInfo: jws)
        let response = try await client.call(Methods.Entitlements.submitRenewalInfo, request)
        return ProviderSubmission(provider: .storeKit, revision: response.revision)
    }

    /// Submits a server notification of the App Store, version 2. Each is taken once. For providers and administrators.
    ///
    /// - Parameters:
    ///   - payload: the JWS, or the JSON object that it came in, at most 256 KiB.
    ///   - holder: as with `submitTransaction`.
    /// - Throws: as `submitTransaction`.
    @discardableResult
    public func submitNotification(
        _ payload: [UInt8], for holder: Claim.Holder? = nil
    ) async throws(GateError) -> ProviderSubmission {
        let request = SubmitServerNotificationRequest(signedPayload: payload, holder: holder)
        let response = try await client.call(Methods.Entitlements.submitServerNotification, request)
        return ProviderSubmission(provider: .storeKit, revision: response.revision)
    }

    /// Submits customer info of RevenueCat. For providers and administrators.
    ///
    /// - Parameters:
    ///   - path: of the request, like "/v1/subscribers/anna".
    ///   - nonce: of the request; empty: none was sent.
    ///   - headers: of the response.
    ///   - body: of the response, exactly as it came, at most 1 MiB.
    /// - Throws: as `submitTransaction`; `NOT_FOUND` where nobody here is that user.
    @discardableResult
    public func submitCustomerInfo(
        path: String, nonce: [UInt8], headers: [ProviderHTTPHeader], body: [UInt8]
    ) async throws(GateError) -> ProviderSubmission {
        let request = SubmitCustomerInfoRequest(path: path, nonce: nonce, headers: headers, body: body)
        let response = try await client.call(Methods.Entitlements.submitCustomerInfo, request)
        return ProviderSubmission(provider: .revenueCat, revision: response.revision)
    }

    /// Reports what can be bought to get an entitlement, in place of what was reported before for this provider and this
    /// entitlement. A paywall that is open for it is shown anew. For providers and administrators.
    ///
    /// - Parameters:
    ///   - offers: in the order to show them, at most 50. Empty: nothing can be bought.
    ///   - provider: `storeKit` or `revenueCat`.
    ///   - entitlement: its name in the policy.
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`) where an offer is none that people could read or follow, `NOT_FOUND`
    ///   (`unknown`) where the policy defines no such entitlement, `RESOURCE_EXHAUSTED` (`limit`).
    @discardableResult
    public func reportOffers(
        _ offers: [Offer], of provider: ClaimProvider, for entitlement: String
    ) async throws(GateError) -> ProviderSubmission {
        let request = ReportOffersRequest(provider: provider, entitlement: entitlement, offers: offers)
        let response = try await client.call(Methods.Entitlements.reportOffers, request)
        return ProviderSubmission(provider: provider, revision: response.revision)
    }

    /// Lists what providers have reported that can be bought, by provider, then by entitlement (S-08).
    public func offers() async throws(GateError) -> [ReportedOffers] {
        try await client.call(Methods.Entitlements.listOffers, ListOffersRequest()).reports
    }

    /// Reports whether a provider can be reached. Its earlier statements still count. For providers and administrators.
    ///
    /// - Parameters:
    ///   - provider: any but `manual`.
    ///   - isReachable: whether it answers.
    ///   - detail: what went wrong, for people. One line, at most 200 bytes.
    @discardableResult
    public func reportProvider(
        _ provider: ClaimProvider, isReachable: Bool, detail: String = ""
    ) async throws(GateError) -> ProviderSubmission {
        let request = ReportProviderRequest(provider: provider, isReachable: isReachable, detail: detail)
        let response = try await client.call(Methods.Entitlements.reportProvider, request)
        return ProviderSubmission(provider: provider, revision: response.revision)
    }
}

/// A claim that was made or revoked.
public struct ClaimChange: Hashable, Sendable {
    /// The claim.
    public var claim: Claim.ID
    /// The revision from which on it is so.
    public var revision: Revision

    package init(claim: Claim.ID, revision: Revision) {
        self.claim = claim
        self.revision = revision
    }
}

/// Word of a provider that was taken.
public struct ProviderSubmission: Hashable, Sendable {
    /// The provider that it is from.
    public var provider: ClaimProvider
    /// The revision from which on it counts.
    public var revision: Revision

    package init(provider: ClaimProvider, revision: Revision) {
        self.provider = provider
        self.revision = revision
    }
}
