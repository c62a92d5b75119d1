import GateModel

/// Names a request. The numbers count up from the daemon's start.
struct RequestID: Hashable, Sendable {
    let number: UInt64
}

/// Names a call that waits for its answer. The numbers count up from the daemon's start.
public struct WaitID: Hashable, Sendable {
    public var number: UInt64

    public init(_ number: UInt64) {
        self.number = number
    }
}

extension Peer {
    /// Gate itself as a requester, as a person reads it on the cover.
    static let gate = Peer(connection: 0, uid: 0, pid: 0, roles: [], program: "gated")
}

enum RequestKind: Hashable, Sendable {
    case enterParentMode
    /// The duration counts from the answer.
    case extendParentMode(Duration)
    case authorize(AuthorizationRequest)
    /// The cover: Gate itself wants somebody to sign in. `hasAccounts`: whether anybody has a password for that.
    case signIn(hasAccounts: Bool)
    case pay(Paywall, Presentation.Style)
    /// A form, completed in a response with this id or a later one. Earlier responses don't count.
    case fillForm(FormInvitation, since: UInt64)
    case whatsNew(WhatsNewNotice, WhatsNewKey)
    /// A yes or no to a question of another device.
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

/// A request that is not over. It has exactly one presentation at a time, whose `request` names it.
struct OpenRequest: Hashable, Sendable {
    enum Route: Hashable, Sendable {
        /// The requester itself shows the presentation. It hears the outcome as the reply to its answer, or to this
        /// call, which waits for the state to close the presentation; `nil`: no call waits.
        case presentsItself(WaitID?)
        /// A registered presenter shows the presentation, and this call of the requester waits; `nil`: no call waits.
        case presenters(WaitID?)
    }

    let id: RequestID
    let requester: Peer
    fileprivate(set) var kind: RequestKind
    fileprivate(set) var route: Route
    /// Whether the requester shows the presentation itself once no presenter can, or none claims it.
    fileprivate(set) var mayPresentItself = false
    /// The requirement for which the steps in `answered` were answered; `nil` if no gated action is requested.
    var requirement: Requirement?
    /// The steps of the requirement that were answered right, by ordinal, each with the counter for failures at it.
    var answered: [Int: Lockout.Key] = [:]
    /// Whether all answered steps were answered on the requester's own screen, and so by the person in front of it.
    fileprivate(set) var wasAnsweredHere = false
    /// How many copies of its form the screens of other owners have saved.
    fileprivate(set) var copies = 0

    var holder: FormHolder? {
        switch kind {
        case .fillForm(let invitation, _): invitation.holder
        case .whatsNew(_, let key): key.holder
        case .enterParentMode, .extendParentMode, .authorize, .signIn, .pay, .answer: nil
        }
    }

    /// The words in which another device asks, which are shown here unchanged; `nil` if this device asks.
    var askedElsewhere: PresentationContext? {
        switch kind {
        case .answer(let request): request.asked
        case .enterParentMode, .extendParentMode, .authorize, .signIn, .pay, .fillForm, .whatsNew: nil
        }
    }

    var screenTaker: ScreenTaker {
        switch kind {
        case .answer(let request): .device(request.device)
        case .enterParentMode, .extendParentMode, .authorize, .signIn, .pay, .fillForm, .whatsNew:
            .owner(requester.owner)
        }
    }

    /// Whether an app brought the form or the release notes with its call.
    var isAppsOwn: Bool {
        switch kind {
        case .fillForm(let invitation, _): AppsOwnName(invitation.name) != nil
        case .whatsNew(_, let key): AppsOwnName(key.app) != nil
        case .enterParentMode, .extendParentMode, .authorize, .signIn, .pay, .answer: false
        }
    }

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

    var isAboutMode: Bool {
        switch kind {
        case .enterParentMode, .extendParentMode: true
        case .authorize, .signIn, .pay, .fillForm, .whatsNew, .answer: false
        }
    }

    var isCover: Bool {
        switch kind {
        case .signIn: true
        case .enterParentMode, .extendParentMode, .authorize, .pay, .fillForm, .whatsNew, .answer: false
        }
    }

    /// The details that are shown to the person who answers, beside the purpose.
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

    /// Only titles of the policy have translations, not details that a requester writes.
    var translatedDetails: [LocalizedText.Translation] {
        switch kind {
        case .pay(let paywall, _): paywall.titles.translations
        case .fillForm(let invitation, _): invitation.titles.translations
        case .enterParentMode, .extendParentMode, .authorize, .signIn, .whatsNew, .answer: []
        }
    }

    var duration: Duration? {
        switch kind {
        case .extendParentMode(let duration): duration
        case .enterParentMode, .authorize, .signIn, .pay, .fillForm, .whatsNew, .answer: nil
        }
    }

