public import GateModel

/// How an authorization would go (F-13).
public struct AuthorizationForecast: Hashable, Sendable {
    public let outcome: AuthorizationOutlook.Outcome
    /// Why, for people.
    public let explanation: String
    /// The step that comes first, where a person is needed.
    public let need: AuthorizationNeed?
    /// The refusal that asking for it would get at once.
    public let refusal: GateError?

    init(
        _ outcome: AuthorizationOutlook.Outcome, _ explanation: String, need: AuthorizationNeed? = nil,
        refusal: GateError? = nil
    ) {
        self.outcome = outcome
        self.explanation = explanation
        self.need = need
        self.refusal = refusal
    }

    /// Somebody would be shown something.
    init(needing step: Step) {
        switch step {
        case .challenge(let specification):
            self.init(.personNeeded, "Somebody has to answer a question first.", need: .challenge(specification.kind))
        case .signIn:
            self.init(.personNeeded, "Somebody has to sign in first.", need: .signIn)
        case .paywall(let paywall):
            self.init(
                .personNeeded, "\(paywall.title) has to be paid for first.",
                need: .entitlement(.init(entitlement: paywall.entitlement, title: paywall.title)))
        case .form(let invitation):
            self.init(
                .personNeeded, "The form “\(invitation.title)” has to be completed first.",
                need: .form(.init(name: invitation.name, title: invitation.title)))
        case .whatsNew:
            preconditionFailure("no requirement asks for that")
        }
    }

    /// Nobody would be shown anything.
    init(refusedWith error: GateError) {
        switch error.reason {
        case .notParent:
            self.init(.personNeeded, error.message, need: .parentMode, refusal: error)
        case .lockedOut:
            self.init(.personNeeded, error.message, need: .wait, refusal: error)
        case .noPresenter:
            self.init(.personNeeded, error.message, refusal: error)
        case .unspecified, .invalidRequest, .wrongAnswer, .verifying, .dismissed, .expired, .closed, .notPermitted,
            .wrongCookie, .storeFailed, .storeDamaged, .stopping, .limit, .compacted, .denied, .refused, .notSetUp,
            .noGrant, .badPolicy, .wrongPassword, .authenticating, .signedIn, .notSignedIn, .exists, .unknown,
            .notDismissible, .badReceipt, .outdated, .othersPurchase, .changedMeanwhile, .notAnswerable, .incomplete,
            .badAnswer, .badCommand, .notBuilt, .endedByPeer, .failed, .unmappedServer, .notDamaged:
            self.init(.denied, error.message, refusal: error)
        }
    }
}
