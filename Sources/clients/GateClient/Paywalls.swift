public import GateModel
package import GateProtocol

extension GateClient {
    /// Runs the body if the entitlement is active. If it is not, the presenters of the device first show a paywall, and
    /// the body runs once somebody has paid there.
    ///
    /// ```swift
    /// try await gate.goPaywall(style: .sheet) { showFilters() }
    /// ```
    ///
    /// The body runs exactly once, where the caller runs, after the paywall is closed. It does not run if the request
    /// throws, nor once the task is cancelled, which closes the paywall.
    /// - Parameters:
    ///   - entitlement: its name in the policy; `nil`: the one that the policy puts behind the paywall.
    ///   - provider: the store to buy from; `nil`: as the policy says.
    ///   - style: how the paywall is shown; `nil`: as the policy says.
    /// - Returns: whether the entitlement was already active, or was paid for now.
    /// - Throws: what `EntitlementCalls.requestPaywall` throws, and what the body throws.
    @discardableResult
    public nonisolated(nonsending) func goPaywall(
        _ entitlement: String? = nil, provider: ClaimProvider? = nil, style: Presentation.Style? = nil,
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws -> PaywallOutcome {
        let outcome = try await entitlements.requestPaywall(
            PaywallRequest(entitlement: entitlement, provider: provider, style: style))
        guard !Task.isCancelled else { throw GateError.cancelled }
        try await body()
        return outcome
    }

    /// Shows the content if the entitlement is active, and otherwise a paywall first.
    ///
    /// ```swift
    /// try await gate.requirePremium(presenting: mySheet.ask) { showFilters() }
    /// ```
    ///
    /// If the entitlement is active, only `content` runs. Otherwise exactly one of these happens, once: after a payment
    /// `onPaySuccess` runs and then `content`; or `onCancelPaywall` runs with the reason: the paywall was dismissed,
    /// expired or can't be shown, the daemon is not there, or the task was cancelled.
    /// - Parameters:
    ///   - entitlement: its name in the policy; `nil`: the one that the policy puts behind the paywall.
    ///   - provider: the store to buy from; `nil`: as the policy says.
    ///   - style: how the paywall is shown; `nil`: as the policy says.
    ///   - present: shows the paywall in this program, even if presenters could; `nil`: the presenters show it.
    ///   - onCancelPaywall: runs if nobody paid. `nil`: the error is thrown instead.
    ///   - onPaySuccess: runs after a payment at this paywall, once the paywall is closed.
    ///   - content: does not run once the task is cancelled.
    /// - Returns: whether the entitlement was already active, or was paid for now; `nil` if it is not active and
    ///   `onCancelPaywall` has run.
    /// - Throws: what `onPaySuccess`, `onCancelPaywall` and `content` throw; `CANCELLED` if the content was skipped
    ///   because the task is cancelled; without `onCancelPaywall` what `EntitlementCalls.requestPaywall` throws.
    @discardableResult
    public nonisolated(nonsending) func requirePremium(
        _ entitlement: String? = nil, provider: ClaimProvider? = nil, style: Presentation.Style? = nil,
        presenting present: PresentationHandler? = nil,
        onCancelPaywall: (nonisolated(nonsending) (GateError) async throws -> Void)? = nil,
        onPaySuccess: nonisolated(nonsending) () async throws -> Void = {},
        content: nonisolated(nonsending) () async throws -> Void
    ) async throws -> PaywallOutcome? {
        let request = PaywallRequest(entitlement: entitlement, provider: provider, style: style)
        let outcome: PaywallOutcome
        do throws(GateError) {
            outcome = try await entitlements.beginPaywall(request, present == nil ? .elsewhere : .here)
                .outcome(presenting: present) { _ in .paid }
        } catch {
            guard let onCancelPaywall else { throw error }
            try await onCancelPaywall(error)
            return nil
        }
        switch outcome {
        case .activeAlready: break
        case .paid: try await onPaySuccess()
        }
        guard !Task.isCancelled else { throw GateError.cancelled }
        try await content()
        return outcome
    }

    /// The first step of a paywall request: the daemon's reply, and the presentation to show if it contains one.
    package func beginPaywall(
        _ request: PaywallRequest, _ presenting: Presenting
    ) async throws(GateError) -> (response: RequirePremiumResponse, open: OpenPresentation?) {
        try await begin(
            Methods.Entitlements.requirePremium, RequirePremiumRequest(paywall: request, presenting: presenting),
            presenting
        ) { response in
            switch response.result {
            case .presentation(let presentation): presentation
            case .outcome: nil
            }
        }
    }
}
