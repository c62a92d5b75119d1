import GateModel

/// One presentation: what is shown, which peer shows it, and how far it has come. A challenge is open until it is
/// answered; a sign-in, a paywall or a form is open until somebody has signed in, paid, or completed the form.
///
/// | event         | waiting          | offered                     | held                                  |
/// |---------------|------------------|-----------------------------|---------------------------------------|
/// | `offered`     | offered          | nothing                     | nothing                               |
/// | `claimed`     | our own bug      | held; while an answer is being checked: our own bug | our own bug   |
/// | `shown`       | nothing          | nothing                     | held, shown                           |
/// | `pressed`     | nothing          | nothing                     | held, a hold has begun                |
/// | `checkBegan`  | our own bug      | our own bug                 | held, being checked                   |
/// | `checkEnded`  | nothing          | offered, to be claimed again | held, open for another try           |
/// | `handedBack`  | nothing          | nothing                     | offered; what is being checked stands |
/// | `presentersAreFree` | patience runs or pauses | patience runs or pauses | patience pauses |
/// | `gaveWay`     | nothing          | waiting                     | waiting (never for questions)         |
///
/// `PresentationQueue` decides when each event happens.
struct QueuedPresentation: Hashable, Sendable {
    enum State: Hashable, Sendable {
        /// Every presenter that can show it has something else first. Can go to `offered`.
        case waiting
        /// A presenter may claim it. Can go to `held`, or to `waiting` if something else comes before it.
        case offered
        /// A presenter or the requester itself shows it. Can go to `offered` if that presenter leaves, and to `waiting`
        /// if it has to give way to something of a higher rank.
        case held(Holder)
    }

    /// The order in which presentations take screens. The mode comes first, since an open question about it keeps
    /// everybody else from asking for it. The cover comes last: a person who is to sign in may have to be asked
    /// something else before.
    enum Rank: Int, Comparable {
        case mode
        case question
        case other
        case cover

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }

