import GateModel

extension GateClient {
    /// Runs the body if the policy allows it, after a person was asked if the policy says so.
    ///
    /// ```swift
    /// try await gate.authorize("link.open", details: url) { open(url) }
    /// ```
    ///
    /// The body runs exactly once, where the caller runs. By then the question is gone from the screen and the grant is
    /// redeemed, so the body may show something of its own. It does not run if the authorization throws, nor once the
    /// task is cancelled; cancelling the task also withdraws the question. The mode does not change.
    /// - Parameters:
    ///   - gatedAction: its name in the policy, like "link.open".
    ///   - details: exactly what is going to be done, for the person: a URL, a command line, an amount. One line of at
    ///     most 4,096 bytes.
    ///   - present: shows a question in this program if no presenter can; `nil`: this program can't show any.
    /// - Throws: what `AuthorizationCalls.grant` and `AuthorizationCalls.redeem` throw, and what the body throws.
    public nonisolated(nonsending) func authorize<R: Sendable>(
        _ gatedAction: String, details: String = "", presenting present: PresentationHandler? = nil,
        _ body: nonisolated(nonsending) () async throws -> R
    ) async throws -> R {
        let request = AuthorizationRequest(gatedAction: gatedAction, details: details)
        let grant = try await authorization.grant(request, presenting: present)
        _ = try await authorization.redeem(grant.proof, gatedAction: gatedAction, details: details)
        guard !Task.isCancelled else { throw GateError.cancelled }
        return try await body()
    }
}
