public import GateModel
import GateProtocol

extension GateClient {
    /// Calls about entitlements, paywalls, and the reports of stores.
    public struct EntitlementCalls: Sendable {
        let client: GateClient
    }
}

extension GateClient.EntitlementCalls {
    /// Every entitlement that the policy defines, and the claim that decides each.
    public func state() async throws(GateError) -> EntitlementsState {
        try await client.call(Methods.Entitlements.get, GetEntitlementsRequest()).state
    }

    /// Whether the paywall's entitlement is paid for. If one store can't be reached, the others still count.
    public func isSubscriptionActive() async throws(GateError) -> Bool {
        try await state().isSubscriptionActive
    }

    /// Whether each provider could be reached when it was last reported about.
    public func providers() async throws(GateError) -> [ProviderReport] {
        try await client.call(Methods.Entitlements.get, GetEntitlementsRequest()).providers
    }

    // MARK: Paywalls

    /// Shows a paywall if the entitlement is not active, and waits for the result. The presenters of the device show
    /// it; if none can, this program does. Cancelling the task closes the paywall.
    /// - Parameter present: shows a paywall in this program. `nil`: this program can't show any.
    /// - Throws: `CANCELLED` (`dismissed`); `DEADLINE_EXCEEDED` (`expired`) after 15 minutes; `ABORTED` with
    ///   `noPresenter` if no program can show it, or with `closed` if it was withdrawn; `NOT_FOUND` (`unknown`) if the
    ///   policy does not define the entitlement.
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

