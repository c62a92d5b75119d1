import GateModel

/// Names a request. Counts up since the daemon started.
struct RequestID: Hashable, Sendable {
    let number: UInt64
}

/// Names a call that waits for its answer. Counts up since the daemon started.
public struct WaitID: Hashable, Sendable {
    public var number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }
}

extension Peer {
    /// Gate itself, as the one who is shown the cover reads it.
    static let gate = Peer(connection: 0, uid: 0, pid: 0, roles: [], program: "gated")
}

/// The thing that is asked for.
enum RequestKind: Hashable, Sendable {
    case enterParentMode
    /// For so long from the answer on.
    case extendParentMode(Duration)
    case authorize(AuthorizationRequest)
    /// The cover: Gate itself wants somebody to sign in (F-49), and somebody can or not.
    case signIn(hasAccounts: Bool)
    /// An entitlement, through a paywall that is shown like this (F-51, F-54).
    case pay(Paywall, Presentation.Style)
    /// A form is to be completed, from this response on: what was completed before is another one.
    case fillForm(FormInvitation, since: UInt64)
    /// Somebody is to be told what is new in an app (F-58).
    case whatsNew(WhatsNewNotice, WhatsNewKey)
    /// A yes or a no to a question of another device (H-04).
    case answer(HouseholdRequest)

    var purpose: Presentation.Purpose {
        switch self {
        case .enterParentMode: .enterParentMode
        case .extendParentMode: .extendParentMode
        case .authorize: .authorize
        case .signIn: .signIn
        case .pay: .pay
        case .fillForm: .fillForm
        case .whatsNew: .whatsNew
        case .answer(let request): request.purpose
        }
    }
}

/// A request that somebody waits for. It has exactly one presentation at a time (`QueuedPresentation.request` says whose
/// it is).
struct OpenRequest: Hashable, Sendable {
    /// The way of a presentation: who shows it, and how the requester hears the outcome.
    enum Route: Hashable, Sendable {
        /// The requester itself; it hears as the reply to its answer, or to this call, which waits for the state to close
        /// what is shown.
        case presentsItself(WaitID?)
        /// A registered presenter; this call of the requester waits. `nil`: nobody does.
        case presenters(WaitID?)
    }

    let id: RequestID
    let requester: Peer
    fileprivate(set) var kind: RequestKind
    fileprivate(set) var route: Route
    /// Whether the requester shows it itself once no presenter can. Until then presenters do.
    fileprivate(set) var mayPresentItself = false
    /// The requirement of the policy when the steps in `answered` were answered; `nil` for the mode.
    var requirement: Requirement?
    /// The steps of the requirement that were answered right, by their ordinal, and where failures at them count.
    var answered: [Int: Lockout.Key] = [:]
    /// Whether one of them was answered where the requester shows the steps itself: by the person in front of it, then.
    fileprivate(set) var wasAnsweredHere = false
    /// How many copies of its form the screens of other owners have saved.
    fileprivate(set) var copies = 0

    /// The holder of the form or of the news; `nil`: it is about neither.
    var holder: FormHolder? {
        switch kind {
        case .fillForm(let invitation, _): invitation.holder
        case .whatsNew(_, let key): key.holder
        case .enterParentMode, .extendParentMode, .authorize, .signIn, .pay, .answer: nil
        }
    }

    /// The words of another device, which are shown as they are there; `nil`: this device asks.
    var askedElsewhere: PresentationContext? {
        switch kind {
        case .answer(let request): request.asked
        case .enterParentMode, .extendParentMode, .authorize, .signIn, .pay, .fillForm, .whatsNew: nil
        }
    }

    /// Whether an app brought what is shown (F-85).
    var isAppsOwn: Bool {
        switch kind {
        case .fillForm(let invitation, _): AppsOwnName(invitation.name) != nil
        case .whatsNew(_, let key): AppsOwnName(key.app) != nil
        case .enterParentMode, .extendParentMode, .authorize, .signIn, .pay, .answer: false
        }
    }

