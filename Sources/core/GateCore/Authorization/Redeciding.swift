import GateModel

/// The decision about a request for a gated action.
enum AuthorizationDecision: Hashable {
    case granted
    /// This step of the requirement has to be shown.
    case present(Step, ordinal: Int)
    case refused(GateError)
}

/// The circumstances that a decision depends on. Where one changes, whatever is open is decided anew.
struct DecisiveCircumstances: Hashable {
    let isParentMode: Bool
    let account: GateAccount?
    let entitlements: Set<String>
    let responses: [UInt64: ResponseRecord]
    let whatsNewSeen: [WhatsNewKey: Set<AppVersion>]
    let configuration: Shared<Configuration>
    let secrets: [SecretKind]
    let keptGrants: KeptGrants
    let lockouts: [Lockout.Key: Lockout]
    let presenters: [UInt64: PresentationQueue.Presenter]
    let offers: OfferBook
    let canAskGuardians: Bool
    let hasGuardiansElsewhere: Bool
}

extension GateState {
    /// `nil`: nothing is open that could be decided anew.
    var circumstances: DecisiveCircumstances? {
        // The cover is nobody's request, and the state alone decides about it.
        guard requests.open.contains(where: { !$0.isCover }) else { return nil }
        return DecisiveCircumstances(
            isParentMode: machine.isParent, account: signedInAccount, entitlements: activeEntitlements,
            responses: records.responses, whatsNewSeen: records.whatsNewSeen, configuration: sharedConfiguration,
            secrets: secretKinds, keptGrants: records.keptGrants, lockouts: records.lockouts,
            presenters: queue.presenters, offers: offers, canAskGuardians: canAskGuardians,
            hasGuardiansElsewhere: hasGuardiansElsewhere)
    }

    /// Whether there is somebody to show this: the requester itself, a presenter, or a guardian's device.
    func canShow(_ step: Step, _ style: Presentation.Style, presentsItself: Bool) -> Bool {
        presentsItself
            ? step.isForRequesters : queue.canShow(step, style) || step.isForGuardians && canAskGuardians
    }

    // MARK: - Deciding

    /// Decides about a request: granted, asked, or refused and why.
    ///
    /// - Parameters:
    ///   - answered: the ordinals of the challenges that were answered for it.
    ///   - open: what is open of it.
    ///   - canShow: whether there is somebody to show a step, with its ordinal.
    func decision(
        on request: AuthorizationRequest, of requester: Peer, answered: Set<Int>, open: QueuedPresentation?,
        at now: BootTime, canShow: (Step, Int) -> Bool
    ) -> AuthorizationDecision {
        guard quarantinedFile == nil else { return .refused(.storeDamaged) }
        guard let gatedAction = configuration.gatedActions[request.gatedAction] else { return .refused(.denied) }
        let kept = records.keptGrants[KeptGrant.Key(uid: requester.uid, gatedAction: request.gatedAction)]
        let isKept = kept.map { now < $0.deadline } ?? false

        // A question that somebody has on a screen stays, and stays the one that it is: nobody is rid of it, or has it taken
        // away, by who signs in or out.
        let asked = open.flatMap { $0.wasAsked ? (ordinal: $0.ordinal, age: $0.age) : nil }
        let rules = RequirementRules(
            isParentMode: machine.isParent, isSignedIn: signInMachine.account != nil, isKept: isKept,
            answered: answered, open: open?.ordinal, asked: asked?.ordinal)
        let finding = rules.finding(
            on: gatedAction.requirement,
            specify: { rule, ordinal in
                let isAsked = asked?.ordinal == ordinal
                return setUpRules.forGatedAction(
                    rule.specification(forAge: isAsked ? asked?.age : age(at: now)),
                    reachesOthers: GatedAction.effectsElsewhere[request.gatedAction] != nil)
            },
            paywall: { isEntitled($0) ? nil : paywall(for: $0) },
            form: { name in
                let holder = holder(of: requester)
                return isCompleted(name, by: holder) ? nil : invitation(to: name, for: holder)
            }, canShow: canShow)
        switch finding {
        case .met:
            return .granted
        case .present(let step, let ordinal):
            guard case .challenge(let specification) = step else { return .present(step, ordinal: ordinal) }
            let key = Lockout.Key(of: requester.owner, before: request, kind: specification.kind)
            return lockoutRefusal(at: key, at: now).map { .refused($0) } ?? .present(step, ordinal: ordinal)
        case .parentModeMissing:
            return .refused(.parentModeMissing)
        case .nobodyShows(let step):
            return .refused(.nobodyShows(step))
        }
    }

    /// The same for a request that is open.
    func decision(on request: OpenRequest, open: QueuedPresentation?, at now: BootTime) -> AuthorizationDecision {
        guard let authorization = request.authorization else {
            preconditionFailure("the mode is not a gated action")
        }
        let style = configuration.gatedActions[authorization.gatedAction]?.style ?? .sheet
        return decision(
            on: authorization, of: request.requester, answered: Set(request.answered.keys), open: open, at: now
        ) { step, ordinal in
            // What is open stays in the style in which it was opened; whatever would take its place has that of now.
            let isOpen = open?.step == step && open?.ordinal == ordinal
            return canShow(step, isOpen ? open?.style ?? style : style, presentsItself: request.presentsItself)
                || stands(open, against: step)
        }
    }

