import GateModel

/// Paywalls: asking for an entitlement, and what closes the paywall.
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
        guard canShow(.paywall(paywall), style, presentsItself: presentsItself) else { throw .nobodyShowsPaywall }
        return try open(
            .pay(paywall, style), presentsItself: presentsItself, asking: FirstQuestion(step: .paywall(paywall)),
            &context, &draft
        ).1
    }

    /// The paywall for somebody who is to pay for this.
    func paywall(for entitlement: String, through provider: ClaimProvider? = nil) -> Paywall {
        let provider = provider ?? configuration.paywall.provider
        let products = configuration.items.filter { $0.key.provider == provider && $0.value == entitlement }
        let definition = configuration.entitlements[entitlement]
        return Paywall(
            entitlement: entitlement, title: definition?.titles ?? LocalizedText(entitlement),
            provider: provider, products: products.map(\.key.name).sorted(),
            offers: offers.offers(of: provider, for: entitlement), features: definition?.features ?? [])
    }

    /// The payment has come, or can't come any more: it was paid for, or nobody is left to show it.
    mutating func redecidePaywall(
        _ request: OpenRequest, _ paywall: Paywall, _ open: QueuedPresentation, by peer: Peer?, at moment: BootTime,
        _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        if isEntitled(paywall.entitlement) {
            // Anyone who shows it itself and does not wait yet finds it paid for when it does.
            if request.presentsItself, request.wait == nil { return }
            _ = fulfilPaywall(request, open, at: moment, &draft)
        } else if configuration.entitlements[paywall.entitlement] == nil {
            end(request.id, .impossible(.noEntitlement(paywall.entitlement)), by: nil, at: moment, &draft)
        } else if !canShow(open.step, open.style, presentsItself: request.presentsItself) {
            guard !handToRequester(request, open, by: peer, at: moment, &context, &draft) else { return }
            end(request.id, .impossible(.nobodyShowsPaywall), by: nil, at: moment, &draft)
        } else if let step = newer(than: open, of: paywall) {
            // Anyone who shows it itself and does not wait yet finds the newer one when it does.
            if request.presentsItself, request.wait == nil { return }
            journalClosing(of: open, &draft)
            let reply = askNext(step, ordinal: open.ordinal, of: request, at: moment, &context, &draft)
            if request.presentsItself {
                draft.settle(request.wait, reply)
                requests.callAnswered(request.id)
            }
        }
    }

    /// The paywall as it would be shown now, where that is not the one that is open: another offer, title or product
    /// (S-08). `nil`: it is.
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

    /// Records that a presentation goes because the state has changed.
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
