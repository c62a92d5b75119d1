package import GateModel

/// Commands of the peers that show presentations, and of administrators; and what the daemon reports about an answer.
package enum PresentationCommand: Hashable, Sendable {
    /// The acting peer shows presentations until it unregisters or disconnects. Replaces its earlier abilities.
    case register(PresenterAbilities)
    case unregister
    case claim(presentation: UInt64)
    case report(PresentationCookie, PresentationInput)
    case complete(PresentationCookie, ChallengeAnswer)
    /// The outcome of an `Effect.checkSecret`.
    case secretChecked(presentation: UInt64, SecretOutcome)
    case dismiss(PresentationCookie)
    /// A requester that shows the presentation itself waits for the state to close it.
    case awaitClosing(PresentationCookie)
    case withdraw(presentation: UInt64)

    var rules: CommandRules {
        switch self {
        case .register: CommandRules(.presenter)
        case .unregister: CommandRules(.everyone)
        // The queue checks that the presentation is on offer to this presenter.
        case .claim: CommandRules(.everyone, usesSession: true)
        case .report(let cookie, _), .dismiss(let cookie): CommandRules(.everyone, cookie: cookie)
        case .complete(let cookie, _), .awaitClosing(let cookie):
            CommandRules(.everyone, usesSession: true, cookie: cookie)
        // Deadlines are settled first, because an answer to a question that has expired must not count.
        case .secretChecked: CommandRules(.daemon)
        case .withdraw: CommandRules(.administrator)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: PresentationCommand, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .register(let abilities): return try register(abilities, context, &draft)
        case .unregister:
            losePresenter(context, &draft)
            return .done
        case .claim(let id): return try claim(id, &context, &draft)
        case .report(let cookie, let input): return try report(input, with: cookie, context, &draft)
        case .complete(let cookie, let answer): return try complete(answer, with: cookie, &context, &draft)
        case .secretChecked(let id, let outcome): return secretChecked(id, outcome, &context, &draft)
        case .dismiss(let cookie): return try dismiss(with: cookie, context, &draft)
        case .awaitClosing(let cookie): return try awaitClosing(cookie, &context, &draft)
        case .withdraw(let id): return try withdraw(id, context, &draft)
        }
    }

    // MARK: - Presenters

    private mutating func register(
        _ abilities: PresenterAbilities, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard queue.hasRoomForPresenter(context.peer) else { throw .tooManyPresenters }
        let handedBack = changeOffers(&draft) { $0.registered(context.peer, abilities, at: context.now) }
        if let open = handedBack {
            draft.journal(.presenterLost, by: context.peer, open.name)
        }
        shareCover(at: context.now, &draft)
        return .done
    }

    /// Presenters are not journalled, but watchers see which presentations are on offer or wait because of the change.
    mutating func changeOffers<Result>(
        _ draft: inout TransitionDraft, _ event: (inout PresentationQueue) -> Result
    ) -> Result {
        let before = queue.open.map(\.stage)
        defer { if queue.open.map(\.stage) != before { draft.becameVisible() } }
        return event(&queue)
    }

    /// Gives a shared cover its deadline, which watchers see.
    private mutating func shareCover(at now: BootTime, _ draft: inout TransitionDraft) {
        if queue.coverIsShared(at: now) { draft.becameVisible() }
    }

    /// Puts the presenter's claim back on offer. `redecide` then finds the presentations that nobody can show any more.
    mutating func losePresenter(_ context: Context, _ draft: inout TransitionDraft) {
        switch changeOffers(&draft, { $0.presenterLost(context.peer.connection, at: context.now) }) {
        case .wasNone, .left(nil):
            break
        case .left(let open?):
            draft.journal(.presenterLost, by: context.peer, open.name)
        }
    }

    private mutating func claim(
        _ id: UInt64, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let result = queue.claimed(id, by: context.peer, at: context.now, using: &context.random)
        switch result {
        case .claimed(let presentation):
            draft.journal(.claimed, by: context.peer, queue.presentation(id)?.name ?? "")
            shareCover(at: context.now, &draft)
            return .presentation(queue.presentation(id)?.presentation ?? presentation)
        case .closed:
            throw .notOnOffer
        case .notPermitted:
            throw .notPermitted(
                "presenter-of-this", "This presenter may not show that question. It is offered to others.")
        }
    }

    // MARK: - On the screen

    /// Records an input before there is an answer. Here and below, the cookie was checked before.
    private mutating func report(
        _ input: PresentationInput, with cookie: PresentationCookie, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let open = try answerable(with: cookie)
        switch input {
        case .shown:
            if queue.update(open.id, { $0.shown() }) == true {
                draft.journal(.shown, by: context.peer, open.name)
            }
        case .pressed:
            queue.update(open.id) { $0.pressed(at: context.now) }
        case .restore:
            guard case .paywall = open.step else {
                throw .invalid("input", "Only a paywall takes this input: it looks for a purchase again.")
            }
            if let wait = queue.update(open.id, { $0.restoreAsked(at: context.now) }) ?? nil {
                throw .restoredJustNow(retryAfter: wait)
            }
            // Providers watch the presentations, and so learn of it.
            draft.becameVisible()
        }
        return .done
    }

    /// Right or wrong, the question is closed: each question takes one answer.
    private mutating func complete(
        _ answer: ChallengeAnswer, with cookie: PresentationCookie, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let open = try answerable(with: cookie)
        guard open.check == nil else { throw .beingChecked }
        if case .whatsNew = open.step { return try read(answer, open, context, &draft) }
        guard let sealed = open.content.sealed else { throw .closedByState }
        let verdict = sealed.verdict(
            on: answer, at: context.now, wallTime: context.wallTime, pressedAt: open.holder?.pressedAt)
        switch verdict {
        case .right:
            return answeredRight(open, by: context.peer, &context, &draft)
        case .wrong:
            return answeredWrong(open, by: context.peer, at: context.now, &draft)
        case .refused:
            let presentsItself = requests[open.request]?.presentsItself ?? false
            let refusal = end(open.request, .refused, by: context.peer, at: context.now, &draft)
            return presentsItself ? refusal.map { .refused($0) } ?? .done : .done
        case .notAnAnswer(let sentence):
            throw .invalid("answer", sentence, ["challenge": sealed.challenge.kind.rawValue])
        case .checkSecret(let secret):
            return try beginCheck(of: secret, asked: sealed.challenge.kind, open, context, &draft)
        }
    }

    /// Closes the question without an answer. Refused while an answer is being checked; otherwise that guess would cost
    /// nothing.
    private mutating func dismiss(
        with cookie: PresentationCookie, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let open = try answerable(with: cookie)
        guard open.check == nil else { throw .beingChecked }
        guard !open.isCover else { throw .notDismissible(open.id) }
        // Dismissed release notes have been seen.
        if case .whatsNew = open.step {
            if let request = requests[open.request] {
                _ = charge(.dismissed, open, of: request, by: context.peer, at: context.now, &draft)
            }
            return close(open, as: .shown, context, &draft)
        }
        end(open.request, .dismissed, by: context.peer, at: context.now, &draft)
        return .done
    }

    mutating func answeredWrong(
        _ open: QueuedPresentation, by answerer: Peer, at now: BootTime, _ draft: inout TransitionDraft
    ) -> Reply {
        let refusal = end(open.request, .answeredWrong, by: answerer, at: now, &draft)
        return .refused(refusal ?? .cookie(.closed))
    }

    // MARK: - Closed by others

    /// Lets a requester that shows the presentation itself wait for the state to close it. If that is already due, the
    /// reply says so at once.
    private mutating func awaitClosing(
        _ cookie: PresentationCookie, _ context: inout Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let open = try answerable(with: cookie)
        guard let request = requests[open.request], request.presentsItself else { throw .hasAnswer }
        guard open.step.isClosedByState else { throw .hasAnswer }
        switch request.kind {
        case .pay(let paywall, _):
            if isEntitled(paywall.entitlement) { return fulfilPaywall(request, open, at: context.now, &draft) }
            if let step = newer(than: open, of: paywall) {
                journalClosing(of: open, &draft)
                return askNext(step, ordinal: open.ordinal, of: request, at: context.now, &context, &draft)
            }
        case .authorize(let authorization):
            switch decision(on: request, open: open, at: context.now) {
            case .granted:
                journalClosing(of: open, &draft)
                return .granted(fulfil(request, authorization, at: context.now, &context, &draft))
            case .present(open.step, ordinal: open.ordinal):
                break
            case .present(let step, let ordinal):
                journalClosing(of: open, &draft)
                return askNext(step, ordinal: ordinal, of: request, at: context.now, &context, &draft)
            case .refused(let error):
                return .refused(end(request.id, .impossible(error), by: nil, at: context.now, &draft) ?? error)
            }
        case .enterParentMode, .extendParentMode, .signIn, .fillForm, .whatsNew, .answer:
            throw .hasAnswer
        }
        let wait = requests.callWaits()
        draft.settle(requests.awaited(wait, request.id), .refused(.cookie(.closed)))
        return .waiting(wait)
    }

    private mutating func withdraw(
        _ id: UInt64, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard let open = queue.presentation(id) else { throw .noPresentation }
        if open.isCover {
            // The cover stays away until somebody has signed in, or the policy is read again.
            isCoverPutAway = true
            draft.journal(.withdrawn, by: context.peer, open.name)
            _ = close(open.request, at: context.now, answerHears: .cookie(.closed), &draft)
        } else {
            end(open.request, .putAway, by: context.peer, at: context.now, &draft)
        }
        return .done
    }

    // MARK: - Cookies

    func check(_ cookie: PresentationCookie, of peer: Peer, at now: BootTime) throws(GateError) {
        // Ids from `nextPresentation` on were never given out.
        guard let id = cookie.presentationID, id > 0, id < records.nextPresentation else { throw .cookie(.forged) }
        guard let open = queue.presentation(id) else { throw .cookie(.closed) }
        if let refusal = open.refusal(of: cookie, from: peer, at: now) { throw .cookie(refusal) }
    }

    /// The presentation that this cookie lets its holder answer. The cookie has been checked, but a deadline at this
    /// very moment may have withdrawn the presentation since.
    func answerable(with cookie: PresentationCookie) throws(GateError) -> QueuedPresentation {
        guard let open = cookie.presentationID.flatMap({ queue.presentation($0) }),
            open.holder.map({ $0.cookie.matches(cookie) }) ?? false
        else { throw .cookie(.closed) }
        return open
    }
}
