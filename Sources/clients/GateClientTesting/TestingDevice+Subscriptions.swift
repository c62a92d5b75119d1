public import GateClient
import GateDaemon
import GatePolicy
import Synchronization

extension TestingDevice {
    /// A month of 30 days, which is how long `subscribe` lasts by default.
    public static let month = Duration.seconds(30 * 24 * 3600)

    /// Makes a provider say now that the holder has paid; `nil`: the person who is signed in, else the device.
    ///
    /// - Parameter duration: how long the payment lasts; `nil`: for ever.
    public func subscribe(
        _ entitlement: String, for duration: Duration? = month, through provider: ClaimProvider = .storeKit,
        of holder: Claim.Holder? = nil
    ) async throws(GateError) {
        try await setSubscription(entitlement, to: .subscribed, for: duration, through: provider, of: holder)
    }

    /// Makes a provider say now that the money was given back.
    public func refund(
        _ entitlement: String, through provider: ClaimProvider = .storeKit, of holder: Claim.Holder? = nil
    ) async throws(GateError) {
        try await setSubscription(entitlement, to: .revoked, through: provider, of: holder)
    }

    /// Makes a provider say now that the subscription has expired.
    public func expire(
        _ entitlement: String, through provider: ClaimProvider = .storeKit, of holder: Claim.Holder? = nil
    ) async throws(GateError) {
        try await setSubscription(entitlement, to: .expired, through: provider, of: holder)
    }

    /// Makes a provider say now that the subscription has expired, but counts this long while the store retries.
    public func startGracePeriod(
        _ entitlement: String, for duration: Duration = .seconds(16 * 24 * 3600),
        through provider: ClaimProvider = .storeKit, of holder: Claim.Holder? = nil
    ) async throws(GateError) {
        try await setSubscription(entitlement, to: .inGracePeriod, for: duration, through: provider, of: holder)
    }

    /// Makes a provider say now that the subscription has expired, and that the store tries to collect the money.
    public func startBillingRetry(
        _ entitlement: String, through provider: ClaimProvider = .storeKit, of holder: Claim.Holder? = nil
    ) async throws(GateError) {
        try await setSubscription(entitlement, to: .inBillingRetry, through: provider, of: holder)
    }

    /// Makes a provider say what state a subscription is in now. This replaces what the provider said before;
    /// statements of other providers still count.
    ///
    /// - Parameters:
    ///   - entitlement: its name in the policy.
    ///   - status: for the provider `manual` only `subscribed` or `expired`: a gift is in no other state.
    ///   - duration: how long `subscribed` or `inGracePeriod` lasts; `nil`: for ever, or 16 days.
    ///   - holder: who has paid; `nil`: the person who is signed in, else the device.
    ///   - product: what was bought; `nil`: the first product, by name, that the provider sells for the entitlement.
    /// - Throws: `NOT_FOUND` (`unknown`) if the policy does not define the entitlement, or the provider does not sell
    ///   the product; `INVALID_ARGUMENT` if the provider can't say that.
    public func setSubscription(
        _ entitlement: String, to status: Entitlement.Status, for duration: Duration? = nil,
        through provider: ClaimProvider = .storeKit, of holder: Claim.Holder? = nil, product: String? = nil
    ) async throws(GateError) {
        let holder = try await self.holder(holder)
        guard provider != .manual else {
            return try await give(entitlement, status, for: duration, to: holder)
        }
        let sold = try firstItem(of: provider, for: entitlement)
        let item = product ?? sold
        let (purchase, renewal) = said(item, status, for: duration)
        switch provider {
        case .storeKit:
            try await daemon.submit(
                .storeKit(
                    originalTransaction: "testing-\(entitlement)-\(TestingPolicy.customer(of: holder))",
                    purchase: purchase, renewal: renewal, notificationID: nil), for: holder)
        case .revenueCat:
            let customer = TestingPolicy.customer(of: holder)
            let has = memory.value.withLock { memory in
                memory.customers[customer, default: [:]][item] = ProviderStatement.CustomerEntitlement(
                    purchase: purchase, renewal: renewal)
                return memory.customers[customer, default: [:]].sorted { $0.key < $1.key }.map(\.value)
            }
            // When the daemon reads its policy again, the accounts become RevenueCat's users.
            try await asAdministrator { client throws(GateError) in _ = try await client.control.reload() }
            try await daemon.submit(
                .revenueCat(appUser: customer, has, saidAt: purchase.saidAt), for: nil)
        case .manual, .unrecognized: break
        }
        await daemon.settled()
    }

    /// Gives an entitlement as an administrator does.
    private func give(
        _ entitlement: String, _ status: Entitlement.Status, for duration: Duration?, to holder: Claim.Holder
    ) async throws(GateError) {
        // The shortest duration on the wall clock.
        let instant = Duration.milliseconds(1)
        let length: Duration?
        switch status {
        case .subscribed: length = duration
        case .expired: length = instant
        case .inGracePeriod, .inBillingRetry, .revoked:
            throw GateError(
                .invalidArgument, .invalidRequest,
                "What an administrator gives is never \(status.rawValue). Name a store as the provider.")
        }
        let end = length.map { now.advanced(by: $0) }
        try await asAdministrator { client throws(GateError) in
            _ = try await client.entitlements.addClaim(entitlement, for: holder, until: end)
        }
        if status == .expired { await advance(by: instant) }
    }

    private func said(
        _ item: String, _ status: Entitlement.Status, for duration: Duration?
    ) -> (ClaimedPurchase, SubscriptionRenewal?) {
        let (now, saidAt) = (now, nextStatementTime())
        var purchase = ClaimedPurchase(
            item: item, product: item, purchasedAt: now, expiresAt: now, isForTesting: true, saidAt: saidAt)
        var renewal = SubscriptionRenewal(isInBillingRetry: false, gracePeriodEndsAt: nil, saidAt: saidAt)
        switch status {
        case .subscribed:
            purchase.expiresAt = duration.map { now.advanced(by: $0) }
        case .expired: break
        case .inGracePeriod:
            renewal.isInBillingRetry = true
            renewal.gracePeriodEndsAt = now.advanced(by: duration ?? .seconds(16 * 24 * 3600))
        case .inBillingRetry:
            renewal.isInBillingRetry = true
        case .revoked:
            purchase.expiresAt = now.advanced(by: Self.month)
            purchase.revokedAt = now
        }
        return (purchase, renewal)
    }

    /// A statement's time has to differ from the previous one's, so this is now, or 1 ms after the previous statement.
    private func nextStatementTime() -> WallTime {
        let now = now
        return memory.value.withLock { memory in
            memory.lastStatement = max(now, memory.lastStatement.advanced(by: .milliseconds(1)))
            return memory.lastStatement
        }
    }

    private func holder(_ asked: Claim.Holder?) async throws(GateError) -> Claim.Holder {
        if let asked { return asked }
        let session = try await asAdministrator { client throws(GateError) in try await client.signIn.state().session }
        return session.map { .account($0.name) } ?? .device
    }

    private func firstItem(of provider: ClaimProvider, for entitlement: String) throws(GateError) -> String {
        let items = (try? policy.policy(accounts: []))?.configuration.items(of: provider, for: entitlement)
        guard let item = items?.first else {
            throw GateError(
                .notFound, .unknown, "The policy of this device defines no entitlement called \(entitlement).")
        }
        return item
    }
}

extension TestingPolicy {
    static func customer(of holder: Claim.Holder) -> String {
        switch holder {
        case .device: deviceCustomer
        case .account(let name): customer(name)
        }
    }
}
