import GateModel

/// The life of a question: opened, answered or dismissed with its cookie, lost, withdrawn; and what that costs.
extension GateState {
    /// Draws the question first, then the cookie. Journals it and takes up its id.
    mutating func newChallenge(
        for purpose: Presentation.Purpose, until deadline: BootTime, _ context: inout Context,
        _ draft: inout TransitionDraft
    ) -> OpenChallenge {
        let id = records.nextPresentation
        let sealed = ArithmeticChallenge.make(configuration.modeChallenge, using: &context.random)
        let presentation = Presentation(
            id: id, cookie: Cookie(presentation: id, using: &context.random), purpose: purpose, deadline: deadline,
            style: .sheet, isDismissible: true, challenge: sealed.challenge)
        record(.nextPresentationSet(id + 1), &draft)
        let open = OpenChallenge(presentation, sealed: sealed, requester: context.peer)
        draft.journal(.challengeOpened, by: context.peer, open.name)
        return open
    }

    /// The answer to the open challenge; its cookie has been checked.
    mutating func complete(
        _ answer: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch machine.answerReceived(answer, at: context.now, lease: configuration.lease) {
        case .entered(let open, _):
            forgive(open.requester, &draft)
            draft.journal(.answeredRight, by: context.peer, open.name)
            draft.journal(.parentEntered, by: context.peer, "for \(configuration.lease.shortText)")
            return .done
        case .extended(let open, _, let duration):
            forgive(open.requester, &draft)
            draft.journal(.answeredRight, by: context.peer, open.name)
            draft.journal(.extended, by: context.peer, "for \(duration.shortText)")
            return .done
        case .wrong(let open):
            draft.journal(.answeredWrong, by: context.peer, open.name)
            let lock = count(.wrongAnswer, of: open, at: context.now, &draft)
            return .refused(.wrongAnswer(lockedOutFor: lock))
        case .notAnAnswer:
            throw .notAnAnswer
        case .nothingOpen:
            // It was withdrawn by a deadline of this very moment.
            throw .cookie(.closed)
        }
    }

    /// The person closed the question; its cookie has been checked.
    mutating func dismiss(_ context: Context, _ draft: inout TransitionDraft) throws(GateError) -> Reply {
        guard let open = machine.challengeFailed() else { throw .cookie(.closed) }
        draft.journal(.dismissed, by: context.peer, open.name)
        count(.unanswered, of: open, at: context.now, &draft)
        return .done
    }

    /// The acting peer is gone, and an open challenge of its with it.
    mutating func loseRequester(_ context: Context, _ draft: inout TransitionDraft) {
        guard let open = machine.requesterLost(context.peer) else { return }
        draft.journal(.requesterLost, by: context.peer, open.name)
        count(.unanswered, of: open, at: context.now, &draft)
    }

    /// The mode changed under a challenge for a longer lease.
    mutating func withdraw(
        _ open: OpenChallenge?, by peer: Peer, at now: BootTime, _ draft: inout TransitionDraft
    ) {
        guard let open else { return }
        draft.journal(.withdrawn, by: peer, open.name)
        countWithdrawal(of: open, by: peer, at: now, &draft)
    }

    /// Whoever closes a question of their own by another way than answering has dismissed it. What others close costs
    /// nothing.
    mutating func countWithdrawal(
        of open: OpenChallenge, by peer: Peer, at now: BootTime, _ draft: inout TransitionDraft
    ) {
        guard peer.uid == open.requester.uid else { return }
        count(.unanswered, of: open, at: now, &draft)
    }

    /// Counts a failure against the requester's user. Returns how long it locked, if it did.
    @discardableResult
    mutating func count(
        _ failure: LockoutRules.Failure, of open: OpenChallenge, at moment: BootTime, _ draft: inout TransitionDraft
    ) -> Duration? {
        let key = Lockout.Key.mode(of: open.requester)
        let before = records.lockouts[key]
        let after = LockoutRules(configuration.lockout).counted(failure, on: before, at: moment)
        record(.lockoutSet(key, after), &draft)
        guard after.lockedUntil != nil, after.lockedUntil != before?.lockedUntil else { return nil }
        draft.journal(
            .lockedOut, by: open.requester,
            "for \(after.lockDuration.shortText), after \(after.wrongAnswers) wrong answers")
        return after.lockDuration
    }

    /// A right answer resets the counters of its user at this gate.
    private mutating func forgive(_ requester: Peer, _ draft: inout TransitionDraft) {
        let key = Lockout.Key.mode(of: requester)
        guard records.lockouts[key] != nil else { return }
        record(.lockoutRemoved(key), &draft)
    }
}

extension Lockout.Key {
    /// The counters of this peer's user at the gate before parent mode, and before a longer lease.
    static func mode(of peer: Peer) -> Lockout.Key {
        Lockout.Key(uid: peer.uid, gate: "mode")
    }
}

extension ModeStateMachine {
    /// Checks the cookie of an answer or a dismissal against what is open, before deadlines are settled: only then can
    /// "too late" be told from "closed". Other commands have none.
    func checkCookie(of command: Command, _ context: Context, nextPresentation: UInt64) throws(GateError) {
        switch command {
        case .complete(let cookie, _), .dismiss(let cookie):
            let refusal = cookie.refusal(
                for: context.peer, at: context.now, open: openChallenge, nextPresentation: nextPresentation)
            if let refusal {
                throw .cookie(refusal)
            }
        case .toggle, .cancel, .lock, .extend, .override, .recover, .start, .closeForDamage, .deadlineReached,
            .peerDisconnected, .configure:
            break
        }
    }
}
