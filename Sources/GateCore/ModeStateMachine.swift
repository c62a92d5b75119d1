import GateModel

/// The mode of the device (F-01 … F-08, G-02): who is in charge, and the one request about it that may be open.
///
/// | event              | child             | verifying                       | parent                                |
/// |--------------------|-------------------|---------------------------------|---------------------------------------|
/// | `toggled`          | needs a challenge | requester: asked already        | child; an open request is withdrawn   |
/// | `extensionAsked`   | refused           | refused                         | needs a challenge, or asked already   |
/// | `answeredRight`    | nothing           | parent, if it was its request   | longer lease, if it was its request   |
/// | `requestFailed`    | nothing           | child, if it was its request    | parent, the lease as it was           |
/// | `cancelled`        | nothing           | child                           | nothing                               |
/// | `locked`           | nothing           | child                           | child; an open request is withdrawn   |
/// | `leaseExtended`    | refused           | refused                         | longer lease, at once                 |
/// | `overridden`       | as told           | as told; request withdrawn      | as told; request withdrawn            |
/// | `deadlineReached`  | nothing           | nothing                         | child, at the end of the lease        |
/// | `restarted`        | child             | child                           | child                                 |
///
/// `requestOpened`, `enteredUnasked` and `extensionOpened` answer "needs a challenge"; anywhere else they are our own
/// bug.
/// The machine does not know who may do what (`Permissions.swift`), nor what a failure costs (`LockoutRules.swift`),
/// nor what is asked, and how long that stays open (`PresentationQueue.swift`).
struct ModeStateMachine: Hashable, Sendable {
    /// Somebody who waits for parent mode, or for a longer lease.
    struct Request: Hashable, Sendable {
        let id: RequestID
        let requester: Peer

        init(_ id: RequestID, by requester: Peer) {
            self.id = id
            self.requester = requester
        }

        func isBy(_ peer: Peer) -> Bool {
            requester.connection == peer.connection
        }
    }

    private enum State: Hashable, Sendable {
        /// A child is in charge, and nobody asks for anything else.
        ///
        /// Can go to: `verifying` (a challenge was opened), `parent` (an administrator's override, or toggle while
        /// nothing is set up).
        case child

        /// A challenge waits for its answer. The device is still a child's.
        ///
        /// Can go to: `parent` (right answer, override), `child` (everything else: wrong answer, dismissal, deadline,
        /// cancel, lock, the requester's death, no presenter left, override, restart).
        case verifying(Request)

        /// A grown-up is in charge until the lease ends. Meanwhile a challenge for a longer lease may be open; whatever
        /// becomes of it, short of a right answer, leaves the lease as it was.
        ///
        /// Can go to: `child` (toggle, lock, end of the lease, override, restart), `parent` (a longer lease).
        case parent(leaseEnd: BootTime, extension: Extension?)
    }

    /// A request for a longer lease, and how long the lease then lasts from the answer on.
    private struct Extension: Hashable, Sendable {
        let request: Request
        let duration: Duration
    }

    private var state = State.child

    /// What everybody may see.
    ///
    /// - Parameter deadline: when the open request about the mode closes by itself.
    func modeState(verifyingUntil deadline: BootTime?) -> ModeState {
        switch state {
        case .child: .closed
        case .verifying: ModeState(mode: .verifying, deadline: deadline)
        case .parent(let leaseEnd, _): ModeState(mode: .parent, deadline: leaseEnd)
        }
    }

    var isParent: Bool {
        switch state {
        case .child, .verifying: false
        case .parent: true
        }
    }

    /// Whoever waits for parent mode.
    var verifying: Request? {
        switch state {
        case .child, .parent: nil
        case .verifying(let request): request
        }
    }

    /// Whoever waits for parent mode, or for a longer lease.
    var openRequest: Request? {
        switch state {
        case .child: nil
        case .verifying(let request): request
        case .parent(_, let pending): pending?.request
        }
    }

    /// The first moment at which `deadlineReached` has something to do: the end of the lease.
    var nextDeadline: BootTime? {
        switch state {
        case .child, .verifying: nil
        case .parent(let leaseEnd, _): leaseEnd
        }
    }

    // MARK: - Going round

    enum ToggleResult: Hashable {
        /// Nothing has changed yet: open a challenge, and report it with `requestOpened`; or, where no challenge stands
        /// before parent mode, report `enteredUnasked`.
        case challengeNeeded
        /// This requester has asked before, and its request is still open (F-08).
        case askedAlready(RequestID)
        case othersRequestIsOpen
        /// Parent mode was left, with no challenge (F-04). A request for a longer lease went with it.
        case left(withdrawn: RequestID?)
    }

    /// One step round (F-02). The step from verifying to parent is not among them: only an answer makes it.
    mutating func toggled(by peer: Peer) -> ToggleResult {
        switch state {
        case .child:
            return .challengeNeeded
        case .verifying(let request):
            return request.isBy(peer) ? .askedAlready(request.id) : .othersRequestIsOpen
        case .parent(_, let pending):
            state = .child
            return .left(withdrawn: pending?.request.id)
        }
    }

    /// The challenge that `toggled` called for is open.
    mutating func requestOpened(_ request: Request) {
        switch state {
        case .child:
            state = .verifying(request)
        case .verifying, .parent:
            preconditionFailure("a challenge for parent mode opens in child mode only")
        }
    }

