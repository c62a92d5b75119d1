import GateClient
import GateModel
import GateProtocol
import GateTexts

extension Session {
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
            try await gate.beginAuthorize(request, presenting)
        }
        switch outcome {
        case .settled(let response):
            if case .grant(let grant) = response.result { return grant }
        case .answered(let response):
            if case .grant(let grant) = response.result { return grant }
        }
        throw GateError(.internal, .unspecified, saying: localized("The daemon sent no grant, and did not say why."))
    }
}
