import GateModel

// The commands of the service `Presentations`: presenters come and go, claim, report, answer and dismiss.

extension GateState {
    // MARK: - Presenters

    mutating func register(
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

    /// The journal is not told which presenters there are, but watchers see what that puts on offer, and what it lets wait.
    mutating func changeOffers<Result>(
        _ draft: inout TransitionDraft, _ event: (inout PresentationQueue) -> Result
    ) -> Result {
        let before = queue.open.map(\.stage)
        defer { if queue.open.map(\.stage) != before { draft.becameVisible() } }
        return event(&queue)
    }

    /// A deadline of its own is something that watchers see.
    private mutating func shareCover(at now: BootTime, _ draft: inout TransitionDraft) {
        if queue.coverIsShared(at: now) { draft.becameVisible() }
    }

    mutating func unregister(_ context: Context, _ draft: inout TransitionDraft) -> Reply {
        losePresenter(context, &draft)
        return .done
    }

    /// The presenter's claim goes back; what nobody else can show is found by `redecide`.
    mutating func losePresenter(_ context: Context, _ draft: inout TransitionDraft) {
        switch changeOffers(&draft, { $0.presenterLost(context.peer.connection, at: context.now) }) {
        case .wasNone, .left(nil):
            break
        case .left(let open?):
            draft.journal(.presenterLost, by: context.peer, open.name)
        }
    }

    /// The first claim wins.
    mutating func claim(
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
            throw .notPermitted("presenter-of-this", "This is not for this presenter to show.")
        }
    }

    // MARK: - On the screen