    /// `toggled` called for a challenge, and there is none to ask this administrator.
    mutating func enteredUnasked(until leaseEnd: BootTime) {
        switch state {
        case .child:
            state = .parent(leaseEnd: leaseEnd, extension: nil)
        case .verifying, .parent:
            preconditionFailure("parent mode begins in child mode")
        }
    }

    // MARK: - A longer lease

    enum ExtensionResult: Hashable {
        /// Nothing has changed yet: open a challenge that closes with the lease at the latest, and report it with
        /// `extensionOpened`.
        case challengeNeeded(leaseEnd: BootTime)
        /// This requester has asked for this duration before, and its request is still open.
        case askedAlready(RequestID)
        /// This requester's request is open, but for another duration.
        case otherDurationIsOpen
        case othersRequestIsOpen
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
            guard pending.request.isBy(peer) else { return .othersRequestIsOpen }
            return pending.duration == duration ? .askedAlready(pending.request.id) : .otherDurationIsOpen
        }
    }

    /// The challenge that `extensionAsked` called for is open. The mode stays parent meanwhile.
    mutating func extensionOpened(_ request: Request, for duration: Duration) {
        switch state {
        case .parent(let leaseEnd, nil):
            state = .parent(leaseEnd: leaseEnd, extension: Extension(request: request, duration: duration))
        case .child, .verifying, .parent(_, .some):
            preconditionFailure("a challenge for a longer lease opens in parent mode only, one at a time")
        }
    }

    enum LeaseResult: Hashable {
        case extended
        case notParent
    }

    /// The lease was given a new end without a challenge. Somebody's open request for it stays open.
    mutating func leaseExtended(until leaseEnd: BootTime) -> LeaseResult {
        switch state {
        case .child, .verifying:
            return .notParent
        case .parent(_, let pending):
            state = .parent(leaseEnd: leaseEnd, extension: pending)
            return .extended
        }
    }

    // MARK: - What becomes of a request

    enum AnswerResult: Hashable {
        /// Parent mode began.
        case entered(until: BootTime)
        /// The lease has a new end.
        case extended(until: BootTime, duration: Duration)
        /// This request is not open here.
        case nothingOpen
    }

    /// The challenge of this request was answered right.
    ///
    /// - Parameter lease: how long parent mode lasts if the answer lets it begin.
    mutating func answeredRight(_ id: RequestID, at now: BootTime, lease: Duration) -> AnswerResult {
        switch state {
        case .child, .parent(_, nil):
            return .nothingOpen
        case .verifying(let request):
            guard request.id == id else { return .nothingOpen }
            let leaseEnd = now.advanced(by: lease)
            state = .parent(leaseEnd: leaseEnd, extension: nil)
            return .entered(until: leaseEnd)
        case .parent(_, let pending?):
            guard pending.request.id == id else { return .nothingOpen }
            let newEnd = now.advanced(by: pending.duration)
            state = .parent(leaseEnd: newEnd, extension: nil)
            return .extended(until: newEnd, duration: pending.duration)
        }
    }

    /// This request ended without a right answer. The mode is what it was before it was asked (F-07). A tap beside the
    /// panel is `cancel`.
    mutating func requestFailed(_ id: RequestID) {
        switch state {
        case .child, .parent(_, nil):
            break
        case .verifying(let request):
            if request.id == id { state = .child }
        case .parent(let leaseEnd, let pending?):
            if pending.request.id == id { state = .parent(leaseEnd: leaseEnd, extension: nil) }
        }
    }

    // MARK: - Going back

    enum CancelResult: Hashable {
        case closed(RequestID)
        case nothingToCancel
    }

    /// Takes the request for parent mode back (F-03).
    ///
    /// Cancel changes nothing in parent mode, not even an open request for a longer lease, and nothing in child mode.
    mutating func cancelled() -> CancelResult {
        switch state {
        case .child, .parent:
            return .nothingToCancel
        case .verifying(let request):
            state = .child
            return .closed(request.id)
        }
    }

    enum LockResult: Hashable {
        /// Verifying ended; this was open.
        case closed(RequestID)
        /// Parent mode ended; a request for a longer lease went with it.
        case left(withdrawn: RequestID?)
        case alreadyChild
    }

    /// To child from anywhere, at once (G-12).
    mutating func locked() -> LockResult {
        switch state {
        case .child:
            return .alreadyChild
        case .verifying(let request):
            state = .child
            return .closed(request.id)
        case .parent(_, let pending):
            state = .child
            return .left(withdrawn: pending?.request.id)
        }
    }

    /// An administrator sets the mode: parent until `leaseEnd`, or child (`nil`). Returns the request that was
    /// withdrawn, if one was open.
    mutating func overridden(parentUntil leaseEnd: BootTime?) -> RequestID? {
        let withdrawn = openRequest?.id
        if let leaseEnd {
            state = .parent(leaseEnd: leaseEnd, extension: nil)
        } else {
            state = .child
        }
        return withdrawn
    }

    enum DeadlineResult: Hashable {
        /// Parent mode ran out (G-02); a request for a longer lease went with it.
        case leaseEnded(withdrawn: RequestID?)
        case nothingDue
    }

    /// Time has come to `now`.
    mutating func deadlineReached(_ now: BootTime) -> DeadlineResult {
        switch state {
        case .child, .verifying:
            return .nothingDue
        case .parent(let leaseEnd, let pending):
            guard leaseEnd <= now else { return .nothingDue }
            state = .child
            return .leaseEnded(withdrawn: pending?.request.id)
        }
    }

    /// The daemon starts, or closes for damage. What was open or in force is gone, without a word to anybody.
    mutating func restarted() {
        state = .child
    }
}
