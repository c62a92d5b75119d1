import GateModel

/// One thing that is shown. A challenge waits for its one answer, a sign-in or a paywall for the state. Here is what is shown of it, to whom, and how far it has come.
///
/// | event         | waiting          | offered                     | held                                  |
/// |---------------|------------------|-----------------------------|---------------------------------------|
/// | `offered`     | offered          | nothing                     | nothing                               |
/// | `claimed`     | our own bug      | held, unless being checked  | our own bug                           |
/// | `shown`       | nothing          | nothing                     | held, shown                           |
/// | `pressed`     | nothing          | nothing                     | held, a hold has begun                |
/// | `checkBegan`  | our own bug      | our own bug                 | held, being checked                   |
/// | `checkEnded`  | nothing          | offered, to be claimed again | held, open for another try           |
/// | `handedBack`  | nothing          | nothing                     | offered; what is being checked stands |
/// | `gaveWay`     | nothing          | waiting                     | waiting (covers alone)                |
///
/// `PresentationQueue` decides when which of them happens.
struct QueuedPresentation: Hashable, Sendable {
    /// The state: who has it.
    enum State: Hashable, Sendable {
        /// Every presenter that can show it has another one first. Goes to `offered`.
        case waiting
        /// A presenter may claim it. Goes to `held`, or to `waiting` if another one comes before it.
        case offered
        /// Somebody shows it: a presenter, or the requester itself. Goes to `offered` if that presenter leaves, and to `waiting` if it has
        /// to give way to something of a higher rank.
        case held(Holder)
    }

    /// The order in which presentations take screens. The mode comes first, since an open question about it keeps everybody from asking
    /// for it. The cover comes last: somebody who is to sign in may have to be asked something else before.
    enum Rank: Int, Comparable {
        case mode
        case question
        case other
        case cover

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }

