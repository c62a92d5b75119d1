public import GateModel
package import GateProtocol

// Premium, for people who have paid or pay now.

extension GateClient {
    /// Runs the body if the entitlement is active (F-51): at once where it is, else once somebody has paid at a paywall that
    /// the presenters of the device show.
    ///
    /// ```swift
    /// try await gate.goPaywall(style: .sheet) { showFilters() }
    /// ```
    ///
    /// The body runs exactly once, after the paywall is closed, and not when this throws an error that is not its own, nor
    /// once the task is cancelled. Cancelling the task takes the paywall away.
    ///
    /// - Parameters:
    ///   - entitlement: its name in the policy; `nil`: what the policy puts behind the paywall.
    ///   - provider: through whom it is bought; `nil`: as the policy says (F-52).
    ///   - style: how it is shown; `nil`: as the policy says (F-52).
    ///   - body: what premium is for. It runs where the caller runs.
    /// - Returns: which it was: active already, or paid for now.
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

    /// Premium, or a paywall (F-54).
    ///
    /// ```swift
    /// try await gate.requirePremium(presenting: mySheet.ask) { showFilters() }
    /// ```
    ///
    /// Where the entitlement is active, the content runs at once, and neither of the other two. Otherwise exactly one of
    /// them runs, once: `onPaySuccess`, and then the content; or `onCancelPaywall`, with what was in the way: dismissed, over,
    /// nobody there to show it, no daemon, the task cancelled. Without the daemon nothing is active.
    ///
    /// - Parameters:
    ///   - entitlement: its name in the policy; `nil`: what the policy puts behind the paywall.
    ///   - provider: through whom it is bought; `nil`: as the policy says (F-52).
    ///   - style: how it is shown; `nil`: as the policy says (F-52).
    ///   - present: how this program shows the paywall, even if others could. `nil`: the presenters of the device do.
    ///   - onCancelPaywall: runs where it was not paid for. `nil`: then this throws what it would have been given.
    ///   - onPaySuccess: runs where it was paid for at this paywall, once that is closed.
    ///   - content: what premium is for. Not once the task is cancelled.
    /// - Returns: which it was; `nil`: it is not active, and `onCancelPaywall` has run.
    /// - Throws: what `onPaySuccess`, `onCancelPaywall` and `content` throw; `CANCELLED` where the content was not run
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

    /// The first of two steps, with the reply as it came.
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
