import GateModel

/// The mode of the device: whether a child or a grown-up is in charge, and which requests wait to change that.
///
/// | event             | child          | verifying                            | parent                             |
/// |-------------------|----------------|--------------------------------------|------------------------------------|
/// | `toggled`         | challenge      | challenge, unless already asked      | child; requests are withdrawn      |
/// | `extensionAsked`  | refused        | refused                              | challenge, unless already asked    |
/// | `answeredRight`   | nothing        | parent, if the request is open       | longer lease, if it is open        |
/// | `requestFailed`   | nothing        | one fewer; child after the last      | the lease stays                    |
/// | `cancelled`       | nothing        | own ends; child after the last       | nothing                            |
/// | `locked`          | nothing        | child, unless other owners are asked | child; requests are withdrawn      |
/// | `leaseExtended`   | refused        | refused                              | a new end of the lease, at once    |
/// | `overridden`      | the mode named | the mode named; requests withdrawn   | the mode named; requests withdrawn |
/// | `deadlineReached` | nothing        | nothing                              | child, at the end of the lease     |
/// | `restarted`       | child          | child                                | child                              |
///
/// Each owner can have one open request ("already asked"). So a requester keeps no other owner from asking, and can't
/// make two guesses at the same time.
///
/// `requestOpened`, `enteredUnasked` and `extensionOpened` follow a "challenge" in the table. In any other state they
/// are a bug of ours and trap.
///
/// Other files decide who may do what (`Permission`, `Interruptions.swift`), what a failure costs
/// (`LockoutRules.swift`), and what is asked and how long it stays open (`PresentationQueue.swift`).
struct ModeStateMachine: Hashable, Sendable {
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
        /// A child is in charge, and no request is open.
        ///
        /// Can go to `verifying` (a challenge was opened) or `parent` (an administrator's override, or an
        /// administrator's toggle while nothing is set up).
        case child

        /// One or more challenges for parent mode are open, at most one of each owner. A child is still in charge.
        ///
        /// Can go to `parent` (a right answer, override, or an administrator's toggle while nothing is set up) or
        /// `child` (the last challenge ends in another way: wrong answer, dismissal, deadline, cancel, lock, lost
        /// requester, no presenter left, override, restart).
        case verifying([Request])

        /// A grown-up is in charge until the lease ends.
        ///
        /// Can go to `child` (toggle, lock, the lease's end, override, restart) or `parent` (override, a longer lease).
        case parent(Lease)
    }

    /// Parent mode: when it ends, and which owners began it. Open requests for a longer lease change it only if they
    /// are answered correctly.
    private struct Lease: Hashable, Sendable {
        var end: BootTime
        let enteredBy: Set<Owner>
        var extensions: [Extension] = []
    }

    /// A request for a longer lease. `duration` counts from the answer.
    private struct Extension: Hashable, Sendable {
        let request: Request
        let duration: Duration
    }

    private var state = State.child

    /// `deadline`: when the last open request for parent mode expires; `nil`: they still wait to be shown. It is
    /// computed only while the mode is `verifying`.
    func modeState(verifyingUntil deadline: @autoclosure () -> BootTime?) -> ModeState {
        switch state {
        case .child: .closed
        case .verifying: ModeState(mode: .verifying, deadline: deadline())
        case .parent(let lease): ModeState(mode: .parent, deadline: lease.end)
        }
    }

    var isParent: Bool {
        switch state {
        case .child, .verifying: false
        case .parent: true
        }
    }

    var verifying: [Request] {
        switch state {
        case .child, .parent: []
        case .verifying(let requests): requests
        }
    }

    var openRequests: [Request] {
        switch state {
        case .child: []
        case .verifying(let requests): requests
        case .parent(let lease): lease.extensions.map(\.request)
        }
    }

    var enteredBy: Set<Owner> {
        switch state {
        case .child, .verifying: []
        case .parent(let lease): lease.enteredBy
        }
    }

    var nextDeadline: BootTime? {
        switch state {
        case .child, .verifying: nil
        case .parent(let lease): lease.end
        }
    }

    // MARK: - Toggling

    enum ToggleResult: Hashable {
        /// The state is unchanged. Open a challenge and call `requestOpened`; or `enteredUnasked` if none is set up.
        case challengeNeeded
        /// This requester's earlier request is still open.
        case askedAlready(RequestID)
        /// A request of another program of this owner is open.
        case ownersRequestIsOpen
        /// Parent mode ended without a challenge. Requests for a longer lease were withdrawn.
        case left(withdrawn: [RequestID])
    }

    /// Toggles once. In `verifying` that never leads to parent mode; only a right answer does.
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

    /// An administrator enters parent mode after `challengeNeeded`, because there is no challenge to ask. Returns the
    /// requests that were withdrawn.
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
        /// The state is unchanged. Open a challenge that expires no later than the lease, and call `extensionOpened`.
        case challengeNeeded(leaseEnd: BootTime)
        /// This requester's earlier request for this duration is still open.
        case askedAlready(RequestID)
        case otherDurationIsOpen
        case ownersRequestIsOpen
        case notParent
    }

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

    /// The challenge after `challengeNeeded` was opened. The mode stays parent.
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

    /// Sets the end of the lease without a challenge. Requests for a longer lease stay open.
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

    // MARK: - The end of a request

    enum AnswerResult: Hashable {
        /// Parent mode began. The other requests for it were withdrawn.
        case entered(until: BootTime, withdrawn: [RequestID])
        case extended(until: BootTime, duration: Duration)
        case nothingOpen
    }

    /// `answerer` is the peer that answered: its owner may end parent mode as freely as the requester's. `lease` is the
    /// length of parent mode if this answer begins it.
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

    /// This request ended without a right answer. The mode is what it was before the request, unless others are still
    /// open. (A tap beside the panel does not come here; it is a `cancel`.)
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

    // MARK: - Back to child mode

    enum CancelResult: Hashable {
        case closed([RequestID])
        case nothingToCancel
    }

    /// Cancels the peer's own requests for parent mode. If an administrator has none, all requests are cancelled. In
    /// parent mode nothing happens, not even to requests for a longer lease.
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
        case closed([RequestID])
        case left(withdrawn: [RequestID])
        case othersAreAsked
        case alreadyChild
    }

    /// Goes to child mode at once. Questions to another owner are closed only for administrators.
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

    /// An administrator sets parent mode until `leaseEnd`, or child mode if that is `nil`. Returns withdrawn requests.
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
        case leaseEnded(withdrawn: [RequestID])
        case nothingDue
    }

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

    /// The daemon starts, or closes because of damage. Open requests and the lease are dropped silently.
    mutating func restarted() {
        state = .child
    }
}