        /// Whether it leaves a screen to something of a higher rank. A question stays once somebody may be looking at it.
        var givesWay: Bool {
            switch self {
            case .mode, .question: false
            case .other, .cover: true
            }
        }
    }

    struct Holder: Hashable, Sendable {
        let peer: Peer
        let cookie: PresentationCookie
        /// Whether a person can see it.
        var isShown = false
        /// When a hold has begun.
        var pressedAt: BootTime?
    }

    /// An answer to a question for a secret, while the daemon checks it. It stands, even if the presenter goes.
    struct Check: Hashable, Sendable {
        /// The owner whose question it answers.
        let requester: Owner
        /// The peer that gave it.
        let answerer: Peer
        /// The call that brought it; `nil`: it is gone, and nobody has to be told.
        var wait: WaitID?
        /// The secret that it is compared with. An outcome counts for nothing once that was replaced.
        let reference: SecretReference
        /// Where it counted when it was given; `nil`: nowhere.
        let guess: Lockout.Key?
    }

    /// How often somebody has asked to look for a payment that was made already.
    struct Restores: Hashable, Sendable {
        var count: UInt32 = 0
        /// When it was asked last.
        var last: BootTime?
    }

    let id: UInt64
    let request: RequestID
    /// The owner who is billed for the request.
    let requester: Owner
    let step: Step
    /// Which step of the requirement it is, counted from 0; 0 where there is no requirement.
    let ordinal: Int
    let content: SealedContent
    /// The age of the person who was signed in when it was drawn, in completed years; `nil`: unknown.
    let age: Int?
    let purpose: Presentation.Purpose
    let style: Presentation.Style
    let asked: PresentationContext
    /// The cover that Gate raises by itself. It gives way to whatever else is shown, and is never over by itself (F-64).
    let isCover: Bool
    /// How long it stays open once it can be shown, and again from when somebody shows it.
    let showTime: Duration
    /// No deadline of it is later: a question about a lease ends with the lease.
    let latestDeadline: BootTime?
    /// When it closes by itself.
    private(set) var deadline: BootTime
    private(set) var state = State.waiting
    /// Whether somebody has had it on a screen: from then on, leaving it unanswered costs something.
    private(set) var wasClaimed = false
    /// Whether it has been on a screen of somebody else than the requester: of another owner's presenter.
    private(set) var wasOnOthersScreen = false
    /// The owners from whose screens something had to leave for it. From then on, taking it back costs what it costs on a screen: a flood
    /// of questions that are taken back at once would keep a form, or the cover, from ever being answered.
    private(set) var takenFrom: Set<Owner> = []
    /// The owners whose screens it took before, and whose presenters let it lie.
    private var letLieBy: Set<Owner> = []
    /// Since when it has been on offer, or has waited for another presenter, without a presenter that took it; `nil`: it has not, or a
    /// presenter has taken it.
    private(set) var offeredSince: BootTime?
    /// Since when it has been on offer without a break; `nil`: it is not.
    private(set) var onOfferSince: BootTime?
    /// Whether its time has begun to run.
    private var wasOffered = false
    /// Whether guardians of the household were asked it, too.
    private(set) var isAskedElsewhere = false
    private(set) var check: Check?
    private var restores = Restores()
    /// The presenter that had it before, and its cookie.
    private var retired: Holder?

    /// Nobody has it yet.
    init(
        id: UInt64, of request: OpenRequest, asking step: Step, ordinal: Int, content: SealedContent, age: Int? = nil,
        style: Presentation.Style, title: LocalizedText, showTime: Duration, before latestDeadline: BootTime?,
        until deadline: BootTime
    ) {
        self.id = id
        self.request = request.id
        requester = request.requester.owner
        self.step = step
        self.ordinal = ordinal
        self.content = content
        self.age = age
        self.style = style
        self.showTime = showTime
        self.latestDeadline = latestDeadline
        purpose = request.kind.purpose
        isCover = request.isCover
        self.deadline = isCover ? .never : min(deadline, latestDeadline ?? deadline)
        asked =
            request.askedElsewhere
            ?? PresentationContext(
                uid: request.requester.uid, pid: request.requester.pid, program: request.requester.program,
                gatedAction: request.authorization?.gatedAction ?? "", title: title,
                details: request.details, translatedDetails: request.translatedDetails, duration: request.duration,
                isAppsOwn: request.isAppsOwn, broker: request.requester.broker)
    }

    // MARK: - Reading

    /// For the journal.
    var name: String {
        asked.gatedAction.isEmpty ? "\(step.name) \(id)" : "\(step.name) \(id), \(asked.gatedAction)"
    }

    var summary: PresentationSummary {
        PresentationSummary(
            id: id, purpose: purpose, kind: step.kind, deadline: deadline, style: style,
            // Anyone who is asked something can always leave it.
            isDismissible: !isCover, stage: stage, asked: asked, restoreCount: restores.count,
            provider: step.provider)
    }

    var stage: Presentation.Stage {
        switch state {
        case .waiting: .waiting
        case .offered: .offered
        case .held(let holder): holder.isShown ? .shown : .claimed
        }
    }

    var holder: Holder? {
        switch state {
        case .waiting, .offered: nil
        case .held(let holder): holder
        }
    }

    /// With content and cookie, for the one who holds it.
    var presentation: Presentation? {
        holder.map { Presentation(summary, cookie: $0.cookie, content: content.content) }
    }

    var rank: Rank {
        guard !isCover else { return .cover }
        guard step.isQuestion else { return .other }
        guard asked.device.isEmpty else { return .question }
        return switch purpose {
        case .enterParentMode, .extendParentMode: .mode
        case .authorize, .signIn, .pay, .fillForm, .whatsNew, .unrecognized: .question
        }
    }

    /// Whether a presenter may have it: none has it, and no answer to it is being checked.
    var isClaimable: Bool { holder == nil && check == nil }

    /// Whether it is a question that somebody has had on a screen.
    var wasAsked: Bool { step.isQuestion && wasClaimed }

    /// Whether something had to leave a screen for it.
    var tookScreen: Bool { !takenFrom.isEmpty }

    /// Whether that was a screen of another owner than the requester.
    var tookOthersScreen: Bool { takenFrom.contains { $0 != requester } }

    /// Whether it has taken a screen of this owner already: it takes others first.
    func hasTakenScreen(of owner: Owner) -> Bool { takenFrom.contains(owner) || letLieBy.contains(owner) }

    /// Whether an answer of this peer speaks for the screens that it took: a grown-up's presenter does, and so does the one owner whose
    /// screens they are. A second child who answers does not speak for a parent's screen.
    func isWanted(by peer: Peer) -> Bool {
        peer.isGrownUpPresenter || peer.owner != requester && takenFrom.isSubset(of: [peer.owner, requester])
    }

    func isHeld(by connection: UInt64) -> Bool {
        holder?.peer.connection == connection
    }

    /// Why this cookie does not let `peer` answer now; `nil` if it does.
    func refusal(of cookie: PresentationCookie, from peer: Peer, at now: BootTime) -> CookieRefusal? {
        if let retired, cookie.matches(retired.cookie) { return .closed }
        guard let holder, cookie.matches(holder.cookie), isHeld(by: peer.connection) else { return .forged }
        return now < deadline ? nil : .expired
    }

    // MARK: - Events

    /// A presenter may have it now. Only the first time gives it a new deadline: to wait once more is not a way to gain time.
    mutating func offered(at now: BootTime) {
        if holder == nil { (offeredSince, onOfferSince) = (offeredSince ?? now, onOfferSince ?? now) }
        switch state {
        case .waiting:
            state = .offered
            if !isCover, !wasOffered { deadline = capped(now.advanced(by: showTime)) }
            wasOffered = true
        case .offered, .held:
            break
        }
    }

    /// Something else has left a screen of this owner's for it. Its presenter has the whole patience to take it; the presenters of the
    /// screens that it took before have let it lie.
    mutating func tookScreen(of owner: Owner, at now: BootTime) {
        letLieBy.formUnion(takenFrom)
        takenFrom = []
        standsInFront(on: owner)
        (offeredSince, onOfferSince) = (now, nil)
    }

    /// It is shown on a screen of this owner's while something else waits that stood there.
    mutating func standsInFront(on owner: Owner) {
        takenFrom.insert(owner)
        if owner != requester { wasOnOthersScreen = true }
    }

    /// Something else is shown first: it gives way, and its cookie opens nothing any more.
    mutating func gaveWay() {
        onOfferSince = nil
        switch state {
        case .waiting: break
        case .offered: state = .waiting
        case .held(let holder):
            retired = holder
            state = .waiting
        }
        if isCover { deadline = .never }
    }

    /// Somebody shows it from now on. Only the first time gives it a new deadline: being handed on is not a way to gain
    /// time.
    mutating func claimed(by peer: Peer, cookie: PresentationCookie, at now: BootTime) {
        switch state {
        case .offered:
            precondition(check == nil, "what is being checked can't be claimed")
            state = .held(Holder(peer: peer, cookie: cookie))
            (offeredSince, onOfferSince) = (nil, nil)
            if !wasClaimed, !isCover { deadline = capped(now.advanced(by: showTime)) }
            wasClaimed = true
            if peer.owner != requester { wasOnOthersScreen = true }
        case .waiting, .held:
            preconditionFailure("only what is on offer can be claimed")
        }
    }

    /// Somebody else could show the cover, too: anyone who has it now has it for so long.
    mutating func othersAreThere(at now: BootTime) {
        switch state {
        case .held where isCover && deadline == .never: deadline = now.advanced(by: showTime)
        case .waiting, .offered, .held: break
        }
    }

    /// A person can see it. Returns whether that is news.
    mutating func shown() -> Bool {
        switch state {
        case .waiting, .offered:
            return false
        case .held(var holder):
            guard !holder.isShown else { return false }
            holder.isShown = true
            state = .held(holder)
            return true
        }
    }

    /// A hold has begun; pressing again begins anew.
    mutating func pressed(at now: BootTime) {
        switch state {
        case .waiting, .offered:
            break
        case .held(var holder):
            holder.pressedAt = now
            state = .held(holder)
        }
    }

    /// Providers are to look for a payment that was made already.
    ///
    /// - Returns: how long it is to be waited until that can be asked again; `nil`: it was asked.
    mutating func restoreAsked(at now: BootTime) -> Duration? {
        if let last = restores.last, last.duration(to: now) < Limits.restoreTime {
            return Limits.restoreTime - last.duration(to: now)
        }
        restores = Restores(count: restores.count &+ 1, last: now)
        return nil
    }

    /// An answer was given that the daemon has to check.
    mutating func checkBegan(_ check: Check) {
        switch state {
        case .held:
            precondition(self.check == nil, "one answer is checked at a time")
            self.check = check
        case .waiting, .offered:
            preconditionFailure("only the peer that holds a presentation answers it")
        }
    }

    /// The check has ended. Returns what was being checked.
    mutating func checkEnded() -> Check? {
        defer { check = nil }
        return check
    }

    /// The call that brought the answer is gone; the answer stands.
    mutating func checkingCallLost() {
        check?.wait = nil
    }

    /// Guardians of the household are asked it, too, from the beginning: it is on screens elsewhere.
    mutating func askedElsewhere() {
        (isAskedElsewhere, wasClaimed) = (true, true)
    }

    /// Its presenter is gone. The deadline stays, and so does an answer that was given.
    mutating func handedBack() {
        switch state {
        case .waiting, .offered:
            break
        case .held(let holder):
            retired = holder
            state = .offered
            if isCover { deadline = .never }
        }
    }

    private func capped(_ deadline: BootTime) -> BootTime {
        min(deadline, latestDeadline ?? deadline)
    }
}
