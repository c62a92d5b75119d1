import GateModel

// The life of a request of any kind: opened, answered, ended. `ModeCommands.swift` and `AuthorizationCommands.swift`
// say what the mode and gated actions ask, and what a right answer leads to.

extension GateState {
    struct FirstQuestion {
        let step: Step
        var ordinal = 0
        var requirement: Requirement?
        /// The latest deadline that its presentation may have; `nil`: no limit.
        var latestDeadline: BootTime?
    }

    /// Asks with presenters or on the requester's own screen, as the requester wants. `.elsewhereIfPossible` tries
    /// presenters first: if none can show the step, `ask` throws before any change, so it can be called again.
    mutating func ask(
        _ presenting: Presenting, _ context: inout Context, _ draft: inout TransitionDraft,
        _ ask: (
            inout GateState, _ presentsItself: Bool, inout Context, inout TransitionDraft
        ) throws(GateError) -> Reply
    ) throws(GateError) -> Reply {
        guard presenting == .elsewhereIfPossible else { return try ask(&self, presenting == .here, &context, &draft) }
        do throws(GateError) {
            let reply = try ask(&self, false, &context, &draft)
            if case .waiting(let wait) = reply { requests.mayPresentItself(wait) }
            return reply
        } catch {
            guard error.reason == .noPresenter else { throw error }
            return try ask(&self, true, &context, &draft)
        }
    }

    /// Whether somebody can be shown this step: by the requester itself, by a presenter, or on a guardian's device.
    func canShow(_ step: Step, _ style: Presentation.Style, for requester: Peer, presentsItself: Bool) -> Bool {
        presentsItself
            ? step.isForRequesters
            : queue.canShow(step, style, for: requester.owner) || step.isForGuardians && canAskGuardians
    }

    func canShow(_ open: QueuedPresentation, of request: OpenRequest) -> Bool {
        canShow(open.step, open.style, for: request.requester, presentsItself: request.presentsItself)
    }

    /// Sends the requester its open presentation to show itself, as the reply to the waiting call, because the
    /// presenters that could show it are gone or none claims it. If the question has been on a screen, that is charged,
    /// as whenever a question is withdrawn. Returns whether the waiting call was answered: with the presentation, or
    /// with a refusal if the charge locked its user out. If not, nothing was changed.
    mutating func handToRequester(
        _ request: OpenRequest, _ open: QueuedPresentation, as ending: RequestEnding = .impossible(.modeChanged),
        by peer: Peer?, at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) -> Bool {
        guard let wait = request.wait, canHandToRequester(request, open) else { return false }
        journalClosing(of: open, &draft)
        _ = charge(ending, open, of: request, by: peer, at: moment, &draft)
        // If the charge locked the user out, the question is not shown again.
        if open.step.isQuestion, let key = lockoutKey(of: open, of: request),
            let refusal = lockoutRefusal(at: key, at: moment)
        {
            _ = close(request.id, at: moment, answerHears: .cookie(.closed), &draft)
            machine.requestFailed(request.id)
            draft.settle(wait, .refused(refusal))
            return true
        }
        requests.callAnswered(request.id)
        guard let request = requests[request.id] else { return false }
        let reply = askNext(open.step, ordinal: open.ordinal, of: request, at: moment, &context, &draft)
        draft.settle(wait, reply)
        return true
    }

    private func canHandToRequester(_ request: OpenRequest, _ open: QueuedPresentation) -> Bool {
        guard request.mayPresentItself, request.wait != nil, open.check == nil, open.step.isForRequesters,
            !requests.showsOwn(request.requester), !open.step.isForGrownUpPresenters || open.step.isSecret
        else { return false }
        guard case .challenge(let specification) = open.step, let kind = specification.kind.secret else {
            return true
        }
        return guessRefusal(at: kind, askedBy: request.requester.owner, for: request.requester) == nil
    }

    /// When a presentation that this requester may show itself has been on offer long enough without being claimed;
    /// `nil` if it does not wait for that. A secret waits for a grown-up's presenter as long as there is one. Otherwise
    /// a program could keep that presenter busy, so that the secret is typed elsewhere.
    private func patienceEnd(of request: OpenRequest) -> BootTime? {
        guard request.mayPresentItself, let open = queue.presentation(of: request.id),
            !open.step.isForGrownUpPresenters, canHandToRequester(request, open)
        else { return nil }
        return queue.patienceEnd(of: open.id)
    }

    var nextHandingOver: BootTime? {
        requests.open.reduce(nil) { $0.earlier(patienceEnd(of: $1)) }
    }

    /// Hands one requester a presentation that no presenter has claimed. Returns whether it did.
    mutating func handOver(
        at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) -> Bool {
        guard let request = requests.open.first(where: { patienceEnd(of: $0).map { $0 <= moment } ?? false }),
            let open = queue.presentation(of: request.id)
        else { return false }
        return handToRequester(request, open, as: .expired, by: nil, at: moment, &context, &draft)
    }

