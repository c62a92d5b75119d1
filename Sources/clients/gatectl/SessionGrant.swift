import GateClient
import GateModel
import GateProtocol
import GateTexts

extension Session {
    /// A grant, after a person was asked where one is needed: the way of every verb that has something authorized.
    ///
    /// - Parameter readsStandardInput: `--stdin` was given.
    /// - Throws: as `AuthorizationCalls.grant`.
    func grant(
        for request: AuthorizationRequest, readsStandardInput: Bool
    ) async throws(GateError) -> Grant {
        do throws(GateError) {
            return try await grantOnce(for: request, readsStandardInput: readsStandardInput)
        } catch {
            // The state has changed under the question, and may decide otherwise now. Who gave lines gave them for the
            // question that is gone.
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
