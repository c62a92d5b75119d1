import GateClient
import GateModel
import GateProtocol
import GateTexts

extension Session {
    /// Gets a grant and redeems it at once: afterwards the action may be done once.
    ///
    /// - Throws: why it may not be done (`denied`, `wrongAnswer`, `refused`, `dismissed`, `lockedOut`, …).
    func authorize(
        _ request: AuthorizationRequest, readsStandardInput: Bool
    ) async throws(GateError) -> RedeemResponse {
        let grant = try await grant(for: request, readsStandardInput: readsStandardInput)
        return try await gate.call(
            Methods.Authorization.redeem,
            RedeemRequest(proof: grant.proof, gatedAction: request.gatedAction, details: request.details))
    }

    /// Gets a grant, after a person was asked if that is needed. Every verb that has something authorized uses this.
    ///
    /// - Parameter readsStandardInput: whether `--stdin` was given.
    /// - Throws: the errors of `AuthorizationCalls.grant`.
    func grant(
        for request: AuthorizationRequest, readsStandardInput: Bool
    ) async throws(GateError) -> Grant {
        do throws(GateError) {
            return try await grantOnce(for: request, readsStandardInput: readsStandardInput)
        } catch {
            // The state changed while the question was open, so the daemon may decide otherwise now: ask once more.
            // With `--stdin` don't, since the lines were meant for the question that is gone.
            guard error.isOfAnotherState, !readsStandardInput, !Task.isCancelled else { throw error }
            return try await grantOnce(for: request, readsStandardInput: readsStandardInput)
        }
    }

    private func grantOnce(
        for request: AuthorizationRequest, readsStandardInput: Bool
    ) async throws(GateError) -> Grant {
        let gate = gate
        let outcome = try await asking(readsStandardInput: readsStandardInput) { presenting throws(GateError) in
            try await gate.begin(
                Methods.Authorization.authorize, AuthorizeRequest(request: request, presenting: presenting), presenting
            ) { $0.presentation }
        }
        let grant =
            switch outcome {
            case .settled(let response): response.grant
            case .answered(let response): response.grant
            }
        guard let grant else {
            throw GateError(
                .internal, .unspecified,
                saying: localized(
                    "The daemon sent no grant and no reason. Are gated and this program of the same version?"))
        }
        return grant
    }
}
