import CGateProtocol
package import GateModel

// entitlements.proto: requests for an entitlement; presentations.proto: the content of a paywall

extension Methods.Entitlements {
    package static let requestPaywall = Method<RequestPaywallRequest, RequestPaywallResponse>(
        service, "RequestPaywall")
    package static let requirePremium = Method<RequirePremiumRequest, RequirePremiumResponse>(
        service, "RequirePremium")
}

extension Paywall: MessageMapping {
    init(reading message: Gate__V1__Paywall) throws(GateError) {
        self.init(
            entitlement: String(reading: message.entitlement),
            title: LocalizedText(reading: message.title, message.titles, count: message.n_titles),
            provider: ClaimProvider(wire: message.provider, else: .unrecognized),
            products: [String](reading: message.products, count: message.n_products),
            offers: try [Offer](reading: message.offers, count: message.n_offers),
            features: try [LocalizedText](reading: message.features, count: message.n_features))
    }

    func write(to message: inout Gate__V1__Paywall, in arena: inout MessageArena) {
        message.entitlement = arena.string(entitlement)
        (message.title, message.titles, message.n_titles) = arena.texts(titles)
        message.provider = provider.wire
        (message.products, message.n_products) = arena.strings(products)
        (message.offers, message.n_offers) = arena.messages(offers)
        (message.features, message.n_features) = arena.messages(features)
    }
}

extension PaywallRequest: MessageMapping {
    init(reading message: Gate__V1__PaywallRequest) throws(GateError) {
        let entitlement = String(reading: message.entitlement)
        self.init(
            entitlement: entitlement.isEmpty ? nil : entitlement,
            provider: try ClaimProvider.optional(wire: message.provider, of: "gate.v1.PaywallRequest.provider"),
            style: try Presentation.Style.optional(wire: message.style, of: "gate.v1.PaywallRequest.style"))
    }

    func write(to message: inout Gate__V1__PaywallRequest, in arena: inout MessageArena) {
        message.entitlement = arena.string(entitlement ?? "")
        if let provider { message.provider = provider.wire }
        if let style { message.style = style.wire }
    }

    /// An absent message leaves all choices to the policy.
    init(reading message: UnsafeMutablePointer<Gate__V1__PaywallRequest>?) throws(GateError) {
        guard let message else {
            self.init()
            return
        }
        try self.init(reading: message.pointee)
    }
}

extension PaywallOutcome: EnumMapping {
    var wire: Gate__V1__PaywallOutcome {
        switch self {
        case .activeAlready: GATE__V1__PAYWALL_OUTCOME__PAYWALL_OUTCOME_ACTIVE_ALREADY
        case .paid: GATE__V1__PAYWALL_OUTCOME__PAYWALL_OUTCOME_PAID
        }
    }
}

// MARK: Requests and responses

package struct RequestPaywallRequest: MappedMessage {
    package var paywall: PaywallRequest

    package init(paywall: PaywallRequest) {
        self.paywall = paywall
    }

    init(reading message: Gate__V1__RequestPaywallRequest) throws(GateError) {
        self.init(paywall: try PaywallRequest(reading: message.paywall))
    }

    func write(to message: inout Gate__V1__RequestPaywallRequest, in arena: inout MessageArena) {
        message.paywall = arena.message(paywall)
    }
}

package struct RequestPaywallResponse: MappedMessage {
    package var revision: Revision
    package var outcome: PaywallOutcome

    package init(revision: Revision, outcome: PaywallOutcome) {
        self.revision = revision
        self.outcome = outcome
    }

    init(reading message: Gate__V1__RequestPaywallResponse) throws(GateError) {
        self.init(
            revision: Revision(reading: message.revision),
            // An outcome opens premium content, so an unknown one is an error, not a success.
            outcome: try PaywallOutcome(wire: message.outcome, of: "gate.v1.RequestPaywallResponse.outcome"))
    }

    func write(to message: inout Gate__V1__RequestPaywallResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        message.outcome = outcome.wire
    }
}

package struct RequirePremiumRequest: MappedMessage {
    package var paywall: PaywallRequest
    package var presenting: Presenting

    package init(paywall: PaywallRequest, presenting: Presenting) {
        self.paywall = paywall
        self.presenting = presenting
    }

    init(reading message: Gate__V1__RequirePremiumRequest) throws(GateError) {
        self.init(
            paywall: try PaywallRequest(reading: message.paywall),
            presenting: try Presenting(message.presenting, message.presents_itself))
    }

    func write(to message: inout Gate__V1__RequirePremiumRequest, in arena: inout MessageArena) {
        message.paywall = arena.message(paywall)
        (message.presenting, message.presents_itself) = presenting.fields
    }
}

package struct RequirePremiumResponse: MappedMessage {
    package enum Result: Hashable, Sendable {
        case outcome(PaywallOutcome)
        case presentation(Presentation)
    }

    package var revision: Revision
    package var result: Result

    package init(revision: Revision, result: Result) {
        self.revision = revision
        self.result = result
    }

    init(reading message: Gate__V1__RequirePremiumResponse) throws(GateError) {
        self.init(revision: Revision(reading: message.revision), result: try Self.result(of: message))
    }

    private static func result(of message: Gate__V1__RequirePremiumResponse) throws(GateError) -> Result {
        switch message.result_case {
        case GATE__V1__REQUIRE_PREMIUM_RESPONSE__RESULT_OUTCOME:
            return .outcome(try PaywallOutcome(wire: message.outcome, of: "gate.v1.RequirePremiumResponse.outcome"))
        case GATE__V1__REQUIRE_PREMIUM_RESPONSE__RESULT_PRESENTATION:
            if let presentation = message.presentation {
                return .presentation(try Presentation(reading: presentation.pointee))
            }
        default: break
        }
        throw .wrong("gate.v1.RequirePremiumResponse", "holds no result that this version knows")
    }

    func write(to message: inout Gate__V1__RequirePremiumResponse, in arena: inout MessageArena) {
        message.revision = arena.message(revision)
        switch result {
        case .outcome(let outcome):
            message.result_case = GATE__V1__REQUIRE_PREMIUM_RESPONSE__RESULT_OUTCOME
            message.outcome = outcome.wire
        case .presentation(let presentation):
            message.result_case = GATE__V1__REQUIRE_PREMIUM_RESPONSE__RESULT_PRESENTATION
            message.presentation = arena.message(presentation)
        }
    }
}
