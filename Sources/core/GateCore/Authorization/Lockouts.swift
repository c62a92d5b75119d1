import GateModel

// The counters of wrong answers in the state: where a failure counts, and what forgives it. The cost of a failure is in
// `LockoutRules.swift`.

extension Lockout.Key {
    /// The counter for an owner's failures at challenges of this kind. Secrets have counters of their own, shared by
    /// all gates; other challenges count at the gate that they guard.
    init(of owner: Owner, before authorization: AuthorizationRequest?, kind: Challenge.Kind) {
        let gate = authorization?.gatedAction ?? "mode"
        self.init(owner: owner, gate: kind.secret?.rawValue ?? gate)
    }

    /// The counter for a step that is left unanswered. Steps that are no questions share one, because each takes a
    /// screen from others. `nil` if such a step is on the requester's own screen, where it costs nothing.
    init?(of owner: Owner, before authorization: AuthorizationRequest?, showing step: Step, presentsItself: Bool) {
        switch step {
        case .challenge(let specification):
            self.init(of: owner, before: authorization, kind: specification.kind)
        case .signIn, .paywall, .form, .whatsNew:
            guard !presentsItself else { return nil }
            self.init(otherScreensOf: owner)
        }
    }

    init(otherScreensOf owner: Owner) { self.init(owner: owner, gate: Lockout.Gate.otherScreens.text) }
}

extension Lockout {
    /// Whether this lockout has anything to clear. Not for a secret's lane, which is kept even if it counts nothing.
    var isNews: Bool { wrongAnswers > 0 || unanswered > 0 || lockedUntil != nil }
}

extension GateState {
    /// The counter for failures at this presentation: wrong answers, and leaving it unanswered. `nil` if they cost
    /// nothing. Wrong passwords are counted by the sign-in instead.
    func lockoutKey(of open: QueuedPresentation, of request: OpenRequest) -> Lockout.Key? {
        // A question of another device is no guess at anything here; the other device counts what it costs.
        guard request.askedElsewhere == nil, open.step.isQuestion || open.wasOnOthersScreen && !open.isCover else {
            return nil
        }
        return Lockout.Key(
            of: request.requester.owner, before: request.authorization, showing: open.step,
            presentsItself: request.presentsItself)
    }

    func lockoutRefusal(at key: Lockout.Key, at now: BootTime) -> GateError? {
        records.lockouts[key]?.remaining(at: now).map { .lockedOut(for: $0) }
    }

    /// Counts a failure on the lockout with this key. Returns for how long this failure locked the requester's owner
    /// out; `nil` if it did not lock.
    mutating func count(
        _ failure: LockoutRules.Failure, against requester: Peer, at key: Lockout.Key, at moment: BootTime,
        _ draft: inout TransitionDraft
    ) -> Duration? {
        let before = records.lockouts[key]
        let after = LockoutRules(configuration.lockout).counted(failure, on: before, at: moment)
        record(.lockoutSet(key, after), &draft)
        guard after.lockedUntil != nil, after.lockedUntil != before?.lockedUntil else { return nil }
        draft.journal(
            .lockedOut, by: requester, "for \(after.lockDuration.shortText), after \(after.wrongAnswers) wrong answers")
        return after.lockDuration
    }

    /// Removes the counters for failures at the questions of a request that is fulfilled. A right answer to one of
    /// several steps forgives nothing by itself: a requester that knows that answer would have unlimited guesses at the
    /// next step.
    mutating func forgive(_ id: RequestID, _ draft: inout TransitionDraft) {
        let keys = requests[id].map { Set($0.answered.values) } ?? []
        for key in keys.sorted(by: { $0.gate < $1.gate }) where records.lockouts[key] != nil {
            record(.lockoutRemoved(key), &draft)
        }
    }

    // MARK: - The screens of others

    /// Removes the requester's counter of other screens after a grown-up has filled in the form, or signed in, on their
    /// own screen. A child who does so forgives nothing. Otherwise one child could push a parent's form off its screen
    /// again and again, while a second child removes the counter each time. Release notes don't come here, since
    /// anybody at a screen has to press them away.
    mutating func forgiveScreens(_ open: QueuedPresentation, by peer: Peer, _ draft: inout TransitionDraft) {
        guard !open.step.isQuestion, !open.isCover, open.wasOnOthersScreen, open.isHeld(by: peer.connection) else {
            return
        }
        forgiveScreens(of: open.requester, by: peer, &draft)
    }

    private mutating func forgiveScreens(of owner: Owner, by peer: Peer, _ draft: inout TransitionDraft) {
        let key = Lockout.Key(otherScreensOf: owner)
        guard peer.isGrownUpPresenter, records.lockouts[key] != nil else { return }
        record(.lockoutRemoved(key), &draft)
    }

