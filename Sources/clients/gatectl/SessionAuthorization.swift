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
}

extension AuthorizationOutlook.Outcome {
    var exitStatus: Int32 {
        switch self {
        case .granted: 0
        case .denied: 1
        case .personNeeded: 2
        }
    }

    var text: String {
        switch self {
        case .granted: localized("granted")
        case .denied: localized("denied")
        case .personNeeded: localized("a person is needed")
        }
    }
}
