import GateModel

/// The mode of the device (F-01 … F-08, G-02): who is in charge, and who asks for something else.
///
/// | event              | child             | verifying                          | parent                                |
/// |--------------------|-------------------|------------------------------------|---------------------------------------|
/// | `toggled`          | needs a challenge | the same, or this owner is asked   | child; open requests are withdrawn    |
/// | `extensionAsked`   | refused           | refused                            | the same                              |
/// | `answeredRight`    | nothing           | parent, if it was a request of it  | longer lease, if it was a request of it |
/// | `requestFailed`    | nothing           | one fewer; child after the last    | the lease as it was                   |
/// | `cancelled`        | nothing           | the same                           | nothing                               |
/// | `locked`           | nothing           | child, unless others are asked     | child; open requests are withdrawn    |
/// | `leaseExtended`    | refused           | refused                            | longer lease, at once                 |
/// | `overridden`       | as told           | as told; requests withdrawn        | as told; requests withdrawn           |
/// | `deadlineReached`  | nothing           | nothing                            | child, at the end of the lease        |
/// | `restarted`        | child             | child                              | child                                 |
///
/// One request of each owner may be open: anyone who asks keeps nobody else from asking (T-04), and has no second guess at
/// the same time.
/// `requestOpened`, `enteredUnasked` and `extensionOpened` answer "needs a challenge"; anywhere else they are our own
/// bug.
/// The machine does not know who may do what (`Permissions.swift`, `LockRateLimit.swift`), nor what a failure costs
/// (`LockoutRules.swift`), nor what is asked, and how long that stays open (`PresentationQueue.swift`).
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

        /// Challenges wait for their answers: one at least, and one of each owner at most. The device is still a child's.
        ///
        /// Can go to: `parent` (a right answer, override), `child` (whatever else ends the last of them: wrong answer,
        /// dismissal, deadline, cancel, lock, the requester's death, no presenter left, override, restart).
        case verifying([Request])

        /// A grown-up is in charge until the lease ends.
        ///
        /// Can go to: `child` (toggle, lock, end of the lease, override, restart), `parent` (a longer lease).
        case parent(Lease)
    }

    /// Parent mode, until when, and by whom. Meanwhile challenges for a longer lease may be open; whatever becomes of
    /// them, short of a right answer, leaves it as it was.
    private struct Lease: Hashable, Sendable {
        var end: BootTime
        let enteredBy: Set<Owner>
        var extensions: [Extension] = []
    }

    /// A request for a longer lease, and how long the lease then lasts from the answer on.
    private struct Extension: Hashable, Sendable {
        let request: Request
        let duration: Duration
    }

    private var state = State.child

    /// The mode as everybody may see it.
    ///
    /// - Parameter deadline: when the open requests for parent mode have closed by themselves; `nil`: they wait to be
    ///   shown.
    func modeState(verifyingUntil deadline: BootTime?) -> ModeState {
        switch state {
        case .child: .closed
        case .verifying: ModeState(mode: .verifying, deadline: deadline)
        case .parent(let lease): ModeState(mode: .parent, deadline: lease.end)
        }
    }

    var isParent: Bool {
        switch state {
        case .child, .verifying: false
        case .parent: true
        }
    }

    /// All who wait for parent mode.
    var verifying: [Request] {
        switch state {
        case .child, .parent: []
        case .verifying(let requests): requests
        }
    }

    /// All who wait for parent mode, or for a longer lease.
    var openRequests: [Request] {
        switch state {
        case .child: []
        case .verifying(let requests): requests
        case .parent(let lease): lease.extensions.map(\.request)
        }
    }

    /// The owners who brought parent mode about; none: it is not parent mode.
    var enteredBy: Set<Owner> {
        switch state {
        case .child, .verifying: []
        case .parent(let lease): lease.enteredBy
        }
    }

    /// The first moment at which `deadlineReached` has something to do: the end of the lease.
    var nextDeadline: BootTime? {
        switch state {
        case .child, .verifying: nil
        case .parent(let lease): lease.end
        }
    }

    // MARK: - Going round

    enum ToggleResult: Hashable {
        /// Nothing has changed yet: open a challenge, and report it with `requestOpened`; or, where no challenge stands
        /// before parent mode, report `enteredUnasked`.
        case challengeNeeded
        /// This requester has asked before, and its request is still open (F-08).
        case askedAlready(RequestID)
        /// Another program of its owner has.
        case ownersRequestIsOpen
        /// Parent mode was left, with no challenge (F-04). Requests for a longer lease went with it.
        case left(withdrawn: [RequestID])
    }

    /// One step round (F-02). The step from verifying to parent is not among them: only an answer makes it.
    mutating func toggled(by peer: Peer) -> ToggleResult {
        switch state {
        case .child:
            return .challengeNeeded
        case .verifying(let requests):
            if let own = requests.first(where: { $0.isBy(peer) }) { return .askedAlready(own.id) }
            return requests.contains { $0.requester.owner == peer.owner } ? .ownersRequestIsOpen : .challengeNeeded
        case .parent(let lease):
            state = .child
            return .left(withdrawn: lease.extensions.map(\.request.id))
        }
    }

    /// The challenge that `toggled` called for is open.
    mutating func requestOpened(_ request: Request) {
        switch state {
        case .child:
            state = .verifying([request])
        case .verifying(let requests):
            precondition(
                !requests.contains { $0.requester.owner == request.requester.owner },
                "one challenge for parent mode is open for each owner")
            state = .verifying(requests + [request])
        case .parent:
            preconditionFailure("no challenge for parent mode opens in parent mode")
        }
    }

    /// `toggled` called for a challenge, and there is none to ask this administrator. Returns the requests that were
    /// withdrawn.
    mutating func enteredUnasked(by peer: Peer, until leaseEnd: BootTime) -> [RequestID] {
        switch state {
        case .child, .verifying:
            let withdrawn = openRequests.map(\.id)
            state = .parent(Lease(end: leaseEnd, enteredBy: [peer.owner]))
            return withdrawn
        case .parent:
            preconditionFailure("parent mode begins outside it")
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
        /// Another program of its owner has asked.
        case ownersRequestIsOpen
        case notParent
    }

    /// Somebody wants a longer lease, and a challenge stands before it (G-02).
    mutating func extensionAsked(by peer: Peer, for duration: Duration) -> ExtensionResult {
        switch state {
        case .child, .verifying:
            return .notParent
        case .parent(let lease):
            if let own = lease.extensions.first(where: { $0.request.isBy(peer) }) {
                return own.duration == duration ? .askedAlready(own.request.id) : .otherDurationIsOpen
            }
            let isOwnersOpen = lease.extensions.contains { $0.request.requester.owner == peer.owner }
            return isOwnersOpen ? .ownersRequestIsOpen : .challengeNeeded(leaseEnd: lease.end)
        }
    }

    /// The challenge that `extensionAsked` called for is open. The mode stays parent meanwhile.
    mutating func extensionOpened(_ request: Request, for duration: Duration) {
        switch state {
        case .parent(var lease):
            precondition(
                !lease.extensions.contains { $0.request.requester.owner == request.requester.owner },
                "one challenge for a longer lease is open for each owner")
            lease.extensions.append(Extension(request: request, duration: duration))
            state = .parent(lease)
        case .child, .verifying:
            preconditionFailure("a challenge for a longer lease opens in parent mode only")
        }
    }

    enum LeaseResult: Hashable {
        case extended
        case notParent
    }

    /// The lease was given a new end without a challenge. Open requests for it stay open.
    mutating func leaseExtended(until leaseEnd: BootTime) -> LeaseResult {
        switch state {
        case .child, .verifying:
            return .notParent
        case .parent(var lease):
            lease.end = leaseEnd
            state = .parent(lease)
            return .extended
        }
    }

    // MARK: - What becomes of a request

    enum AnswerResult: Hashable {
        /// Parent mode began. The requests of others for it were withdrawn.
        case entered(until: BootTime, withdrawn: [RequestID])
        /// The lease has a new end.
        case extended(until: BootTime, duration: Duration)
        /// This request is not open here.
        case nothingOpen
    }

    /// The challenge of this request was answered right.
    ///
    /// - Parameters:
    ///   - answerer: may leave parent mode as freely as the requester.
    ///   - lease: how long parent mode lasts if the answer lets it begin.
    mutating func answeredRight(
        _ id: RequestID, by answerer: Peer, at now: BootTime, lease: Duration
    ) -> AnswerResult {
        switch state {
        case .child:
            return .nothingOpen
        case .verifying(let requests):
            guard let request = requests.first(where: { $0.id == id }) else { return .nothingOpen }
            let leaseEnd = now.advanced(by: lease)
            state = .parent(Lease(end: leaseEnd, enteredBy: [request.requester.owner, answerer.owner]))
            return .entered(until: leaseEnd, withdrawn: requests.map(\.id).filter { $0 != id })
        case .parent(var lease):
            guard let index = lease.extensions.firstIndex(where: { $0.request.id == id }) else { return .nothingOpen }
            let duration = lease.extensions.remove(at: index).duration
            lease.end = now.advanced(by: duration)
            state = .parent(lease)
            return .extended(until: lease.end, duration: duration)
        }
    }

    /// This request ended without a right answer. The mode is what it was before it was asked (F-07). A tap beside the
    /// panel is `cancel`.
    mutating func requestFailed(_ id: RequestID) {
        switch state {
        case .child:
            break
        case .verifying(let requests):
            let rest = requests.filter { $0.id != id }
            state = rest.isEmpty ? .child : .verifying(rest)
        case .parent(var lease):
            lease.extensions.removeAll { $0.request.id == id }
            state = .parent(lease)
        }
    }

    // MARK: - Going back

    enum CancelResult: Hashable {
        case closed([RequestID])
        case nothingToCancel
    }

    /// Takes a request for parent mode back (F-03): one's own; for an administrator who has none, those of all.
    ///
    /// Cancel changes nothing in parent mode, not even an open request for a longer lease, and nothing in child mode.
    mutating func cancelled(by peer: Peer) -> CancelResult {
        switch state {
        case .child, .parent:
            return .nothingToCancel
        case .verifying(let requests):
            let own = requests.filter { $0.isBy(peer) }
            let closed = own.isEmpty && peer.isAdministrator ? requests : own
            let rest = requests.filter { !closed.contains($0) }
            state = rest.isEmpty ? .child : .verifying(rest)
            return closed.isEmpty ? .nothingToCancel : .closed(closed.map(\.id))
        }
    }

    enum LockResult: Hashable {
        /// Verifying ended; these were open.
        case closed([RequestID])
        /// Parent mode ended; requests for a longer lease went with it.
        case left(withdrawn: [RequestID])
        /// Somebody else is being asked, and goes on being asked.
        case othersAreAsked
        case alreadyChild
    }

    /// Goes to child mode, at once (G-12). What another owner is being asked is closed by administrators alone (T-04).
    mutating func locked(by peer: Peer) -> LockResult {
        switch state {
        case .child:
            return .alreadyChild
        case .verifying(let requests):
            guard peer.isAdministrator || requests.allSatisfy({ $0.requester.owner == peer.owner }) else {
                return .othersAreAsked
            }
            state = .child
            return .closed(requests.map(\.id))
        case .parent(let lease):
            state = .child
            return .left(withdrawn: lease.extensions.map(\.request.id))
        }
    }

    /// An administrator sets the mode: parent until `leaseEnd`, or child (`nil`). Returns the requests that were
    /// withdrawn.
    mutating func overridden(by peer: Peer, parentUntil leaseEnd: BootTime?) -> [RequestID] {
        let withdrawn = openRequests.map(\.id)
        if let leaseEnd {
            state = .parent(Lease(end: leaseEnd, enteredBy: [peer.owner]))
        } else {
            state = .child
        }
        return withdrawn
    }

    enum DeadlineResult: Hashable {
        /// Parent mode ran out (G-02); requests for a longer lease went with it.
        case leaseEnded(withdrawn: [RequestID])
        case nothingDue
    }

    /// Time has come to `now`.
    mutating func deadlineReached(_ now: BootTime) -> DeadlineResult {
        switch state {
        case .child, .verifying:
            return .nothingDue
        case .parent(let lease):
            guard lease.end <= now else { return .nothingDue }
            state = .child
            return .leaseEnded(withdrawn: lease.extensions.map(\.request.id))
        }
    }

    /// The daemon starts, or closes for damage. What was open or in force is gone, without a word to anybody.
    mutating func restarted() {
        state = .child
    }
}
