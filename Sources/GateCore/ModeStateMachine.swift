import GateModel

/// The mode of the device (F-01 … F-08, G-02): who is in charge, and the one challenge that may be open.
///
/// | event              | child             | verifying                       | parent                                |
/// |--------------------|-------------------|---------------------------------|---------------------------------------|
/// | `toggled`          | needs a challenge | requester: the same one again   | child; an open challenge is withdrawn |
/// | `extensionAsked`   | refused           | refused                         | needs a challenge, or the same again  |
/// | `answerReceived`   | nothing open      | right: parent; wrong: child     | right: longer lease; wrong: as it was |
/// | `challengeFailed`  | nothing open      | child                           | parent, the lease as it was           |
/// | `requesterLost`    | nothing           | child, if it was the requester  | parent, the lease as it was           |
/// | `cancelled`        | nothing           | child                           | nothing                               |
/// | `locked`           | nothing           | child                           | child; an open challenge is withdrawn |
/// | `leaseExtended`    | refused           | refused                         | longer lease, at once                 |
/// | `overridden`       | as told           | as told; challenge withdrawn    | as told; challenge withdrawn          |
/// | `deadlineReached`  | nothing           | child                           | challenge expires, or lease ends      |
/// | `restarted`        | child             | child                           | child                                 |
///
/// `challengeOpened` and `extensionOpened` answer "needs a challenge"; anywhere else they are our own bug.
/// The machine does not know who may do what (`Permissions.swift`), nor what a failure costs (`LockoutRules.swift`).
struct ModeStateMachine: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// A child is in charge, and nothing is asked.
        ///
        /// Can go to: `verifying` (a challenge was opened), `parent` (an administrator's override).
        case child

        /// A challenge waits for its one answer; the requester shows it. The device is still a child's.
        ///
        /// Can go to: `parent` (right answer, override), `child` (everything else: wrong answer, dismissal, deadline,
        /// cancel, lock, the requester's death, override, restart).
        case verifying(OpenChallenge)

        /// A grown-up is in charge until the lease ends. Meanwhile a challenge for a longer lease may be open; whatever
        /// becomes of it, short of a right answer, leaves the lease as it was.
        ///
        /// Can go to: `child` (toggle, lock, end of the lease, override, restart), `parent` (a longer lease).
        case parent(leaseEnd: BootTime, extension: OpenExtension?)
    }

    /// A challenge for a longer lease, and how long the lease then lasts from the answer on.
    private struct OpenExtension: Hashable, Sendable {
        let open: OpenChallenge
        let duration: Duration
    }

    private var state = State.child

    /// What everybody may see.
    var modeState: ModeState {
        switch state {
        case .child: .closed
        case .verifying(let open): ModeState(mode: .verifying, deadline: open.presentation.deadline)
        case .parent(let leaseEnd, _): ModeState(mode: .parent, deadline: leaseEnd)
        }
    }

    /// The challenge that waits for its answer, for parent mode or for a longer lease.
    var openChallenge: OpenChallenge? {
        switch state {
        case .child: nil
        case .verifying(let open): open
        case .parent(_, let pending): pending?.open
        }
    }

    /// The first moment at which `deadlineReached` has something to do.
    var nextDeadline: BootTime? {
        switch state {
        case .child: nil
        case .verifying(let open): open.presentation.deadline
        case .parent(let leaseEnd, let pending): min(leaseEnd, pending?.open.presentation.deadline ?? leaseEnd)
        }
    }

    // MARK: - Going round

    enum ToggleResult: Hashable {
        /// Nothing has changed yet: open a challenge, and report it with `challengeOpened`.
        case challengeNeeded
        /// The requester's own challenge is still open; the same question again (F-08).
        case shownAgain(Presentation)
        case othersChallengeIsOpen
        /// Parent mode was left, with no challenge (F-04). A challenge for a longer lease went with it.
        case left(withdrawn: OpenChallenge?)
    }

    /// One step round (F-02). The step from verifying to parent is not among them: only an answer makes it.
    mutating func toggled(by peer: Peer) -> ToggleResult {
        switch state {
        case .child:
            return .challengeNeeded
        case .verifying(let open):
            return open.isRequested(by: peer) ? .shownAgain(open.presentation) : .othersChallengeIsOpen
        case .parent(_, let pending):
            state = .child
            return .left(withdrawn: pending?.open)
        }
    }

    /// The challenge that `toggled` called for is open.
    mutating func challengeOpened(_ open: OpenChallenge) {
        switch state {
        case .child:
            state = .verifying(open)
        case .verifying, .parent:
            preconditionFailure("a challenge for parent mode opens in child mode only")
        }
    }

    // MARK: - A longer lease

    enum ExtensionResult: Hashable {
        /// Nothing has changed yet: open a challenge that closes with the lease at the latest, and report it with
        /// `extensionOpened`.
        case challengeNeeded(leaseEnd: BootTime)
        /// The requester's own challenge for this duration is still open; the same question again.
        case shownAgain(Presentation)
        /// The requester's own challenge is open, but for another duration.
        case otherDurationIsOpen
        case othersChallengeIsOpen
        case notParent
    }

    /// Somebody wants a longer lease, and a challenge stands before it (G-02).
    mutating func extensionAsked(by peer: Peer, for duration: Duration) -> ExtensionResult {
        switch state {
        case .child, .verifying:
            return .notParent
        case .parent(let leaseEnd, nil):
            return .challengeNeeded(leaseEnd: leaseEnd)
        case .parent(_, let pending?):
            guard pending.open.isRequested(by: peer) else { return .othersChallengeIsOpen }
            return pending.duration == duration ? .shownAgain(pending.open.presentation) : .otherDurationIsOpen
        }
    }

    /// The challenge that `extensionAsked` called for is open. The mode stays parent meanwhile.
    mutating func extensionOpened(_ open: OpenChallenge, for duration: Duration) {
        switch state {
        case .parent(let leaseEnd, nil):
            state = .parent(leaseEnd: leaseEnd, extension: OpenExtension(open: open, duration: duration))
        case .child, .verifying, .parent(_, .some):
            preconditionFailure("a challenge for a longer lease opens in parent mode only, one at a time")
        }
    }

    enum LeaseResult: Hashable {
        case extended
        case notParent
    }

    /// The lease was given a new end without a challenge. Somebody's open challenge for it stays open.
    mutating func leaseExtended(until leaseEnd: BootTime) -> LeaseResult {
        switch state {
        case .child, .verifying:
            return .notParent
        case .parent(_, let pending):
            state = .parent(leaseEnd: leaseEnd, extension: pending)
            return .extended
        }
    }

    // MARK: - Answers

    enum AnswerResult: Hashable {
        /// Parent mode began.
        case entered(OpenChallenge, until: BootTime)
        /// The lease has a new end.
        case extended(OpenChallenge, until: BootTime, duration: Duration)
        /// The question is closed; the mode is what it was before it was asked.
        case wrong(OpenChallenge)
        /// The question stays open.
        case notAnAnswer
        case nothingOpen
    }

    /// The person answered the open challenge. Right or wrong, it is closed: one question, one answer (F-07, F-08).
    ///
    /// - Parameter lease: how long parent mode lasts if the answer lets it begin.
    mutating func answerReceived(_ answer: String, at now: BootTime, lease: Duration) -> AnswerResult {
        switch state {
        case .child, .parent(_, nil):
            return .nothingOpen
        case .verifying(let open):
            switch open.sealed.verdict(on: answer) {
            case .right:
                let leaseEnd = now.advanced(by: lease)
                state = .parent(leaseEnd: leaseEnd, extension: nil)
                return .entered(open, until: leaseEnd)
            case .wrong:
                state = .child
                return .wrong(open)
            case .notAnAnswer:
                return .notAnAnswer
            }
        case .parent(let leaseEnd, let pending?):
            switch pending.open.sealed.verdict(on: answer) {
            case .right:
                let newEnd = now.advanced(by: pending.duration)
                state = .parent(leaseEnd: newEnd, extension: nil)
                return .extended(pending.open, until: newEnd, duration: pending.duration)
            case .wrong:
                state = .parent(leaseEnd: leaseEnd, extension: nil)
                return .wrong(pending.open)
            case .notAnAnswer:
                return .notAnAnswer
            }
        }
    }

    /// The open challenge ended without an answer: dismissed, or its requester is gone. Returns it; `nil` where none
    /// was open. A tap beside the panel is `cancel` (F-07).
    mutating func challengeFailed() -> OpenChallenge? {
        switch state {
        case .child, .parent(_, nil):
            return nil
        case .verifying(let open):
            state = .child
            return open
        case .parent(let leaseEnd, let pending?):
            state = .parent(leaseEnd: leaseEnd, extension: nil)
            return pending.open
        }
    }

    /// A connection has ended. Returns the challenge that died with it; `nil` where that peer had none open.
    mutating func requesterLost(_ peer: Peer) -> OpenChallenge? {
        switch state {
        case .child, .parent(_, nil):
            return nil
        case .verifying(let open):
            return open.isRequested(by: peer) ? challengeFailed() : nil
        case .parent(_, let pending?):
            return pending.open.isRequested(by: peer) ? challengeFailed() : nil
        }
    }

    // MARK: - Going back

    enum CancelResult: Hashable {
        case closed(OpenChallenge)
        case nothingToCancel
    }

    /// Takes the request for parent mode back (F-03).
    ///
    /// Cancel changes nothing in parent mode, not even an open challenge for a longer lease, and nothing in child mode.
    mutating func cancelled() -> CancelResult {
        switch state {
        case .child, .parent:
            return .nothingToCancel
        case .verifying(let open):
            state = .child
            return .closed(open)
        }
    }

    enum LockResult: Hashable {
        /// Verifying ended; this was open.
        case closed(OpenChallenge)
        /// Parent mode ended; a challenge for a longer lease went with it.
        case left(withdrawn: OpenChallenge?)
        case alreadyChild
    }

    /// To child from anywhere, at once (G-12).
    mutating func locked() -> LockResult {
        switch state {
        case .child:
            return .alreadyChild
        case .verifying(let open):
            state = .child
            return .closed(open)
        case .parent(_, let pending):
            state = .child
            return .left(withdrawn: pending?.open)
        }
    }

    /// An administrator sets the mode: parent until `leaseEnd`, or child (`nil`). Returns the challenge that was
    /// withdrawn, if one was open.
    mutating func overridden(parentUntil leaseEnd: BootTime?) -> OpenChallenge? {
        let withdrawn = openChallenge
        if let leaseEnd {
            state = .parent(leaseEnd: leaseEnd, extension: nil)
        } else {
            state = .child
        }
        return withdrawn
    }

    enum DeadlineResult: Hashable {
        /// Nobody answered in time.
        case challengeExpired(OpenChallenge)
        /// Parent mode ran out (G-02); a challenge for a longer lease went with it.
        case leaseEnded(withdrawn: OpenChallenge?)
        case nothingDue
    }

    /// Time has come to `now`. Handles the earliest deadline that is due; where both end in one moment, the lease.
    mutating func deadlineReached(_ now: BootTime) -> DeadlineResult {
        switch state {
        case .child:
            return .nothingDue
        case .verifying(let open):
            guard open.presentation.deadline <= now else { return .nothingDue }
            state = .child
            return .challengeExpired(open)
        case .parent(let leaseEnd, let pending):
            if let pending, pending.open.presentation.deadline <= now, pending.open.presentation.deadline < leaseEnd {
                state = .parent(leaseEnd: leaseEnd, extension: nil)
                return .challengeExpired(pending.open)
            }
            guard leaseEnd <= now else { return .nothingDue }
            state = .child
            return .leaseEnded(withdrawn: pending?.open)
        }
    }

    /// The daemon starts, or closes for damage. What was open or in force is gone, without a word to anybody.
    mutating func restarted() {
        state = .child
    }
}