    /// An answer that was given stands, even if the presenter has gone that it came from; and so does what guardians were asked, as long as
    /// there are any.
    private func stands(_ open: QueuedPresentation?, against step: Step) -> Bool {
        guard let open, open.step == step else { return false }
        return open.check != nil || open.isAskedElsewhere && hasGuardiansElsewhere
    }

    // MARK: - Deciding anew

    /// Where the mode, the policy, a secret, a lock, a kept grant or a presenter has changed: decides anew about
    /// everything that is open, in order. What stays possible stays as it is.
    ///
    /// - Parameter peer: who has changed it; `nil`: Gate itself.
    mutating func redecide(
        since before: DecisiveCircumstances?, by peer: Peer?, at moment: BootTime, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) {
        guard let before, circumstances != before else { return }
        redecide(by: peer, at: moment, &context, &draft)
    }

    mutating func redecide(
        by peer: Peer?, at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        var before: DecisiveCircumstances?
        // What a round changes again is a grant that is kept, or a counter that is forgiven: each with a request that
        // is over, so there are only so many.
        repeat {
            before = circumstances
            for request in requests.open {
                redecide(request.id, by: peer, at: moment, &context, &draft)
            }
        } while circumstances != before
    }

    private mutating func redecide(
        _ id: RequestID, by peer: Peer?, at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        guard let request = requests[id], let open = queue.presentation(of: id) else { return }
        switch request.kind {
        case .enterParentMode, .extendParentMode:
            redecideMode(request, open, by: peer, at: moment, &context, &draft)
        case .authorize(let authorization):
            redecide(authorization, id, open, by: peer, at: moment, &context, &draft)
        case .pay(let paywall, _):
            redecidePaywall(request, paywall, open, by: peer, at: moment, &context, &draft)
        case .fillForm(let invitation, let first):
            redecideForm(request, invitation, since: first, open, by: peer, at: moment, &draft)
        case .whatsNew(let notice, let key):
            redecideWhatsNew(request, notice, key, open, by: peer, at: moment, &context, &draft)
        case .answer:
            if !queue.canShow(open.step, open.style) {
                end(id, .impossible(.nobodyShows(open.step)), by: peer, at: moment, &draft)
            }
        case .signIn:
            // The state alone raises and withdraws it: see `Cover.swift`.
            break
        }
    }

    /// Requests about the mode keep their challenge, as long as its user is not locked out and somebody can show it.
    private mutating func redecideMode(
        _ request: OpenRequest, _ open: QueuedPresentation, by peer: Peer?, at moment: BootTime,
        _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        if let key = lockoutKey(of: open, of: request), let refusal = lockoutRefusal(at: key, at: moment) {
            end(request.id, .impossible(refusal), by: peer, at: moment, &draft)
        } else if !canShow(open.step, open.style, presentsItself: request.presentsItself),
            !stands(open, against: open.step),
            !handToRequester(request, open, by: peer, at: moment, &context, &draft)
        {
            end(request.id, .impossible(.nobodyShows(open.step)), by: peer, at: moment, &draft)
        }
    }

    private mutating func redecide(
        _ authorization: AuthorizationRequest, _ id: RequestID, _ open: QueuedPresentation, by peer: Peer?,
        at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        if let requirement = configuration.gatedActions[authorization.gatedAction]?.requirement,
            requirement != requests[id]?.requirement
        {
            requests.requirementChanged(to: requirement, of: id)
        }
        guard let request = requests[id] else { return }
        let decision = decision(on: request, open: open, at: moment)
        switch decision {
        case .refused where request.presentsItself && request.wait == nil && open.step.isClosedByState:
            // It hears why as soon as it waits.
            break
        case .refused(let error) where error.reason == .noPresenter && open.check != nil:
            // The answer that is being checked decides first.
            break
        case .refused(let error):
            if error.reason == .noPresenter, handToRequester(request, open, by: peer, at: moment, &context, &draft) {
                break
            }
            end(id, .impossible(error), by: peer, at: moment, &draft)
        case .present(open.step, ordinal: open.ordinal):
            break
        case .granted, .present:
            goOn(from: open, of: request, authorization, to: decision, by: peer, at: moment, &context, &draft)
        }
    }

    /// The open presentation leads nowhere any more: the state has brought what it asks for, or asks for something else
    /// now.
    private mutating func goOn(
        from open: QueuedPresentation, of request: OpenRequest, _ authorization: AuthorizationRequest,
        to decision: AuthorizationDecision, by peer: Peer?, at moment: BootTime, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) {
        if request.presentsItself, request.wait == nil {
            // Anyone who is to wait for the state finds what has become of it when it does; anyone who is to answer a
            // question finds it closed, and asks again: for nothing, where it is granted then.
            if !open.step.isClosedByState {
                end(
                    request.id, .impossible(.modeChanged), by: decision == .granted ? nil : peer, at: moment, &draft)
            }
            return
        }
        journalClosing(of: open, &draft)
        guard case .present(let step, let ordinal) = decision else {
            chargeClosing(of: open, of: request, by: peer, at: moment, &draft)
            fulfil(request, authorization, at: moment, &context, &draft)
            return
        }
        draft.settle(open.check?.wait, .refused(.cookie(.closed)))
        _ = charge(.impossible(.modeChanged), open, of: request, by: peer, at: moment, &draft)
        let reply = askNext(step, ordinal: ordinal, of: request, at: moment, &context, &draft)
        if request.presentsItself {
            draft.settle(request.wait, reply)
            requests.callAnswered(request.id)
        }
    }
}