    /// Records an input before there is an answer; the cookie has been checked.
    mutating func report(
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
            guard case .paywall = open.step else { throw .invalid("input", "Only a payment can be looked for again.") }
            if let wait = queue.update(open.id, { $0.restoreAsked(at: context.now) }) ?? nil {
                throw .restoredJustNow(retryAfter: wait)
            }
            // Providers hear of it as watchers.
            draft.becameVisible()
        }
        return .done
    }

    /// The person's answer; the cookie has been checked. Right or wrong, the question is closed: one question, one
    /// answer (F-07, F-08).
    mutating func complete(
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

    /// The person closed the question; the cookie has been checked. An answer that is being checked can't be taken
    /// back: it would be a guess that costs nothing.
    mutating func dismiss(
        with cookie: PresentationCookie, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let open = try answerable(with: cookie)
        guard open.check == nil else { throw .beingChecked }
        guard !open.isCover else { throw .notDismissible(open.id) }
        // Anyone who puts it away has seen it.
        if case .whatsNew = open.step {
            if let request = requests[open.request] {
                _ = charge(.dismissed, open, of: request, by: context.peer, at: context.now, &draft)
            }
            return close(open, as: .shown, context, &draft)
        }
        end(open.request, .dismissed, by: context.peer, at: context.now, &draft)
        return .done
    }

    private mutating func answeredWrong(
        _ open: QueuedPresentation, by answerer: Peer, at now: BootTime, _ draft: inout TransitionDraft
    ) -> Reply {
        let refusal = end(open.request, .answeredWrong, by: answerer, at: now, &draft)
        return .refused(refusal ?? .cookie(.closed))
    }

    // MARK: - Secrets

    /// Hashing is slow and needs libraries: the surroundings do it, and report `secretChecked`.
    private mutating func beginCheck(
        of secret: GateSecret, asked challenge: Challenge.Kind, _ open: QueuedPresentation, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard let kind = SecretKind(asking: challenge) else {
            preconditionFailure("only the answers to secrets are checked elsewhere")
        }
        if let refusal = guessRefusal(at: kind, for: context.peer) { throw refusal }
        let reference: SecretReference
        switch kind {
        case .passcode:
            guard let hash = records.passcodeHash else { throw .notSetUp(kind) }
            reference = .passcode(hash: hash)
            draft.check(.passcode(secret, hash: hash), presentation: open.id)
        case .totp:
            guard let totp = records.totp else { throw .notSetUp(kind) }
            reference = .totp(key: totp.key)
            draft.check(
                .totp(secret, key: totp.key, at: context.wallTime, usedStep: totp.usedStep), presentation: open.id)
        }
        let (wait, guess) = (requests.callWaits(), guessKey(at: kind, of: context.peer))
        guessBegan(at: guess, &draft)
        queue.update(open.id) {
            $0.checkBegan(
                QueuedPresentation.Check(answerer: context.peer, wait: wait, reference: reference, guess: guess))
        }
        return .waiting(wait)
    }

    /// The outcome of an answer. Where the question is gone it was a guess all the same, and says nothing more.
    mutating func secretChecked(
        _ id: UInt64, _ outcome: SecretOutcome, _ context: inout Context, _ draft: inout TransitionDraft
    ) {
        guard let check = changeOffers(&draft, { $0.checkEnded(of: id, at: context.now) }) else { return }
        let judged = judged(outcome, against: check.reference)
        switch judged {
        case .right(let step):
            useUp(step, &draft)
            guessWasRight(at: check.guess, check.reference.kind, by: check.answerer, &draft)
        case .wrong: break
        case .failed: guessTakenBack(at: check.guess, &draft)
        }
        guard let open = queue.presentation(id) else { return }
        let reply: Reply
        switch judged {
        case .right: reply = answeredRight(open, by: check.answerer, &context, &draft)
        case .wrong: reply = answeredWrong(open, by: check.answerer, at: context.now, &draft)
        case .failed:
            // Its presenter may have gone meanwhile, and nobody be left to show it.
            redecide(by: check.answerer, at: context.now, &context, &draft)
            reply = .refused(.checkFailed)
        }
        draft.settle(check.wait, reply)
    }

    /// An outcome says nothing once the secret was replaced, and a code that somebody else has used since is used up.
    private func judged(_ outcome: SecretOutcome, against reference: SecretReference) -> SecretOutcome {
        switch (outcome, reference) {
        case (.failed, _):
            return .failed
        case (.right, .passcode(let hash)), (.wrong, .passcode(let hash)):
            return records.passcodeHash == hash ? outcome : .failed
        case (.wrong, .totp(let key)):
            return records.totp?.key == key ? .wrong : .failed
        case (.right(let step), .totp(let key)):
            guard let totp = records.totp, totp.key == key else { return .failed }
            return step.map { $0 > totp.usedStep } ?? false ? outcome : .wrong
        }
    }

    /// Each code is good once (G-11).
    private mutating func useUp(_ step: UInt64?, _ draft: inout TransitionDraft) {
        guard let step, let totp = records.totp else { return }
        record(.totpSet(TOTPEnrolment(key: totp.key, usedStep: max(step, totp.usedStep))), &draft)
    }

    // MARK: - Cookies

    /// Checks the cookie of a report, an answer or a dismissal against what is open, before deadlines are settled: only
    /// then can "too late" be told from "closed". Other commands have none.
    func checkCookie(of command: Command, _ context: Context) throws(GateError) {
        switch command {
        case .report(let cookie, _), .complete(let cookie, _), .dismiss(let cookie), .awaitClosing(let cookie):
            try check(cookie, of: context.peer, at: context.now)
        case .openForm(let target, _, _, _), .labelDraft(let target, _), .editForm(let target, _, _),
            .announceSuggestion(let target, _, _, _),
            .saveForm(let target),
            .loadForm(let target, _, _), .completeForm(let target, _), .discardForm(let target, _),
            .savePart(let target, _, _, _):
            if let cookie = target.cookie { try check(cookie, of: context.peer, at: context.now) }
        case .toggle, .cancel, .lock, .extend, .override, .authorize, .redeem, .revoke, .clearLockouts, .setPasscode,
            .setTOTP, .removeSecret, .logIn, .logOut, .registerAccount, .changePassword, .setPassword, .removeAccount,
            .confirmAccount,
            .addClaim, .revokeClaim, .submit, .reportProvider, .reportOffers, .requestPaywall, .withdrawResponse,
            .labelPart, .removePart, .requestForm,
            .showWhatsNew, .acknowledgeWhatsNew, .resetWhatsNew, .register, .unregister, .claim, .withdraw, .recover,
            .backUp, .restore,
            .start, .closeForDamage, .deadlineReached, .peerDisconnected, .callEnded,
            .secretChecked, .passwordChecked, .configure, .openHousehold, .applyList, .takeHouseholdPolicy,
            .takeDeviceKey, .execute,
            .sendCommand, .obeyHomeAssistant, .reachBroker, .receiveRequests, .answerRequest:
            break
        }
    }

    func check(_ cookie: PresentationCookie, of peer: Peer, at now: BootTime) throws(GateError) {
        // An id from `nextPresentation` on was never given out.
        guard let id = cookie.presentationID, id > 0, id < records.nextPresentation else { throw .cookie(.forged) }
        guard let open = queue.presentation(id) else { throw .cookie(.closed) }
        if let refusal = open.refusal(of: cookie, from: peer, at: now) { throw .cookie(refusal) }
    }

    /// The presentation that the cookie, which has been checked, lets its holder answer. A deadline of this very moment
    /// may have withdrawn it since.
    func answerable(with cookie: PresentationCookie) throws(GateError) -> QueuedPresentation {
        guard let open = cookie.presentationID.flatMap({ queue.presentation($0) }),
            open.holder.map({ $0.cookie.matches(cookie) }) ?? false
        else { throw .cookie(.closed) }
        return open
    }
}
