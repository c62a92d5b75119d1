import GateModel

extension GateClient {
    /// Runs the body if, and only if, it may be run: after a person was asked, where the policy says so (F-16 … F-18).
    ///
    /// ```swift
    /// try await gate.authorize("link.open", details: url) { open(url) }
    /// ```
    ///
    /// The body runs exactly once, after the question is gone from the screen and the grant was taken (F-22), so it may show
    /// something of its own. It runs where the caller runs. It does not run when this throws an error that is not its own, nor once
    /// the task is cancelled, which takes the question back (F-23). The mode stays what it was.
    ///
    /// - Parameters:
    ///   - gatedAction: its name in the policy, like "link.open".
    ///   - details: exactly what is going to be done: the URL, the command line, the amount. Shown to the person. One line,
    ///     at most 4,096 bytes.
    ///   - present: how this program shows a question where no presenter of the device can. `nil`: it can't.
    ///   - body: what needs the authorization.
    /// - Returns: what the body returns.
    /// - Throws: what `AuthorizationCalls.grant` throws, and what the body throws.
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