        /// Whether it leaves a screen to something of a higher rank. A question stays: somebody may be looking at it.
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
        var isShown = false
        /// When the person began to hold the button; `nil`: not yet.
        var pressedAt: BootTime?
    }

    /// An answer to a question for a secret, while the daemon checks it. It stands even if the presenter leaves.
    struct Check: Hashable, Sendable {
        let requester: Owner
        let answerer: Peer
        /// The call that brought the answer; `nil` if it has ended.
        var wait: WaitID?
        /// What the answer is compared with. The outcome counts for nothing if the secret is replaced meanwhile.
        let reference: SecretReference
        /// The counter of guesses at which the answer counted when it was given; `nil`: none.
        let guess: Lockout.Key?
    }

    /// How often providers were asked to look for an earlier payment.
    struct Restores: Hashable, Sendable {
        var count: UInt32 = 0
        var last: BootTime?
    }

    let id: UInt64
    let request: RequestID
    let requester: Owner
    let screenTaker: ScreenTaker
    let step: Step
    /// The step's position in the requirement, from 0; 0 if there is no requirement.
    let ordinal: Int
    let content: SealedContent
    /// The age for which the question was chosen, in completed years; `nil`: unknown.
    let age: Int?
    let purpose: Presentation.Purpose
    let style: Presentation.Style
    let asked: PresentationContext
    /// Whether it is the cover that Gate raises by itself. The cover gives way to everything else, and does not expire.
    let isCover: Bool
    /// How long it stays open once it can be shown, and again from its first claim.
    let showTime: Duration
    /// The latest deadline it may have, such as the end of the lease that it is about; `nil`: no limit.
    let latestDeadline: BootTime?
    private(set) var deadline: BootTime
    private(set) var state = State.waiting
    /// Whether it has been on a screen, here or at guardians elsewhere. From then on, leaving it unanswered is charged.
    private(set) var wasClaimed = false
    /// Whether it has been on a screen of another owner than the requester, or has taken one.
    private(set) var wasOnOthersScreen = false
    /// The owners from whose screens something had to leave for it, or on whose screens something waits behind it. From
    /// then on, taking it back costs as much as if it had been on a screen. Otherwise a flood of questions, each taken
    /// back at once, could keep a form or the cover from ever being answered.
    private(set) var takenFrom: Set<Owner> = []
    /// The owners whose screens it took before, and whose presenters did not claim it.
    private var ignoredBy: Set<Owner> = []
    /// Since when it has been offered and not claimed, including times when it had to wait again; `nil` if it was not
    /// offered yet, or a presenter has claimed it.
    private(set) var offeredSince: BootTime?
    /// How long free presenters have left it unclaimed, in all, before `unclaimedSince`.
    private var unclaimedTime = Duration.zero
    /// Since when a free presenter has left it unclaimed; `nil` if none is free for it now.
    private var unclaimedSince: BootTime?
    /// Whether its time has begun to run.
    private var wasOffered = false
    /// Whether guardians of the household were asked on other devices, too.
    private(set) var isAskedElsewhere = false
    private(set) var check: Check?
    private var restores = Restores()
    /// The last holder before, whose cookie is refused as closed; `nil`: none.
    private var retired: Holder?

    init(
        id: UInt64, of request: OpenRequest, asking step: Step, ordinal: Int, content: SealedContent, age: Int? = nil,
        style: Presentation.Style, title: LocalizedText, showTime: Duration, before latestDeadline: BootTime?,
        until deadline: BootTime
    ) {
        self.id = id
        self.request = request.id
        requester = request.requester.owner
        screenTaker = request.screenTaker
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
            // A person can always dismiss a question.
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

    var isClaimable: Bool { holder == nil && check == nil }

    var wasAsked: Bool { step.isQuestion && wasClaimed }

    var tookScreen: Bool { !takenFrom.isEmpty }

    /// Whether it took a screen of another owner than the requester.
    var tookOthersScreen: Bool { takenFrom.contains { $0 != requester } }

    /// Whether it has taken a screen of this owner already. It then takes the screens of others first.
    func hasTakenScreen(of owner: Owner) -> Bool { takenFrom.contains(owner) || ignoredBy.contains(owner) }

    /// Whether this peer speaks for the screens that the question took, so that its answer shows that taking them was
    /// wanted. A grown-up's presenter does, and so does another owner than the requester if no third owner's screen was
    /// taken: a second child does not speak for a parent's screen.
    func isWanted(by peer: Peer) -> Bool {
        peer.isGrownUpPresenter || peer.owner != requester && takenFrom.isSubset(of: [peer.owner, requester])
    }

    /// When free presenters will have left it unclaimed for as long as they may; `nil` if none is free.
    var patienceEnd: BootTime? {
        unclaimedSince.map { $0.advanced(by: max(.zero, Limits.presenterPatience - unclaimedTime)) }
    }

    func isHeld(by connection: UInt64) -> Bool {
        holder?.peer.connection == connection
    }

    func refusal(of cookie: PresentationCookie, from peer: Peer, at now: BootTime) -> CookieRefusal? {
        if let retired, cookie.matches(retired.cookie) { return .closed }
        guard let holder, cookie.matches(holder.cookie), isHeld(by: peer.connection) else { return .forged }
        return now < deadline ? nil : .expired
    }

    // MARK: - Events

    /// Offers it to presenters. It gets a new deadline only the first time, so waiting again does not gain time.
    mutating func offered(at now: BootTime) {
        if holder == nil { offeredSince = offeredSince ?? now }
        switch state {
        case .waiting:
            state = .offered
            if !isCover, !wasOffered { deadline = capped(now.advanced(by: showTime)) }
            wasOffered = true
        case .offered, .held:
            break
        }
    }

    /// Notes that something left a screen of this owner for it. The first time, that owner's presenter gets the whole
    /// patience to claim it. Owners whose screens it took before now count as ignoring it, as they have not claimed it.
    mutating func tookScreen(of owner: Owner, at now: BootTime) {
        if !hasTakenScreen(of: owner) { (unclaimedTime, unclaimedSince) = (.zero, nil) }
        ignoredBy.formUnion(takenFrom)
        takenFrom = []
        standsInFront(on: owner)
        offeredSince = now
    }

    /// Notes whether a free presenter could take it. As long as one could, its patience with presenters runs; while
    /// all of them are busy, it pauses.
    mutating func presentersAreFree(_ areFree: Bool, at now: BootTime) {
        switch (unclaimedSince, areFree) {
        case (let since?, false): (unclaimedTime, unclaimedSince) = (unclaimedTime + since.duration(to: now), nil)
        case (nil, true): unclaimedSince = now
        case (.some, true), (nil, false): break
        }
    }

    /// Notes that something waits behind it on a screen of this owner, where it had been shown before.
    mutating func standsInFront(on owner: Owner) {
        takenFrom.insert(owner)
        if owner != requester { wasOnOthersScreen = true }
    }

    /// Makes it wait, because something else is shown first. Its cookie is no longer valid.
    mutating func gaveWay() {
        switch state {
        case .waiting: break
        case .offered: state = .waiting
        case .held(let holder):
            retired = holder
            state = .waiting
        }
        if isCover { deadline = .never }
    }

    /// Gives it to a peer that shows it. The deadline is new only the first time, so handing it on does not gain time.
    mutating func claimed(by peer: Peer, cookie: PresentationCookie, at now: BootTime) {
        switch state {
        case .offered:
            precondition(check == nil, "what is being checked can't be claimed")
            state = .held(Holder(peer: peer, cookie: cookie))
            offeredSince = nil
            presentersAreFree(false, at: now)
            if !wasClaimed, !isCover { deadline = capped(now.advanced(by: showTime)) }
            wasClaimed = true
            if peer.owner != requester { wasOnOthersScreen = true }
        case .waiting, .held:
            preconditionFailure("only what is on offer can be claimed")
        }
    }

    /// Limits how long the cover's holder keeps it, since another presenter could show it, too.
    mutating func othersAreThere(at now: BootTime) {
        switch state {
        case .held where isCover && deadline == .never: deadline = now.advanced(by: showTime)
        case .waiting, .offered, .held: break
        }
    }

    /// Notes that a person can see it. Returns whether that is new.
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

    /// Notes that a hold has begun. Pressing again starts it anew.
    mutating func pressed(at now: BootTime) {
        switch state {
        case .waiting, .offered:
            break
        case .held(var holder):
            holder.pressedAt = now
            state = .held(holder)
        }
    }

    /// Returns how long to wait before providers can be asked again; `nil` if they were asked.
    mutating func restoreAsked(at now: BootTime) -> Duration? {
        if let last = restores.last, last.duration(to: now) < Limits.restoreTime {
            return Limits.restoreTime - last.duration(to: now)
        }
        restores = Restores(count: restores.count &+ 1, last: now)
        return nil
    }

    mutating func checkBegan(_ check: Check) {
        switch state {
        case .held:
            precondition(self.check == nil, "one answer is checked at a time")
            self.check = check
        case .waiting, .offered:
            preconditionFailure("only the peer that holds a presentation answers it")
        }
    }

    mutating func checkEnded() -> Check? {
        defer { check = nil }
        return check
    }

    /// Forgets the call that brought the answer, since it has ended. The answer stands.
    mutating func checkingCallLost() {
        check?.wait = nil
    }

    /// Notes that guardians on other devices are asked from the beginning, so it is on screens elsewhere.
    mutating func askedElsewhere() {
        (isAskedElsewhere, wasClaimed) = (true, true)
    }

    /// Offers it again, because its presenter has left. Its deadline and an answer that was given stay.
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