    /// Begins a paywall that this program shows, even if presenters of the device could. The caller has to call
    /// `OpenPresentation.awaitClosing`, or dismiss it.
    /// - Throws: the errors of `requestPaywall`, except those of the paywall's end.
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
            throw GateError(.internal, .unspecified, "The daemon sent a paywall to a program that can't show any.")
        }
    }

    // MARK: Claims

    /// All claims, by provider and name. For administrators and providers.
    public func claims() async throws(GateError) -> [ClaimSummary] {
        try await client.allPages(of: Methods.Entitlements.listClaims) { ListClaimsRequest(pageToken: $0) }
    }

    /// Gives an entitlement to an account or the device. For administrators.
    /// - Parameter end: when it expires; `nil`: never.
    /// - Returns: the new claim, which can be revoked.
    /// - Throws: `NOT_FOUND` (`unknown`) if the policy does not define the entitlement, or there is no such account.
    @discardableResult
    public func addClaim(
        _ entitlement: String, for holder: Claim.Holder, until end: WallTime? = nil
    ) async throws(GateError) -> ClaimChange {
        let request = AddClaimRequest(entitlement: entitlement, holder: holder, expiresAt: end)
        let response = try await client.call(Methods.Entitlements.addClaim, request)
        return ClaimChange(claim: Claim.ID(.manual, response.name), revision: response.revision)
    }

    /// Revokes a claim, even if its provider continues to confirm it. For administrators.
    /// - Throws: `NOT_FOUND` (`unknown`).
    @discardableResult
    public func revokeClaim(_ id: Claim.ID) async throws(GateError) -> ClaimChange {
        let response = try await client.call(Methods.Entitlements.revokeClaim, RevokeClaimRequest(claim: id))
        return ClaimChange(claim: id, revision: response.revision)
    }

    // MARK: Providers

    /// Submits a transaction that StoreKit has signed. For providers and administrators.
    /// - Parameters:
    ///   - jws: exactly as StoreKit returned it, at most 256 KiB.
    ///   - holder: whose purchase it is; `nil`: its current holder, else the person who is signed in, else the device.
    /// - Throws: `INVALID_ARGUMENT` (`badReceipt`) if a check fails; `FAILED_PRECONDITION` (`outdated`,
    ///   `othersPurchase`); `NOT_FOUND` (`unknown`) if the configuration does not name the product.
    @discardableResult
    public func submitTransaction(
        _ jws: [UInt8], for holder: Claim.Holder? = nil
    ) async throws(GateError) -> ProviderSubmission {
        let request = SubmitSignedTransactionRequest(signedTransaction: jws, holder: holder)
        let response = try await client.call(Methods.Entitlements.submitSignedTransaction, request)
        return ProviderSubmission(provider: .storeKit, revision: response.revision)
    }

    /// Submits StoreKit's signed renewal info of a known transaction. For providers and administrators.
    /// - Parameter jws: exactly as StoreKit returned it, at most 256 KiB.
    /// - Throws: the errors of `submitTransaction`; `NOT_FOUND` if the transaction is unknown.
    @discardableResult
    public func submitRenewalInfo(_ jws: [UInt8]) async throws(GateError) -> ProviderSubmission {
        let request = SubmitRenewalInfoRequest(signedRenewalInfo: jws)
        let response = try await client.call(Methods.Entitlements.submitRenewalInfo, request)
        return ProviderSubmission(provider: .storeKit, revision: response.revision)
    }

    /// Submits a server notification of the App Store, version 2. Each notification is accepted once. For providers and
    /// administrators.
    /// - Parameters:
    ///   - payload: the JWS, or the JSON object that contains it, at most 256 KiB.
    ///   - holder: as for `submitTransaction`.
    /// - Throws: the errors of `submitTransaction`.
    @discardableResult
    public func submitNotification(
        _ payload: [UInt8], for holder: Claim.Holder? = nil
    ) async throws(GateError) -> ProviderSubmission {
        let request = SubmitServerNotificationRequest(signedPayload: payload, holder: holder)
        let response = try await client.call(Methods.Entitlements.submitServerNotification, request)
        return ProviderSubmission(provider: .storeKit, revision: response.revision)
    }

    /// Submits customer info of RevenueCat. For providers and administrators.
    /// - Parameters:
    ///   - path: of the request, like "/v1/subscribers/anna".
    ///   - nonce: of the request; empty: none was sent.
    ///   - headers: of the response.
    ///   - body: of the response, exactly as received, at most 1 MiB.
    /// - Throws: the errors of `submitTransaction`; `NOT_FOUND` if no account belongs to that user of RevenueCat.
    @discardableResult
    public func submitCustomerInfo(
        path: String, nonce: [UInt8], headers: [ProviderHTTPHeader], body: [UInt8]
    ) async throws(GateError) -> ProviderSubmission {
        let request = SubmitCustomerInfoRequest(path: path, nonce: nonce, headers: headers, body: body)
        let response = try await client.call(Methods.Entitlements.submitCustomerInfo, request)
        return ProviderSubmission(provider: .revenueCat, revision: response.revision)
    }

    /// Reports what can be bought to get an entitlement. This replaces the earlier report of the same provider and
    /// entitlement, and an open paywall for it shows the new offers. For providers and administrators.
    /// - Parameters:
    ///   - offers: at most 50, in the order to show them. Empty: nothing can be bought.
    ///   - provider: `storeKit` or `revenueCat`.
    ///   - entitlement: its name in the policy.
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`) if an offer's text, price, period or address can't be shown to
    ///   people; `NOT_FOUND` (`unknown`) if the policy does not define the entitlement; `RESOURCE_EXHAUSTED` (`limit`).
    @discardableResult
    public func reportOffers(
        _ offers: [Offer], of provider: ClaimProvider, for entitlement: String
    ) async throws(GateError) -> ProviderSubmission {
        let request = ReportOffersRequest(provider: provider, entitlement: entitlement, offers: offers)
        let response = try await client.call(Methods.Entitlements.reportOffers, request)
        return ProviderSubmission(provider: provider, revision: response.revision)
    }

    /// The offers that providers have reported, by provider, then by entitlement.
    public func offers() async throws(GateError) -> [ReportedOffers] {
        try await client.call(Methods.Entitlements.listOffers, ListOffersRequest()).reports
    }

    /// Reports whether a provider can be reached. Its earlier statements count. For providers and administrators.
    /// - Parameters:
    ///   - provider: any but `manual`.
    ///   - detail: what went wrong, for people. One line of at most 200 bytes.
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
    /// The revision from which on the change holds.
    public var revision: Revision

    package init(claim: Claim.ID, revision: Revision) {
        self.claim = claim
        self.revision = revision
    }
}

/// A provider's statement or report that the daemon has accepted.
public struct ProviderSubmission: Hashable, Sendable {
    /// The provider that the statement is from.
    public var provider: ClaimProvider
    /// The revision from which on the statement counts.
    public var revision: Revision

    package init(provider: ClaimProvider, revision: Revision) {
        self.provider = provider
        self.revision = revision
    }
}