    /// Charges the requester when the state closes a presentation, as if the requester had taken it back, no matter who
    /// caused it. This is free if the cause was Gate itself, a peer of the screen's owner that speaks for that screen,
    /// or a provider or administrator of another owner than the requester's.
    mutating func chargeClosing(
        of open: QueuedPresentation, of request: OpenRequest, by peer: Peer?, at moment: BootTime,
        _ draft: inout TransitionDraft
    ) {
        guard let peer, isOwn(peer, request) || !peer.isProvider,
            !(open.holder?.peer.owner == peer.owner && open.isWanted(by: peer))
        else { return }
        if open.step.isQuestion {
            chargeTaking(.cancelled, open, of: request, by: request.requester, at: moment, &draft)
        } else {
            _ = charge(.cancelled, open, of: request, by: request.requester, at: moment, &draft)
        }
    }

    /// Charges a question that took another owner's screen at the counter of other screens, too, unless a peer that
    /// speaks for that screen answered it. The gate's own counter would stop nobody: the next right answer forgives it.
    mutating func chargeTaking(
        _ ending: RequestEnding, _ open: QueuedPresentation, of request: OpenRequest, by peer: Peer?,
        at moment: BootTime, _ draft: inout TransitionDraft
    ) {
        let isAnswer = ending == .answeredWrong || ending == .refused
        guard open.step.isQuestion, open.tookOthersScreen, !(isAnswer && peer.map { open.isWanted(by: $0) } ?? false)
        else { return }
        if case .device(let device) = request.screenTaker {
            chargeDevice(device, ending, open, of: request, by: peer, at: moment, &draft)
            return
        }
        guard cost(of: ending, open, of: request, by: peer) != nil else { return }
        let key = Lockout.Key(otherScreensOf: request.requester.owner)
        _ = count(.unanswered, against: request.requester, at: key, at: moment, &draft)
    }

    /// Settles a right answer to a question that took another owner's screen. An answer by a grown-up's presenter
    /// removes the counter of other screens. An answer by a peer that does not speak for the screen shows that the
    /// screen was taken for nothing, which is charged.
    mutating func takingAnswered(
        _ open: QueuedPresentation, of request: OpenRequest, by answerer: Peer, at moment: BootTime,
        _ draft: inout TransitionDraft
    ) {
        guard open.tookOthersScreen else { return }
        if open.isWanted(by: answerer) {
            switch request.screenTaker {
            case .owner(let owner): forgiveScreens(of: owner, by: answerer, &draft)
            case .device(let device): householdBook.takenScreens.forgiven(device)
            }
        } else {
            chargeTaking(.cancelled, open, of: request, by: request.requester, at: moment, &draft)
        }
    }

    func isOwn(_ peer: Peer, _ request: OpenRequest) -> Bool {
        peer.owner == request.requester.owner || request.isRequested(by: peer)
    }

    mutating func clearLockouts(
        of uid: UInt32?, at gate: String?, _ context: Context, _ draft: inout TransitionDraft
    ) -> Reply {
        let guesses = gate.flatMap { SecretKind(rawValue: $0) }.map { SecretBudget.gate(of: $0) }
        let cleared = lockouts.filter { key, lockout in
            (uid == nil || key.owner == uid.map(Owner.user))
                && (gate == nil || key.gate == gate || shownGate(key) == gate || key.gate == guesses)
                && (SecretBudget.limit(of: key) == nil ? lockout.isNews : lockout.wrongAnswers > 0)
        }
        for (key, _) in cleared {
            if SecretBudget.limit(of: key) == nil {
                record(.lockoutRemoved(key), &draft)
            } else {
                clearGuesses(at: key, &draft)
            }
        }
        if !cleared.isEmpty {
            draft.journal(.lockoutCleared, by: context.peer, "\(cleared.count)")
        }
        return .count(cleared.count)
    }

    var nextLockoutEnd: BootTime? {
        records.lockouts.values.reduce(householdBook.takenScreens.nextEnd) { $0.earlier($1.lockedUntil) }
    }

    /// Ends locks whose time is over. The count of wrong answers stays, so the next lock is longer.
    mutating func endLockouts(_ draft: inout TransitionDraft, at now: BootTime) {
        for (key, var lockout) in lockouts where lockout.lockedUntil.map({ $0 <= now }) ?? false {
            lockout.lockedUntil = nil
            record(.lockoutSet(key, lockout), &draft)
        }
        householdBook.takenScreens.timePassed(at: now)
    }
}