    /// The gated action that is asked for; `nil` for the mode.
    var authorization: AuthorizationRequest? {
        switch kind {
        case .enterParentMode, .extendParentMode, .signIn, .pay, .fillForm, .whatsNew, .answer: nil
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
    var isAboutMode: Bool {
        switch kind {
        case .enterParentMode, .extendParentMode: true
        case .authorize, .signIn, .pay, .fillForm, .whatsNew, .answer: false
        }
    }

    /// Whether Gate raised it by itself.
    var isCover: Bool {
        switch kind {
        case .signIn: true
        case .enterParentMode, .extendParentMode, .authorize, .pay, .fillForm, .whatsNew, .answer: false
        }
    }

    /// The details that the person who answers is shown, beside the purpose.
    var details: String {
        switch kind {
        case .enterParentMode: ""
        case .signIn(let hasAccounts):
            hasAccounts
                ? ""
                : "Nobody has an account on this device yet. An administrator makes one: sudo gatectl register NAME"
        case .pay(let paywall, _): paywall.title
        case .fillForm(let invitation, _): invitation.title
        case .whatsNew(let notice, _): "\(notice.app) \(notice.entry.version)"
        case .extendParentMode(let duration): "for \(duration.shortText)"
        case .authorize(let request): request.details
        case .answer(let request): request.asked.details
        }
    }

    /// Where the details are a title of the policy, that in each of its languages. What an asker writes has none.
    var translatedDetails: [LocalizedText.Translation] {
        switch kind {
        case .pay(let paywall, _): paywall.titles.translations
        case .fillForm(let invitation, _): invitation.titles.translations
        case .enterParentMode, .extendParentMode, .authorize, .signIn, .whatsNew, .answer: []
        }
    }

    /// How long parent mode is to last from now on, where that is what is asked for.
    var duration: Duration? {
        switch kind {
        case .extendParentMode(let duration): duration
        case .enterParentMode, .authorize, .signIn, .pay, .fillForm, .whatsNew, .answer: nil
        }
    }

    /// The call that waits for what becomes of it.
    var wait: WaitID? {
        switch route {
        case .presentsItself(let wait), .presenters(let wait): wait
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
        _ kind: RequestKind, by requester: Peer, presentsItself: Bool, requirement: Requirement?
    ) -> OpenRequest {
        opened(
            kind, by: requester, presentsItself ? .presentsItself(nil) : .presenters(callWaits()),
            requirement: requirement)
    }

    /// Gate itself wants somebody to sign in; nobody waits for it.
    mutating func coverRaised(hasAccounts: Bool) -> OpenRequest {
        opened(.signIn(hasAccounts: hasAccounts), by: .gate, .presenters(nil), requirement: nil)
    }

    /// Another device asks; the answer goes there, and nobody here waits for it.
    mutating func heard(_ request: HouseholdRequest, from carrier: Peer) -> OpenRequest {
        opened(.answer(request), by: carrier, .presenters(nil), requirement: nil)
    }

    private mutating func opened(
        _ kind: RequestKind, by requester: Peer, _ route: OpenRequest.Route, requirement: Requirement?
    ) -> OpenRequest {
        lastRequest += 1
        let request = OpenRequest(
            id: RequestID(number: lastRequest), requester: requester, kind: kind, route: route,
            requirement: requirement)
        open.append(request)
        return request
    }

    /// The requester, which shows it itself, waits for the state to close what is shown. Returns the call that waited
    /// before, if one did.
    mutating func awaited(_ wait: WaitID, _ id: RequestID) -> WaitID? {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return nil }
        defer { open[index].route = .presentsItself(wait) }
        return open[index].wait
    }

    /// The requester of the call that waits shows it itself once no presenter can.
    mutating func mayPresentItself(_ wait: WaitID) {
        for index in open.indices where open[index].wait == wait { open[index].mayPresentItself = true }
    }

    /// It hears nothing more of this request.
    mutating func callLost(_ wait: WaitID) {
        for index in open.indices where open[index].presentsItself && open[index].wait == wait {
            open[index].route = .presentsItself(nil)
        }
    }

    /// The call that waits has its answer, and the request goes on.
    mutating func callAnswered(_ id: RequestID) {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return }
        open[index].route = .presentsItself(nil)
        open[index].mayPresentItself = false
    }

    /// Some call has to wait for its answer. Names it.
    mutating func callWaits() -> WaitID {
        lastWait += 1
        return WaitID(lastWait)
    }

    /// A step of its requirement was answered right.
    mutating func answered(_ ordinal: Int, countedAt key: Lockout.Key, of id: RequestID) {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return }
        let isOnlyHere = open[index].answered.isEmpty || open[index].wasAnsweredHere
        open[index].answered[ordinal] = key
        open[index].wasAnsweredHere = isOnlyHere && open[index].presentsItself
    }

    /// The policy asks for something else now: what was answered before was answered to another question.
    mutating func requirementChanged(to requirement: Requirement, of id: RequestID) {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return }
        open[index].requirement = requirement
        open[index].answered = [:]
        open[index].wasAnsweredHere = false
    }

    /// A screen of another owner saves a copy of the form that it shows. Returns whether there is room for one more.
    mutating func copySaved(_ id: RequestID) -> Bool {
        guard let index = open.firstIndex(where: { $0.id == id }), open[index].copies < Limits.copiesOfRequest else {
            return false
        }
        open[index].copies += 1
        return true
    }

    /// A response has come that is not the one that a form is asked for.
    mutating func passedOver(_ response: UInt64, to form: String, of holder: FormHolder) {
        for index in open.indices {
            guard case .fillForm(let invitation, _) = open[index].kind, invitation.name == form,
                invitation.holder == holder
            else { continue }
            open[index].kind = .fillForm(invitation, since: response + 1)
        }
    }

    /// It is over. Returns it; `nil` where it was over before.
    mutating func closed(_ id: RequestID) -> OpenRequest? {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return nil }
        return open.remove(at: index)
    }

    /// Why nothing more of this peer's has room in the queue for presenters; `nil`: it has. Each request has one place.
    func refusalOfQueue(for peer: Peer) -> GateError? {
        let queued = open.filter { !$0.presentsItself && !$0.isCover }
        let rest = Limits.queuedPresentations - Limits.queuedForAdministrators
        guard queued.count < Limits.queuedPresentations,
            peer.isAdministrator || queued.count(where: { !$0.requester.isAdministrator }) < rest
        else { return .queueIsFull }
        return nil
    }

    /// Why this peer can't ask for one more thing; `nil`: it can.
    func refusal(for peer: Peer, _ kind: RequestKind, presentsItself: Bool) -> GateError? {
        let ofOwner = open.count { $0.requester.owner == peer.owner && !$0.isCover && $0.askedElsewhere == nil }
        guard peer.isAdministrator || ofOwner < Limits.openRequests else { return .tooManyRequests }
        switch kind {
        case .enterParentMode, .extendParentMode, .signIn, .answer:
            return nil
        case .authorize, .pay, .fillForm, .whatsNew:
            return presentsItself && showsOwn(peer) ? .tooManyOwnPresentations : nil
        }
    }

    /// Whether this peer shows as much itself as it may. The mode does not count.
    func showsOwn(_ peer: Peer) -> Bool {
        let own = requests(of: peer).count {
            $0.requester.owner == peer.owner && $0.presentsItself && !$0.isAboutMode
        }
        return own >= Limits.ownPresentations
    }
}