    var wait: WaitID? {
        switch route {
        case .presentsItself(let wait), .presenters(let wait): wait
        }
    }

    /// Whether this peer asked, over the same connection. A second program of the same user did not.
    func isRequested(by peer: Peer) -> Bool {
        requester.connection == peer.connection
    }
}

/// All open requests, in the order in which they came.
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

    mutating func opened(
        _ kind: RequestKind, by requester: Peer, presentsItself: Bool, requirement: Requirement?
    ) -> OpenRequest {
        opened(
            kind, by: requester, presentsItself ? .presentsItself(nil) : .presenters(callWaits()),
            requirement: requirement)
    }

    mutating func coverRaised(hasAccounts: Bool) -> OpenRequest {
        opened(.signIn(hasAccounts: hasAccounts), by: .gate, .presenters(nil), requirement: nil)
    }

    /// Opens a request for a question of another device. The answer goes there, and no call here waits for it.
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

    /// The requester shows its presentation, and waits for the state to close it. Returns the call that waited before.
    mutating func awaited(_ wait: WaitID, _ id: RequestID) -> WaitID? {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return nil }
        defer { open[index].route = .presentsItself(wait) }
        return open[index].wait
    }

    mutating func mayPresentItself(_ wait: WaitID) {
        for index in open.indices where open[index].wait == wait { open[index].mayPresentItself = true }
    }

    /// Forgets a waiting call that has ended. The request goes on.
    mutating func callLost(_ wait: WaitID) {
        for index in open.indices where open[index].presentsItself && open[index].wait == wait {
            open[index].route = .presentsItself(nil)
        }
    }

    /// Notes that the waiting call was answered with the presentation. From now on the requester shows it itself.
    mutating func callAnswered(_ id: RequestID) {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return }
        open[index].route = .presentsItself(nil)
        open[index].mayPresentItself = false
    }

    mutating func callWaits() -> WaitID {
        lastWait += 1
        return WaitID(lastWait)
    }

    mutating func answered(_ ordinal: Int, countedAt key: Lockout.Key, of id: RequestID) {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return }
        let isOnlyHere = open[index].answered.isEmpty || open[index].wasAnsweredHere
        open[index].answered[ordinal] = key
        open[index].wasAnsweredHere = isOnlyHere && open[index].presentsItself
    }

    /// The policy has changed. Drops the answers, too, since they were given to other questions.
    mutating func requirementChanged(to requirement: Requirement, of id: RequestID) {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return }
        open[index].requirement = requirement
        open[index].answered = [:]
        open[index].wasAnsweredHere = false
    }

    /// Returns false if another owner's screen can't save one more copy of the form.
    mutating func copySaved(_ id: RequestID) -> Bool {
        guard let index = open.firstIndex(where: { $0.id == id }), open[index].copies < Limits.copiesOfRequest else {
            return false
        }
        open[index].copies += 1
        return true
    }

    /// Notes that a response is not the one that a form was requested for, so that only later ones count.
    mutating func passedOver(_ response: UInt64, to form: String, of holder: FormHolder) {
        for index in open.indices {
            guard case .fillForm(let invitation, _) = open[index].kind, invitation.name == form,
                invitation.holder == holder
            else { continue }
            open[index].kind = .fillForm(invitation, since: response + 1)
        }
    }

    mutating func closed(_ id: RequestID) -> OpenRequest? {
        guard let index = open.firstIndex(where: { $0.id == id }) else { return nil }
        return open.remove(at: index)
    }

    /// Each request takes one place of the queue for presenters. Some places are kept for grown-ups and some for
    /// administrators, who use the places for everybody once their own are taken. Questions of other devices have
    /// places of their own (`HeardRequestBook`).
    func refusalOfQueue(for peer: Peer) -> GateError? {
        let queued = open.filter { !$0.presentsItself && !$0.isCover && $0.askedElsewhere == nil }.map(\.requester)
        let all = queued + [peer]
        let administrators = all.count { $0.isAdministrator }
        let grownUps = all.count { $0.isGrownUpPresenter && !$0.isAdministrator }
        let shared =
            max(0, administrators - Limits.queuedForAdministrators) + max(0, grownUps - Limits.queuedForGrownUps)
            + (all.count - administrators - grownUps)
        return shared <= Limits.queuedForEverybody ? nil : .queueIsFull
    }

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

    /// Whether this peer shows as many presentations itself as it may. Those about the mode don't count.
    func showsOwn(_ peer: Peer) -> Bool {
        let own = requests(of: peer).count {
            $0.requester.owner == peer.owner && $0.presentsItself && !$0.isAboutMode
        }
        return own >= Limits.ownPresentations
    }
}
