import GateModel

enum AuthorizationDecision: Hashable {
    case granted
    case present(Step, ordinal: Int)
    case refused(GateError)
}

/// Which yes of a grown-up's to an ask a decision counts.
enum CountedYes: Hashable {
    case any
    /// Only a yes that can be used any number of times, because the decision redeems no grant.
    case lasting
    case none
}

/// The circumstances that a decision depends on. If one of them changes, all open requests are decided anew.
struct DecisiveCircumstances: Hashable {
    let isParentMode: Bool
    let signedIn: GatePerson?
    let people: [String: PersonRecord]
    let recognizedUsers: Set<UInt32>
    let entitlements: Set<String>
    let responses: [UInt64: ResponseRecord]
    let whatsNewSeen: [WhatsNewKey: Set<AppVersion>]
    let configuration: Shared<Configuration>
    let secrets: [SecretKind]
    let keptGrants: KeptGrants
    let lockouts: [Lockout.Key: Lockout]
    let openSchedules: Set<String>
    /// Today's number for each allowance, and the meters that have no time left.
    let allowanceDays: [String: Int64]
    let spentMeters: Set<UsageMeter>
    let presenters: [UInt64: PresentationQueue.Presenter]
    let offers: OfferBook
    let canAskGuardians: Bool
    let hasGuardiansElsewhere: Bool
}

extension GateState {
    /// `nil` if nothing is open that could be decided anew.
    var circumstances: DecisiveCircumstances? {
        // The cover does not count: Gate itself raises and withdraws it.
        guard requests.open.contains(where: { !$0.isCover }) else { return nil }
        return DecisiveCircumstances(
            isParentMode: machine.isParent, signedIn: signedInPerson, people: records.people,
            recognizedUsers: recognizedUsers, entitlements: activeEntitlements,
            responses: records.responses, whatsNewSeen: records.whatsNewSeen, configuration: sharedConfiguration,
            secrets: secretKinds, keptGrants: records.keptGrants, lockouts: records.lockouts,
            openSchedules: schedules.open, allowanceDays: allowances.numbers, spentMeters: uses.spent,
            presenters: queue.presenters, offers: offers,
            canAskGuardians: canAskGuardians,
            hasGuardiansElsewhere: hasGuardiansElsewhere)
    }

    // MARK: - Deciding

    /// `answered` has the ordinals of the challenges that were answered; `canShow` takes a step and its ordinal.
    func decision(
        on request: AuthorizationRequest, of requester: Peer, answered: Set<Int>, open: QueuedPresentation?,
        counting counted: CountedYes = .any, at now: BootTime, canShow: (Step, Int) -> Bool
    ) -> AuthorizationDecision {
        guard quarantinedFile == nil else { return .refused(.storeDamaged) }
        guard let requirement = configuration.gatedActions.requirement(of: request.gatedAction) else {
            return .refused(.denied)
        }
        // Without a secret a program of the grown-up's could answer in their place.
        guard request.gatedAction != GatedAction.change || !secretKinds.isEmpty else {
            return .refused(.noPasscodeBeforeChange)
        }
        let owner = requester.owner
        let kept = records.keptGrants[KeptGrant.Key(uid: requester.uid, gatedAction: request.gatedAction)]
        let isKept = kept.map { now < $0.deadline } ?? false

        // A question that has been on a screen stays as it is, with the age for which it was chosen. So nobody can get
        // another question, or get rid of this one, by signing in or out.
        let asked = open.flatMap { $0.wasAsked ? (ordinal: $0.ordinal, age: $0.age) : nil }
        let rules = RequirementRules(
            isParentMode: machine.isParent, isSignedIn: signInMachine.isSignedIn, isKept: isKept,
            isAllowed: isAllowed(request, of: requester, counting: counted, at: now), answered: answered,
            open: open?.ordinal, asked: asked?.ordinal)
        let finding = rules.finding(
            on: requirement,
            specify: { rule, ordinal in
                let isAsked = asked?.ordinal == ordinal
                return setUpRules.forGatedAction(
                    rule.specification(forAge: isAsked ? asked?.age : age(of: owner, at: now)),
                    reachesOthers: GatedAction.reachesOthers(request.gatedAction))
            },
            paywall: { isEntitled($0) ? nil : paywall(for: $0) },
            form: { name in
                let holder = holder(of: requester)
                return isCompleted(name, by: holder) ? nil : invitation(to: name, for: holder)
            },
            opening: { schedule in
                opening(of: schedule, at: now).flatMap { isLifted(for: requester, request, at: now) ? nil : $0 }
            },
            more: { allowance in
                opening(of: allowance, for: requester, at: now).flatMap {
                    isLifted(for: requester, request, at: now) ? nil : $0
                }
            }, canShow: canShow)
        switch finding {
        case .met:
            return .granted
        case .present(let step, let ordinal):
            guard case .challenge(let specification) = step else { return .present(step, ordinal: ordinal) }
            let key = Lockout.Key(of: owner, before: request, kind: specification.kind)
            return lockoutRefusal(at: key, at: now).map { .refused($0) } ?? .present(step, ordinal: ordinal)
        case .parentModeMissing:
            return .refused(.parentModeMissing)
        case .nobodyShows(let step):
            return .refused(.nobodyShows(step))
        case .closed(let opening):
            return .refused(closed(until: opening, before: request.gatedAction, for: requester, at: now))
        }
    }

