import GateModel

/// Names a request. Counts up since the daemon started.
struct RequestID: Hashable, Sendable {
    let number: UInt64
}

/// What somebody waits for. It has exactly one presentation at a time (`OpenPresentation.request` says whose it is).
struct OpenRequest: Hashable, Sendable {
    enum Wish: Hashable, Sendable {
        case enterParentMode
        /// For so long from the answer on.
        case extendParentMode(Duration)
        case authorize(AuthorizationRequest)

        var purpose: Presentation.Purpose {
            switch self {
            case .enterParentMode: .enterParentMode
            case .extendParentMode: .extendParentMode
            case .authorize: .authorize
            }
        }
    }

    /// Who shows it, and how the requester hears what became of it.
    enum Route: Hashable, Sendable {
        /// The requester itself; it hears as the reply to its answer.
        case presentsItself
        /// A registered presenter; this call of the requester waits.
        case presenters(WaitID)
    }

    let id: RequestID
    let requester: Peer
    let wish: Wish
    let route: Route
    /// What the policy asked for when the steps in `answered` were answered; `nil` for the mode.
    var requirement: Requirement?
    /// The steps of the requirement that were answered right, by their ordinal, and where failures at them count.
    var answered: [Int: Lockout.Key] = [:]

    /// The gated action that is asked for; `nil` for the mode.
    var authorization: AuthorizationRequest? {
        switch wish {
        case .enterParentMode, .extendParentMode: nil
        case .authorize(let request): request
        }
    }

    var presentsItself: Bool {
        switch route {
        case .presentsItself: true
        case .presenters: false
        }
    }

    /// Whether it is about the mode of the whole device.
    var isAboutMode: Bool { authorization == nil }

    /// What the person who answers is shown of what it comes to, beside its purpose.
    var details: String {
        switch wish {
        case .enterParentMode: ""
        case .extendParentMode(let duration): "for \(duration.shortText)"
        case .authorize(let request): request.details
        }
    }

    /// The call that waits for what becomes of it.
    var wait: WaitID? {
        switch route {
        case .presentsItself: nil
        case .presenters(let wait): wait
        }
    }

    /// The same peer is the same connection: a second program of the same user is somebody else.
    func isRequested(by peer: Peer) -> Bool {
        requester.connection == peer.connection
    }
}

/// All requests that are open, in the order in which they came.
struct RequestBook: Hashable, Sendable {
    private(set) var open: [OpenRequest] = []
    private var lastRequest: UInt64 = 0
    private var lastWait: UInt64 = 0

    subscript(id: RequestID) -> OpenRequest? {
        open.first { $0.id == id }
    }

    func requests(of peer: Peer) -> [OpenRequest] {
        open.filter { $0.isRequested(by: peer) }
    }

    /// Somebody asks for something. What is asked, and by whom it is shown, is up to the caller.
    mutating func opened(
        _ wish: OpenRequest.Wish, by requester: Peer, presentsItself: Bool, requirement: Requirement?
    ) -> OpenRequest {
        lastRequest += 1
        let request = OpenRequest(
            id: RequestID(number: lastRequest), requester: requester, wish: wish,
            route: presentsItself ? .presentsItself : .presenters(callWaits()), requirement: requirement)
        open.append(request)
        return request
    }

    /// Some call has to wait for its answer. Names it.
    mutating func callWaits() -> WaitID {
        lastWait += 1
        return WaitID(lastWait)
    }

    /// A step of its requirement was answered right.
    mutating func answered(_ ordinal: Int, countedAt key: Lockout.Key, of id: RequestID) {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return }
        open[index].answered[ordinal] = key
    }

    /// The policy asks for something else now: what was answered before was answered to another question.
    mutating func requirementChanged(to requirement: Requirement, of id: RequestID) {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return }
        open[index].requirement = requirement
        open[index].answered = [:]
    }

    /// It is over. Returns it; `nil` where it was over before.
    mutating func closed(_ id: RequestID) -> OpenRequest? {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return nil }
        return open.remove(at: index)
    }

    /// Why nothing more of this peer's has room in the queue for presenters; `nil`: it has. Each request has one place.
    func refusalOfQueue(for peer: Peer) -> GateError? {
        let queued = open.filter { !$0.presentsItself }
        let rest = Limits.queuedPresentations - Limits.queuedForAdministrators
        guard queued.count < Limits.queuedPresentations,
            peer.isAdministrator || queued.count(where: { !$0.requester.isAdministrator }) < rest
        else { return .queueIsFull }
        return nil
    }

    /// Why this peer can't ask for one more thing; `nil`: it can.
    func refusal(for peer: Peer, _ wish: OpenRequest.Wish, presentsItself: Bool) -> GateError? {
        let ofUser = open.count { $0.requester.uid == peer.uid }
        guard peer.isAdministrator || ofUser < Limits.openRequests else { return .tooManyRequests }
        switch wish {
        case .enterParentMode, .extendParentMode:
            return nil
        case .authorize:
            let own = requests(of: peer).count { $0.presentsItself && $0.authorization != nil }
            return presentsItself && own >= Limits.ownPresentations ? .tooManyOwnPresentations : nil
        }
    }
}
