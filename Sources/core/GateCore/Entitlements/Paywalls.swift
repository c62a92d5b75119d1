import GateModel

/// Paywalls: requests for an entitlement, and what closes a paywall.
extension GateState {
    mutating func requestPaywall(
        _ request: PaywallRequest, presentsItself: Bool, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard let name = request.entitlement ?? configuration.subscription else { throw .noSubscription }
        guard configuration.entitlements[name] != nil else { throw .noEntitlement(name) }
        if isEntitled(name) { return .entitled(.activeAlready) }
        let paywall = paywall(for: name, through: request.provider)
        let style = request.style ?? configuration.paywall.style
        guard canShow(.paywall(paywall), style, for: context.peer, presentsItself: presentsItself) else {
            throw .nobodyShowsPaywall
        }
        return try open(
            .pay(paywall, style), presentsItself: presentsItself, asking: FirstQuestion(step: .paywall(paywall)),
            &context, &draft
        ).1
    }

    /// The paywall for an entitlement, with the offers of `provider`; `nil`: the configured one.
    func paywall(for entitlement: String, through provider: ClaimProvider? = nil) -> Paywall {
        let provider = provider ?? configuration.paywall.provider
        let products = configuration.items.filter { $0.key.provider == provider && $0.value == entitlement }
        let definition = configuration.entitlements[entitlement]
        return Paywall(
            entitlement: entitlement, title: definition?.titles ?? LocalizedText(entitlement),
            provider: provider, products: products.map(\.key.name).sorted(),
            offers: offers.offers(of: provider, for: entitlement), features: definition?.features ?? [])
    }

    /// Decides an open paywall anew: it is paid for, its entitlement is gone, no presenter can show it, or it changed.
    mutating func redecidePaywall(
        _ request: OpenRequest, _ paywall: Paywall, _ open: QueuedPresentation, by peer: Peer?, at moment: BootTime,
        _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        if isEntitled(paywall.entitlement) {
            // A requester that shows the paywall itself but does not wait yet learns of the payment when it waits.
            if request.presentsItself, request.wait == nil { return }
            _ = fulfilPaywall(request, open, at: moment, &draft)
        } else if configuration.entitlements[paywall.entitlement] == nil {
            end(request.id, .impossible(.noEntitlement(paywall.entitlement)), by: nil, at: moment, &draft)
        } else if !canShow(open, of: request) {
            guard !handToRequester(request, open, by: peer, at: moment, &context, &draft) else { return }
            end(request.id, .impossible(.nobodyShowsPaywall), by: nil, at: moment, &draft)
        } else if let step = newer(than: open, of: paywall) {
            // A requester that shows the paywall itself but does not wait yet gets the new one when it waits.
            if request.presentsItself, request.wait == nil { return }
            journalClosing(of: open, &draft)
            let reply = askNext(step, ordinal: open.ordinal, of: request, at: moment, &context, &draft)
            if request.presentsItself {
                draft.settle(request.wait, reply)
                requests.callAnswered(request.id)
            }
        }
    }

    /// The paywall with its present offers, title and products; `nil` if it equals the open one.
    func newer(than open: QueuedPresentation, of paywall: Paywall) -> Step? {
        let step = Step.paywall(self.paywall(for: paywall.entitlement, through: paywall.provider))
        return step == open.step ? nil : step
    }

    mutating func fulfilPaywall(
        _ request: OpenRequest, _ open: QueuedPresentation, at moment: BootTime, _ draft: inout TransitionDraft
    ) -> Reply {
        draft.journal(.paid, by: request.requester, open.name)
        _ = close(request.id, at: moment, answerHears: .cookie(.closed), &draft)
        draft.settle(request.wait, .entitled(.paid))
        return .entitled(.paid)
    }

    func journalClosing(of open: QueuedPresentation, _ draft: inout TransitionDraft) {
        switch open.step {
        case .challenge, .signIn, .form, .whatsNew:
            draft.journal(.withdrawn, by: nil, of: requests[open.request]?.requester, open.name)
        case .paywall(let paywall):
            draft.journal(
                isEntitled(paywall.entitlement) ? .paid : .withdrawn, by: nil, of: requests[open.request]?.requester,
                open.name)
        }
    }
}