    func decision(on request: OpenRequest, open: QueuedPresentation?, at now: BootTime) -> AuthorizationDecision {
        guard let authorization = request.authorization else {
            preconditionFailure("the mode is not a gated action")
        }
        let style = configuration.gatedActions.named(authorization.gatedAction)?.style ?? .sheet
        return decision(
            on: authorization, of: request.requester, answered: Set(request.answered.keys), open: open, at: now
        ) { step, ordinal in
            // An open presentation keeps the style in which it was opened; a step that would replace it has the style
            // of the current policy.
            let isOpen = open?.step == step && open?.ordinal == ordinal
            return canShow(
                step, isOpen ? open?.style ?? style : style, for: request.requester,
                presentsItself: request.presentsItself) || stands(open, against: step)
                || !isOpen && authorization.mayWait && step.mayWait != nil
        }
    }

    /// Whether this step stays possible although nobody can show it now: its answer is being checked, even if the
    /// presenter has gone, or guardians elsewhere were asked and there still are some.
    private func stands(_ open: QueuedPresentation?, against step: Step) -> Bool {
        guard let open, open.step == step else { return false }
        return open.check != nil || open.isAskedElsewhere && hasGuardiansElsewhere
    }

    // MARK: - Deciding anew

    /// Decides anew about everything that is open, in order, if the circumstances have changed since `before`. A
    /// presentation that is still possible stays. `peer` caused the change; `nil`: Gate itself.
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
        // A further round is needed if this one changed a kept grant or a counter. Each such change comes with a
        // request that ends or a question that is replaced, so the rounds end.
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
            if !queue.canShow(open.step, open.style, for: nil) {
                end(id, .impossible(.nobodyShows(open.step)), by: peer, at: moment, &draft)
            }
        case .signIn:
            // Gate itself raises and withdraws the cover: see `Cover.swift`.
            break
        }
    }

    /// A request about the mode keeps its challenge as long as it can be shown and its user is not locked out.
    private mutating func redecideMode(
        _ request: OpenRequest, _ open: QueuedPresentation, by peer: Peer?, at moment: BootTime,
        _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        if let key = lockoutKey(of: open, of: request), let refusal = lockoutRefusal(at: key, at: moment) {
            end(request.id, .impossible(refusal), by: peer, at: moment, &draft)
        } else if !canShow(open, of: request),
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
        if let requirement = configuration.gatedActions.requirement(of: authorization.gatedAction),
            requirement != requests[id]?.requirement
        {
            requests.requirementChanged(to: requirement, of: id)
        }
        guard let request = requests[id] else { return }
        let decision = decision(on: request, open: open, at: moment)
        switch decision {
        case .refused where request.presentsItself && request.wait == nil && open.step.isClosedByState:
            // The requester hears why as soon as it waits.
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

    /// Replaces or closes an open presentation whose step is done, or is not what the policy needs any more.
    private mutating func goOn(
        from open: QueuedPresentation, of request: OpenRequest, _ authorization: AuthorizationRequest,
        to decision: AuthorizationDecision, by peer: Peer?, at moment: BootTime, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) {
        if request.presentsItself, request.wait == nil {
            // A step that the state closes stays open: the requester learns the decision when it waits. A question is
            // closed, so that the requester has to ask again. This costs nothing if the request would be granted now.
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
        if request.presentsItself, requests[request.id] != nil {
            draft.settle(request.wait, reply)
            requests.callAnswered(request.id)
        }
    }
}