    /// Opens a request with its first presentation. Of the random numbers, the question takes its own first; then come
    /// those of the cookie, if the requester shows the presentation itself.
    mutating func open(
        _ kind: RequestKind, presentsItself: Bool, asking first: FirstQuestion, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> (RequestID, Reply) {
        if let refusal = requests.refusal(for: context.peer, kind, presentsItself: presentsItself) { throw refusal }
        if !presentsItself, let refusal = requests.refusalOfQueue(for: context.peer) { throw refusal }
        if let key = Lockout.Key(
            of: context.peer.owner, before: nil, showing: first.step, presentsItself: presentsItself),
            !first.step.isQuestion,
            !queue.canShow(first.step, style(of: kind), onScreenOf: context.peer.owner),
            let refusal = lockoutRefusal(at: key, at: context.now)
        {
            throw refusal
        }
        let request = requests.opened(
            kind, by: context.peer, presentsItself: presentsItself, requirement: first.requirement)
        let open = newPresentation(
            of: request, asking: first.step, ordinal: first.ordinal, before: first.latestDeadline,
            at: context.now, &context, &draft)
        switch request.route {
        case .presentsItself:
            return (request.id, showToRequester(open, of: request, at: context.now, &context))
        case .presenters(let wait):
            queue.opened(open, at: context.now)
            return (request.id, wait.map { .waiting($0) } ?? .done)
        }
    }

    mutating func askNext(
        _ step: Step, ordinal: Int, of request: OpenRequest, at moment: BootTime, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) -> Reply {
        if let authorization = request.authorization,
            let refusal = waits(
                for: step, authorization, of: request.requester, presentsItself: request.presentsItself, at: moment,
                using: &context.random, &draft)
        {
            _ = close(request.id, at: moment, answerHears: .cookie(.closed), &draft)
            draft.settle(request.wait, .refused(refusal))
            return .refused(refusal)
        }
        let open = newPresentation(
            of: request, asking: step, ordinal: ordinal, before: nil, at: moment, &context, &draft)
        switch request.route {
        case .presentsItself:
            _ = queue.closed(request.id, at: moment)
            return showToRequester(open, of: request, at: moment, &context)
        case .presenters:
            queue.replaced(with: open, at: moment)
            return .done
        }
    }

    mutating func newPresentation(
        of request: OpenRequest, asking step: Step, ordinal: Int, before latestDeadline: BootTime?,
        at moment: BootTime, _ context: inout Context, _ draft: inout TransitionDraft
    ) -> QueuedPresentation {
        let id = records.nextPresentation
        let isAskedElsewhere = step.isForGuardians && canAskGuardians && request.askedElsewhere == nil
        var open = QueuedPresentation(
            id: id, of: request, asking: step, ordinal: ordinal,
            content: .make(step, questions: configuration.questions, using: &context.random),
            age: age(of: request.requester.owner, at: moment),
            style: style(of: request.kind), title: title(of: request),
            showTime: showTime(of: step, for: request, isAskedElsewhere: isAskedElsewhere, at: moment),
            before: latestDeadline,
            until: moment.advanced(by: Limits.waitingTime))
        if isAskedElsewhere { open.askedElsewhere() }
        record(.nextPresentationSet(id + 1), &draft)
        draft.journal(step.openedKind, by: request.requester, open.name)
        return open
    }

    private func showTime(
        of step: Step, for request: OpenRequest, isAskedElsewhere: Bool, at moment: BootTime
    ) -> Duration {
        if request.isCover { return Limits.coverTime }
        // The question expires on the other device; ours stays open at most as long.
        if request.askedElsewhere != nil { return HouseholdRequest.longestLife }
        let usual = step.showTime(configuration)
        guard isAskedElsewhere else { return usual }
        // A guardian's screen shows one question at a time. After the earlier ones, this one has its usual time.
        let before = queue.endOfAskedElsewhere(besides: request.id).map { moment.duration(to: $0) + usual } ?? .zero
        return min(max(usual, Limits.guardiansTime, before), max(usual, HouseholdRequest.longestLife))
    }

    func style(of kind: RequestKind) -> Presentation.Style {
        switch kind {
        case .enterParentMode, .extendParentMode: configuration.modeStyle
        case .authorize(let authorization): configuration.gatedActions.named(authorization.gatedAction)?.style ?? .sheet
        case .signIn: .fullScreenCover
        case .pay(_, let style): style
        case .fillForm, .whatsNew, .answer: .sheet
        }
    }

    private func title(of request: OpenRequest) -> LocalizedText {
        request.authorization.flatMap { configuration.gatedActions.named($0.gatedAction) }?.titles ?? ""
    }

    private mutating func showToRequester(
        _ open: QueuedPresentation, of request: OpenRequest, at moment: BootTime, _ context: inout Context
    ) -> Reply {
        let cookie = PresentationCookie(presentation: open.id, using: &context.random)
        let presentation = queue.opened(open, by: request.requester, cookie: cookie, at: moment)
        return presentation.map { .presentation($0) } ?? .done
    }

    // MARK: - Answered right

    /// Returns the reply to the answer. Only a requester that shows the question itself learns the result from it.
    mutating func answeredRight(
        _ open: QueuedPresentation, by answerer: Peer, _ context: inout Context, _ draft: inout TransitionDraft
    ) -> Reply {
        guard let request = requests[open.request] else { return .refused(.cookie(.closed)) }
        draft.journal(.answeredRight, by: answerer, open.name)
        takingAnswered(open, of: request, by: answerer, at: context.now, &draft)
        if let key = lockoutKey(of: open, of: request) {
            requests.answered(open.ordinal, countedAt: key, of: request.id)
        }
        let reply: Reply
        switch request.kind {
        case .enterParentMode, .extendParentMode:
            reply = fulfilMode(request, answeredBy: answerer, context, &draft)
        case .authorize(let authorization):
            if open.step.mayWait != nil { askAllowed(authorization, of: request.requester, at: context.now, &draft) }
            reply = goOn(with: authorization, of: request.id, &context, &draft)
        case .answer(let asked):
            reply = approve(asked.id, in: request.id, by: answerer, at: context.now, &draft)
        case .signIn, .pay, .fillForm, .whatsNew:
            preconditionFailure("only a challenge has a right answer")
        }
        return request.presentsItself ? reply : .done
    }

    /// A call that waits for the outcome of an answer is refused with `refusal`. Returns `nil` if nothing is open.
    mutating func close(
        _ id: RequestID, at moment: BootTime, answerHears refusal: GateError, _ draft: inout TransitionDraft
    ) -> (request: OpenRequest, open: QueuedPresentation)? {
        guard let request = requests.closed(id),
            let open = queue.closed(id, at: moment)
        else { return nil }
        draft.settle(open.check?.wait, .refused(refusal))
        if case .fillForm(let invitation, _) = request.kind { forgetAppForm(invitation.name, &draft) }
        return (request, open)
    }

    // MARK: - Ended

    /// Ends the request without fulfilling it (`RequestEnding`), and refuses the requester's waiting call. A requester
    /// that shows its own presentation gets the refusal as its result. `peer` ended it; `nil`: Gate itself.
    @discardableResult
    mutating func end(
        _ id: RequestID, _ ending: RequestEnding, by peer: Peer?, at moment: BootTime, _ draft: inout TransitionDraft
    ) -> GateError? {
        guard let (request, open) = close(id, at: moment, answerHears: ending.refusalOfAnswer, &draft) else {
            return nil
        }
        machine.requestFailed(id)
        draft.journal(
            ending.journalKind, by: ending.isByState ? nil : peer, of: request.requester, open.name)
        let lock = charge(ending, open, of: request, by: peer, at: moment, &draft)
        if case .answer(let asked) = request.kind {
            heardRequestEnded(asked.id, ending, by: peer, at: moment, &draft)
        }
        let asked = open.step.mayWait.flatMap { _ in askOutlives(request, ending, at: moment, &draft) }
        let refusal =
            asked ?? ending.refusal(lockedOutFor: lock, isByOther: peer.map { !isOwn($0, request) } ?? false)
        if let refusal {
            draft.settle(request.wait, .refused(refusal))
        }
        return refusal
    }

    /// Charges the requester for this ending. Returns for how long that locked the requester's user out; `nil` if it
    /// did not lock.
    mutating func charge(
        _ ending: RequestEnding, _ open: QueuedPresentation, of request: OpenRequest, by peer: Peer?,
        at moment: BootTime, _ draft: inout TransitionDraft
    ) -> Duration? {
        chargeTaking(ending, open, of: request, by: peer, at: moment, &draft)
        guard let cost = cost(of: ending, open, of: request, by: peer), let key = lockoutKey(of: open, of: request)
        else { return nil }
        return count(cost, against: request.requester, at: key, at: moment, &draft)
    }

    func cost(
        of ending: RequestEnding, _ open: QueuedPresentation, of request: OpenRequest, by peer: Peer?
    ) -> LockoutRules.Failure? {
        let isOwnUser = peer.map { isOwn($0, request) } ?? false
        return ending.cost(
            wasClaimed: open.wasClaimed || open.tookScreen && isOwnUser, isOwnUser: isOwnUser,
            isLook: open.step.isQuestion && !(peer?.isAdministrator ?? true))
    }
}
