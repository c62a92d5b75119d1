import GateModel

extension AuthorizationOutlook {
    init(needing step: Step) {
        switch step {
        case .challenge(let specification):
            self.init(
                .personNeeded, need: .challenge(specification.kind),
                explanation: "Somebody has to answer a question first.")
        case .signIn:
            self.init(.personNeeded, need: .signIn, explanation: "Somebody has to sign in first.")
        case .paywall(let paywall):
            self.init(
                .personNeeded, need: .entitlement(.init(entitlement: paywall.entitlement, title: paywall.titles)),
                explanation: "This needs a purchase: \(paywall.title).")
        case .form(let invitation):
            self.init(
                .personNeeded, need: .form(.init(name: invitation.name, title: invitation.titles)),
                explanation: "The form “\(invitation.title)” has to be completed first.")
        case .whatsNew:
            preconditionFailure("no requirement asks for that")
        }
    }

    init(refusedWith error: GateError) {
        switch error.reason {
        case .notParent:
            self.init(.personNeeded, need: .parentMode, refusal: error, explanation: error.message)
        case .lockedOut:
            self.init(.personNeeded, need: .wait, refusal: error, explanation: error.message)
        case .noPresenter:
            self.init(.personNeeded, refusal: error, explanation: error.message)
        case .unspecified, .invalidRequest, .wrongAnswer, .verifying, .dismissed, .expired, .closed, .notPermitted,
            .wrongCookie, .storeFailed, .storeDamaged, .stopping, .limit, .compacted, .denied, .refused, .notSetUp,
            .noGrant, .badPolicy, .wrongPassword, .authenticating, .signedIn, .notSignedIn, .exists, .unknown,
            .notDismissible, .badReceipt, .outdated, .othersPurchase, .changedMeanwhile, .notAnswerable, .incomplete,
            .badAnswer, .badCommand, .notBuilt, .endedByPeer, .failed, .unmappedServer, .notDamaged, .guessesUsedUp,
            .asked, .outOfHours:
            self.init(.denied, refusal: error, explanation: error.message)
        }
    }
}
