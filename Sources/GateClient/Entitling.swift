public import GateModel
package import GateProtocol

// What was paid for, and who says so.

extension GateClient {
    /// Every entitlement that the policy defines, and who says so (F-50).
    public func entitlements() async throws(GateError) -> EntitlementsState {
        try await call(Methods.Entitlements.get, GetEntitlementsRequest()).state
    }

    /// Whether the paywall's entitlement is paid for (F-50).
    public func isSubscriptionActive() async throws(GateError) -> Bool {
        try await entitlements().isSubscriptionActive
    }

    /// The entitlements that are paid for now, then each change; an end is told by itself. `EntitlementsState.closed`
    /// at once when the daemon is lost, until it is back.
    public var entitlementChanges: EntitlementSequence { EntitlementSequence(events: watch([.entitlements])) }

    /// The health of each provider that somebody has reported about.
    public func providers() async throws(GateError) -> [ProviderReport] {
        try await call(Methods.Entitlements.get, GetEntitlementsRequest()).providers
    }

    /// All claims, by provider and name. For administrators and providers.
    public func claims() async throws(GateError) -> [ClaimSummary] {
        try await allPages { token throws(GateError) in
            let response = try await call(Methods.Entitlements.listClaims, ListClaimsRequest(pageToken: token))
            return (response.claims, response.nextPageToken)
        }
    }

    /// Gives an entitlement. For administrators.
    ///
    /// - Parameters:
    ///   - entitlement: its name in the policy.
    ///   - holder: whose it is from now on.
    ///   - end: when it runs out; `nil`: never.
    /// - Returns: with the name of the claim.
    /// - Throws: `NOT_FOUND` (`unknown`) where the policy defines no such entitlement, or there is no such account.
    @discardableResult
    package func addClaim(
        _ entitlement: String, for holder: Claim.Holder, until end: WallTime? = nil
    ) async throws(GateError) -> AddClaimResponse {
        try await call(
            Methods.Entitlements.addClaim,
            AddClaimRequest(entitlement: entitlement, holder: holder, expiresAt: end))
    }

    /// Revokes a claim, whatever its provider says. For administrators.
    ///
    /// - Throws: `NOT_FOUND` (`unknown`).
    @discardableResult
    package func revokeClaim(_ id: Claim.ID) async throws(GateError) -> RevokeClaimResponse {
        try await call(Methods.Entitlements.revokeClaim, RevokeClaimRequest(claim: id))
    }

    /// Submits a transaction that StoreKit signed. For providers and administrators.
    ///
    /// - Parameters:
    ///   - jws: as StoreKit gave it, at most 256 KiB.
    ///   - holder: `nil`: whose it is already; else the person who is signed in; else the device.
    /// - Throws: `INVALID_ARGUMENT` (`badReceipt`) where a check fails, `FAILED_PRECONDITION` (`outdated`,
    ///   `othersPurchase`), `NOT_FOUND` (`unknown`) where nothing is configured for the product.
    @discardableResult
    package func submitTransaction(
        _ jws: [UInt8], for holder: Claim.Holder? = nil
    ) async throws(GateError) -> SubmitSignedTransactionResponse {
        try await call(
            Methods.Entitlements.submitSignedTransaction,
            SubmitSignedTransactionRequest(signedTransaction: jws, holder: holder))
    }

    /// Submits renewal info that StoreKit signed, of a transaction that was submitted before. For providers and
    /// administrators.
    ///
    /// - Parameter jws: as StoreKit gave it, at most 256 KiB.
    /// - Throws: as `submitTransaction`; `NOT_FOUND` where there is no such transaction.
    @discardableResult
    package func submitRenewalInfo(_ jws: [UInt8]) async throws(GateError) -> SubmitRenewalInfoResponse {
        try await call(
            Methods.Entitlements.submitRenewalInfo, SubmitRenewalInfoRequest(signedRenewalInfo: jws))
    }

    /// Submits a server notification of the App Store, version 2. Each is taken once. For providers and administrators.
    ///
    /// - Parameters:
    ///   - payload: the JWS, or the JSON object that it came in, at most 256 KiB.
    ///   - holder: as with `submitTransaction`.
    /// - Throws: as `submitTransaction`.
    @discardableResult
    package func submitNotification(
        _ payload: [UInt8], for holder: Claim.Holder? = nil
    ) async throws(GateError) -> SubmitServerNotificationResponse {
        try await call(
            Methods.Entitlements.submitServerNotification,
            SubmitServerNotificationRequest(signedPayload: payload, holder: holder))
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
    package func submitCustomerInfo(
        path: String, nonce: [UInt8], headers: [HTTPHeader], body: [UInt8]
    ) async throws(GateError) -> SubmitCustomerInfoResponse {
        try await call(
            Methods.Entitlements.submitCustomerInfo,
            SubmitCustomerInfoRequest(path: path, nonce: nonce, headers: headers, body: body))
    }

    /// Reports whether a provider can be reached. Its earlier statements still count. For providers and administrators.
    ///
    /// - Parameter detail: what went wrong, for people. One line, at most 200 bytes.
    @discardableResult
    package func reportProvider(
        _ provider: Provider, isReachable: Bool, detail: String = ""
    ) async throws(GateError) -> ReportProviderResponse {
        try await call(
            Methods.Entitlements.reportProvider,
            ReportProviderRequest(provider: provider, isReachable: isReachable, detail: detail))
    }
}
