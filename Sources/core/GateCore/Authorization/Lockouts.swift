import GateModel

// The counters of wrong answers in the state: where a failure counts, and what forgives it. What one costs is in
// `LockoutRules.swift`.

extension Lockout.Key {
    /// Where the failures of this owner count: secrets have counters of their own, for all gates; everything else counts
    /// at the gate that it stands before.
    init(of owner: Owner, before authorization: AuthorizationRequest?, kind: Challenge.Kind) {
        let gate = authorization?.gatedAction ?? "mode"
        self.init(owner: owner, gate: SecretKind(asking: kind)?.rawValue ?? gate)
    }

    /// Where it counts that a step was left unanswered. What is no question has one counter, whatever it is: each of them takes a screen
    /// from others. `nil`: nowhere, since it is no question and its requester shows it on a screen of its own.
    init?(of owner: Owner, before authorization: AuthorizationRequest?, showing step: Step, presentsItself: Bool) {
        switch step {
        case .challenge(let specification):
            self.init(of: owner, before: authorization, kind: specification.kind)
        case .signIn, .paywall, .form, .whatsNew:
            guard !presentsItself else { return nil }
            self.init(otherScreensOf: owner)
        }
    }

    /// Where it counts what this owner leaves on the screens of others.
    init(otherScreensOf owner: Owner) { self.init(owner: owner, gate: Lockout.Gate.otherScreens.text) }
}

extension Lockout {
    /// Whether there is anything to forget.
    var isNews: Bool { wrongAnswers > 0 || unanswered > 0 || lockedUntil != nil }
}

extension GateState {
    /// `nil`: leaving it unanswered costs nothing. Wrong passwords count where somebody signs in.
    func lockoutKey(of open: QueuedPresentation, of request: OpenRequest) -> Lockout.Key? {
        // A question of another device is no guess at anything here, and what it costs counts there.
        guard request.askedElsewhere == nil, open.step.isQuestion || open.wasOnOthersScreen && !open.isCover else {
            return nil
        }
        return Lockout.Key(
            of: request.requester.owner, before: request.authorization, showing: open.step,
            presentsItself: request.presentsItself)
    }

    /// Why this user can't be asked now; `nil`: they can.
    func lockoutRefusal(at key: Lockout.Key, at now: BootTime) -> GateError? {
        records.lockouts[key]?.remaining(at: now).map { .lockedOut(for: $0) }
    }

    /// Counts a failure against the requester's user. Returns how long it locked, if it did.
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

    /// A request that was fulfilled resets the counters of its user where it was asked, and no others. A step of
    /// several forgives nothing by itself: anyone who knows the first answer would have all the guesses at the second.
    mutating func forgive(_ id: RequestID, _ draft: inout TransitionDraft) {
        let keys = requests[id].map { Set($0.answered.values) } ?? []
        for key in keys.sorted(by: { $0.gate < $1.gate }) where records.lockouts[key] != nil {
            record(.lockoutRemoved(key), &draft)
        }
    }

    // MARK: - The screens of others

    /// A grown-up has done on their own screen what was shown there: filled in the form, signed in. That forgives what the requester left on
    /// the screens of others. Nobody else forgives it: a second child would, after each form of a parent's that the first one pushed off a
    /// screen. Nor does news, which anyone who sits there has to press away.
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

    /// The state closes what is shown. For a screen of another owner that is as if it were taken back, no matter who brought it about: only
    /// the person in front of that screen may, an administrator, or a store that was paid.
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

    /// A question that took a screen of another owner counts at the counter of other screens, too, if it is not answered by somebody who
    /// speaks for that screen. The gate's own counter would not hold anybody back: the next right answer forgives it.
    mutating func chargeTaking(
        _ ending: RequestEnding, _ open: QueuedPresentation, of request: OpenRequest, by peer: Peer?,
        at moment: BootTime, _ draft: inout TransitionDraft
    ) {
        let isAnswer = ending == .answeredWrong || ending == .refused
        // A question of another device costs there.
        guard open.step.isQuestion, open.tookOthersScreen, request.askedElsewhere == nil,
            !(isAnswer && peer.map { open.isWanted(by: $0) } ?? false),
            cost(of: ending, open, of: request, by: peer) != nil
        else { return }
        let key = Lockout.Key(otherScreensOf: request.requester.owner)
        _ = count(.unanswered, against: request.requester, at: key, at: moment, &draft)
    }

    /// A question that took a screen of another owner was answered right. If a grown-up's presenter did so, that forgives what was left on
    /// the screens of others. If somebody did who does not speak for that screen, it was taken for nothing.
    mutating func takingAnswered(
        _ open: QueuedPresentation, of request: OpenRequest, by answerer: Peer, at moment: BootTime,
        _ draft: inout TransitionDraft
    ) {
        guard open.tookOthersScreen else { return }
        if open.isWanted(by: answerer) {
            forgiveScreens(of: open.requester, by: answerer, &draft)
        } else {
            chargeTaking(.cancelled, open, of: request, by: request.requester, at: moment, &draft)
        }
    }

    /// Whether this peer is the requester, or a program of the same owner.
    func isOwn(_ peer: Peer, _ request: OpenRequest) -> Bool {
        peer.owner == request.requester.owner || request.isRequested(by: peer)
    }

    /// The owners who are locked out of the screens of others.
    var ownersHeldBack: Set<Owner> {
        Set(
            records.lockouts.lazy
                .filter { $0.value.lockedUntil != nil && $0.key == Lockout.Key(otherScreensOf: $0.key.owner) }
                .map(\.key.owner))
    }

    /// An administrator forgets wrong answers.
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

    /// The end of the lock that ends first.
    var nextLockoutEnd: BootTime? {
        records.lockouts.values.lazy.compactMap(\.lockedUntil).min()
    }

    /// Ends lockouts whose time is over; the count of wrong answers stays, so that the next lock is longer.
    mutating func endLockouts(_ draft: inout TransitionDraft, at now: BootTime) {
        for (key, var lockout) in lockouts where lockout.lockedUntil.map({ $0 <= now }) ?? false {
            lockout.lockedUntil = nil
            record(.lockoutSet(key, lockout), &draft)
        }
    }
}
