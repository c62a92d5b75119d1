import GateModel

/// What is decided about a request that wants a gated action.
enum AuthorizationDecision: Hashable {
    case granted
    /// This challenge of the requirement has to be answered.
    case present(ChallengeSpecification, ordinal: Int)
    case refused(GateError)
}

/// What a decision hangs on. Where it changes, whatever is open is decided anew.
struct DecisiveCircumstances: Hashable {
    let isParentMode: Bool
    let configuration: Configuration
    let secrets: [SecretKind]
    let keptGrants: [KeptGrant.Key: KeptGrant]
    let lockouts: [Lockout.Key: Lockout]
    let presenters: [UInt64: PresenterAbilities]
}

extension GateState {
    /// `nil`: nothing is open that could be decided anew.
    var circumstances: DecisiveCircumstances? {
        guard !requests.open.isEmpty else { return nil }
        return DecisiveCircumstances(
            isParentMode: machine.isParent, configuration: configuration, secrets: secretKinds,
            keptGrants: records.keptGrants, lockouts: records.lockouts, presenters: queue.presenterAbilities)
    }

    /// Whether there is somebody to show this: the requester itself, or a presenter.
    func canShow(
        _ specification: ChallengeSpecification, _ style: Presentation.Style, presentsItself: Bool
    ) -> Bool {
        presentsItself ? specification.isForRequesters : queue.canShow(specification, style)
    }

    // MARK: - Deciding

    /// What is to become of a request: granted, asked, or refused and why.
    ///
    /// - Parameters:
    ///   - answered: the ordinals of the challenges that were answered for it.
    ///   - open: the ordinal of the challenge that is open.
    ///   - canShow: whether there is somebody to show a challenge, with its ordinal.
    func decision(
        on request: AuthorizationRequest, of requester: Peer, answered: Set<Int>, open: Int?, at now: BootTime,
        canShow: (ChallengeSpecification, Int) -> Bool
    ) -> AuthorizationDecision {
        guard setAside == nil else { return .refused(.storeDamaged) }
        guard let gatedAction = configuration.gatedActions[request.gatedAction] else { return .refused(.denied) }
        let kept = records.keptGrants[KeptGrant.Key(uid: requester.uid, gatedAction: request.gatedAction)]
        if let kept, now < kept.deadline { return .granted }

        let rules = RequirementRules(isParentMode: machine.isParent, answered: answered, open: open)
        let setUpRules = setUpRules
        let finding = rules.finding(
            on: gatedAction.requirement,
            // Age is unknown until somebody can sign in.
            specify: { setUpRules.forGatedAction($0.specification(forAge: nil)) },
            canShow: canShow)
        switch finding {
        case .met:
            return .granted
        case .present(let specification, let ordinal):
            let key = Lockout.Key(of: requester.uid, before: .authorize(request), kind: specification.kind)
            return lockoutRefusal(at: key, at: now).map { .refused($0) } ?? .present(specification, ordinal: ordinal)
        case .parentModeMissing:
            return .refused(.parentModeMissing)
        case .nobodyShows(let specification):
            return .refused(.nobodyShows(specification))
        }
    }

    /// The same for a request that is open.
    func decision(on request: OpenRequest, open: OpenPresentation?, at now: BootTime) -> AuthorizationDecision {
        guard let authorization = request.authorization else {
            preconditionFailure("the mode is not a gated action")
        }
        let style = configuration.gatedActions[authorization.gatedAction]?.style ?? .sheet
        return decision(
            on: authorization, of: request.requester, answered: Set(request.answered.keys), open: open?.ordinal, at: now
        ) { specification, ordinal in
            // What is open stays in the style in which it was opened; whatever would take its place has that of now.
            let isOpen = open?.specification == specification && open?.ordinal == ordinal
            return canShow(
                specification, isOpen ? open?.style ?? style : style, presentsItself: request.presentsItself)
                || stands(open, against: specification)
        }
    }

    /// An answer that was given stands, even if the presenter has gone that it came from.
    private func stands(_ open: OpenPresentation?, against specification: ChallengeSpecification) -> Bool {
        open.map { $0.check != nil && $0.specification == specification } ?? false
    }

    // MARK: - Deciding anew

    /// Where the mode, the policy, a secret, a lock, a kept grant or a presenter has changed: decides anew about
    /// everything that is open, in order. What stays possible stays as it is.
    mutating func redecide(
        since before: DecisiveCircumstances?, at moment: BootTime, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) {
        guard let before, circumstances != before else { return }
        redecide(at: moment, &context, &draft)
    }

    mutating func redecide(at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft) {
        var before: DecisiveCircumstances?
        // What a round changes again is a grant that is kept, or a counter that is forgiven: each with a request that
        // is over, so there are only so many.
        repeat {
            before = circumstances
            for request in requests.open {
                redecide(request.id, at: moment, &context, &draft)
            }
        } while circumstances != before
    }

    private mutating func redecide(
        _ id: RequestID, at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        guard let request = requests[id], let open = queue.presentation(of: id) else { return }
        switch request.wish {
        case .enterParentMode, .extendParentMode:
            redecideMode(request, open, at: moment, &draft)
        case .authorize(let authorization):
            redecide(authorization, id, open, at: moment, &context, &draft)
        }
    }

    /// Requests about the mode keep their challenge, as long as its user is not locked out and somebody can show it.
    private mutating func redecideMode(
        _ request: OpenRequest, _ open: OpenPresentation, at moment: BootTime, _ draft: inout TransitionDraft
    ) {
        if let refusal = lockoutRefusal(at: lockoutKey(of: open, of: request), at: moment) {
            end(request.id, .impossible(refusal), by: nil, at: moment, &draft)
        } else if !canShow(open.specification, open.style, presentsItself: request.presentsItself),
            !stands(open, against: open.specification)
        {
            let error = GateError.nobodyShows(open.specification)
            end(
                request.id, open.wasPutAwayByRequester ? .lookedAt(error) : .impossible(error), by: nil, at: moment,
                &draft)
        }
    }

    private mutating func redecide(
        _ authorization: AuthorizationRequest, _ id: RequestID, _ open: OpenPresentation, at moment: BootTime,
        _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        if let requirement = configuration.gatedActions[authorization.gatedAction]?.requirement,
            requirement != requests[id]?.requirement
        {
            requests.requirementChanged(to: requirement, of: id)
        }
        guard let request = requests[id] else { return }
        switch decision(on: request, open: open, at: moment) {
        case .refused(let error):
            let isNobodyThere = error == .noPresenter || error == .noGrownUpPresenter
            let wasLookedAt = isNobodyThere && open.wasPutAwayByRequester
            end(id, wasLookedAt ? .lookedAt(error) : .impossible(error), by: nil, at: moment, &draft)
        case .present(open.specification, ordinal: open.ordinal):
            break
        case .granted where request.presentsItself, .present where request.presentsItself:
            // It finds the question closed, and asks again.
            end(id, .impossible(.modeChanged), by: nil, at: moment, &draft)
        case .granted:
            draft.journal(.withdrawn, by: nil, open.name)
            fulfil(request, authorization, at: moment, &context, &draft)
        case .present(let specification, let ordinal):
            draft.journal(.withdrawn, by: nil, open.name)
            draft.settle(open.check?.wait, .refused(.cookie(.closed)))
            if open.wasPutAwayByRequester {
                _ = count(
                    .unanswered, against: request.requester, at: lockoutKey(of: open, of: request), at: moment, &draft)
            }
            _ = askNext(specification, ordinal: ordinal, of: request, at: moment, &context, &draft)
        }
    }
}
