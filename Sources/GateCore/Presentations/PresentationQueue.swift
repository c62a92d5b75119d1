import GateModel

/// The presentations and who shows them (F-05, F-17): the modal queue for presenters, the presentations that requesters
/// show themselves, and the presenters that come and go.
///
/// Of the queue only the first is offered, and only one presenter has it; the others wait in their order. What a
/// requester shows itself is on a screen of its own, and waits for nobody. How far a single presentation has come, and
/// where it can go, is in `QueuedPresentation`.
///
/// | event              | what it does                                                                            |
/// |--------------------|-----------------------------------------------------------------------------------------|
/// | `registered`       | a presenter is there, or can do other things than before; displaces nobody              |
/// | `presenterLost`    | what it had claimed is on offer again                                                   |
/// | `opened`           | joins the queue (for the mode: right behind the first), or is on its requester's screen; the cover gives way |
/// | `replaced`         | takes the place of its request's presentation before                                    |
/// | `claimed`          | anyone who is first and able has it                                                        |
/// | `closed`           | it is gone; the next one in the queue is offered                                        |
///
/// That nobody is left who can show something is for `Redeciding.swift` to find.
struct PresentationQueue: Hashable, Sendable {
    private struct Presenter: Hashable, Sendable {
        let peer: Peer
        let abilities: PresenterAbilities

        func canShow(_ step: Step, _ style: Presentation.Style) -> Bool {
            abilities.kinds.contains(step.kind) && abilities.styles.contains(style)
                && mayShow(step)
        }

        /// Anyone may stand in front of a screen of its own, and a secret is all that tells a grown-up there.
        func mayShow(_ step: Step) -> Bool {
            guard step.isForGrownUpPresenters else { return true }
            return peer.isGrownUpPresenter && (step.isSecret || !abilities.hasScreenOfItsOwn)
        }
    }

    /// The presenters by connection.
    private var presenters: [UInt64: Presenter] = [:]
    /// For presenters, in the order in which they are shown.
    private var queue: [QueuedPresentation] = []
    /// Shown by their requesters, in the order in which they were opened.
    private var ownScreens: [QueuedPresentation] = []
    /// Answers to presentations that were closed while these were being checked, by the presentation: they are guesses all the same.
    private var lateChecks: [UInt64: QueuedPresentation.Check] = [:]

    // MARK: - Reading

    /// All that are open: those on screens of their own, then the queue.
    var open: [QueuedPresentation] { ownScreens + queue }

    var queuedCount: Int { queue.count }

    func presentation(_ id: UInt64) -> QueuedPresentation? {
        queue.first { $0.id == id } ?? ownScreens.first { $0.id == id }
    }

    func presentation(of request: RequestID) -> QueuedPresentation? {
        queue.first { $0.request == request } ?? ownScreens.first { $0.request == request }
    }

    /// The presentation that this presenter may show now: on offer and within its abilities, or claimed by itself.
    func presentation(forPresenter connection: UInt64) -> QueuedPresentation? {
        guard let front = queue.first, let presenter = presenters[connection] else { return nil }
        switch front.state {
        case .waiting: return nil
        case .offered:
            return front.check == nil && presenter.canShow(front.step, front.style) ? front : nil
        case .held: return front.isHeld(by: connection) ? front : nil
        }
    }

    /// The presentation that another presenter has on its screen and this one may not show, and where that is. What another device asks
    /// is told to nobody else.
    func elsewhere(forPresenter connection: UInt64) -> PresentationElsewhere? {
        guard let front = queue.first, front.asked.device.isEmpty, let presenter = presenters[connection],
            !presenter.mayShow(front.step),
            let holder = front.holder.flatMap({ presenters[$0.peer.connection] })
        else { return nil }
        return PresentationElsewhere(
            front.summary, on: holder.abilities.hasScreenOfItsOwn ? .screenOfItsOwn : .grownUp)
    }

    /// Whether some presenter that is there can show this.
    func canShow(_ step: Step, _ style: Presentation.Style) -> Bool {
        presenters.values.contains { $0.canShow(step, style) }
    }

    /// The connections that are registered, or whose answer is being checked.
    var connections: Set<UInt64> {
        Set(presenters.keys).union(open.compactMap { $0.check?.answerer.connection })
    }

    var presenterAbilities: [UInt64: PresenterAbilities] { presenters.mapValues(\.abilities) }

    /// The first moment at which something expires.
    var nextDeadline: BootTime? {
        open.reduce(nil) { $0.earlier($1.deadline == .never ? nil : $1.deadline) }
    }

    /// The presentation that expires first, if it is due.
    func expired(at now: BootTime) -> QueuedPresentation? {
        open.filter { $0.deadline <= now }.min { $0.deadline < $1.deadline }
    }

    // MARK: - Presenters

    /// A peer shows presentations from now on, or shows others than before. Returns what it had claimed and can't show
    /// any more, which is on offer again.
    mutating func registered(_ peer: Peer, _ abilities: PresenterAbilities) -> QueuedPresentation? {
        let presenter = Presenter(peer: peer, abilities: abilities)
        presenters[peer.connection] = presenter
        guard let front = queue.first, front.isHeld(by: peer.connection),
            !presenter.canShow(front.step, front.style)
        else { return nil }
        return handedBack()
    }

    enum LossResult: Hashable {
        /// It was not registered.
        case wasNone
        /// The presenter's claim is on offer again; `nil`: it had claimed nothing.
        case left(handedBack: QueuedPresentation?)
    }

    /// A presenter has left, or its connection has ended.
    mutating func presenterLost(_ connection: UInt64) -> LossResult {
        guard presenters.removeValue(forKey: connection) != nil else { return .wasNone }
        guard let front = queue.first, front.isHeld(by: connection) else { return .left(handedBack: nil) }
        return .left(handedBack: handedBack())
    }

    private mutating func handedBack() -> QueuedPresentation {
        queue[0].handedBack()
        return queue[0]
    }

    // MARK: - Presentations

    /// For presenters: the last in the queue. What is about the mode keeps everybody from asking for it, so that goes
    /// before whatever else waits; the first stays where it is, for somebody may be looking at it.
    ///
    /// The cover stands behind everything, and gives way even while it is on a screen: anyone who is to sign in may
    /// need parent mode first (F-70).
    mutating func opened(_ presentation: QueuedPresentation, at now: BootTime) {
        if let first = queue.indices.first, queue[first].isCover, !presentation.isCover { queue[first].gaveWay() }
        let end = queue.firstIndex { $0.isCover } ?? queue.endIndex
        let place = queue.dropFirst().firstIndex { !$0.isAboutMode }
        queue.insert(presentation, at: presentation.isAboutMode ? min(place ?? end, end) : end)
        offerFirst(at: now)
    }

    /// For the requester itself.
    mutating func opened(
        _ presentation: QueuedPresentation, by requester: Peer, cookie: PresentationCookie, at now: BootTime
    ) -> Presentation? {
        var presentation = presentation
        presentation.offered(at: now)
        presentation.claimed(by: requester, cookie: cookie, at: now)
        ownScreens.append(presentation)
        return presentation.presentation
    }

    /// Another one of the same request takes its place in the queue.
    mutating func replaced(with presentation: QueuedPresentation, at now: BootTime) {
        if let index = queue.firstIndex(where: { $0.request == presentation.request }) {
            keepCheck(of: queue[index])
            queue[index] = presentation
        } else {
            queue.insert(presentation, at: queue.firstIndex { $0.isCover } ?? queue.endIndex)
        }
        offerFirst(at: now)
    }

    enum ClaimResult: Hashable {
        case claimed(Presentation)
        /// Somebody else was quicker, another one is shown first, or it is gone.
        case closed
        case notPermitted
    }

    /// A presenter wants to show it. Draws a new cookie if it may.
    mutating func claimed(
        _ id: UInt64, by peer: Peer, at now: BootTime, using random: inout some RandomNumberGenerator
    ) -> ClaimResult {
        guard let index = queue.firstIndex(where: { $0.id == id }) else { return .closed }
        guard let presenter = presenters[peer.connection],
            presenter.canShow(queue[index].step, queue[index].style)
        else { return .notPermitted }
        switch queue[index].state {
        case .waiting, .held:
            return .closed
        case .offered:
            guard queue[index].check == nil else { return .closed }
            queue[index].claimed(
                by: peer, cookie: PresentationCookie(presentation: id, using: &random), at: now)
            return queue[index].presentation.map { .claimed($0) } ?? .closed
        }
    }

    /// It is gone. Returns it; the next in the queue is offered.
    mutating func closed(_ request: RequestID, at now: BootTime) -> QueuedPresentation? {
        if let index = ownScreens.firstIndex(where: { $0.request == request }) {
            keepCheck(of: ownScreens[index])
            return ownScreens.remove(at: index)
        }
        guard let index = queue.firstIndex(where: { $0.request == request }) else { return nil }
        defer { offerFirst(at: now) }
        keepCheck(of: queue[index])
        return queue.remove(at: index)
    }

    private mutating func keepCheck(of presentation: QueuedPresentation) {
        lateChecks[presentation.id] = presentation.check
    }

    /// The check that runs for a presentation, which may be closed.
    func check(of id: UInt64) -> QueuedPresentation.Check? {
        presentation(id)?.check ?? lateChecks[id]
    }

    /// The surroundings have looked. Returns what was being checked.
    mutating func checkEnded(of id: UInt64) -> QueuedPresentation.Check? {
        update(id) { $0.checkEnded() } ?? lateChecks.removeValue(forKey: id)
    }

    /// Whatever happens to a single presentation while it stays open. Returns what the event returns.
    mutating func update<Result>(_ id: UInt64, _ event: (inout QueuedPresentation) -> Result) -> Result? {
        if let index = queue.firstIndex(where: { $0.id == id }) { return event(&queue[index]) }
        if let index = ownScreens.firstIndex(where: { $0.id == id }) { return event(&ownScreens[index]) }
        return nil
    }

    /// The presenter that has the cover keeps it as long as nobody else could show it; else for its time, should it
    /// hang (F-70). Returns whether it has a deadline by that.
    mutating func coverIsShared(at now: BootTime) -> Bool {
        guard let front = queue.first, front.isCover, front.deadline == .never, let holder = front.holder else {
            return false
        }
        let others = presenters.filter { $0.key != holder.peer.connection }.values
        guard others.contains(where: { $0.canShow(front.step, front.style) }) else { return false }
        queue[0].othersAreThere(at: now)
        return true
    }

    private mutating func offerFirst(at now: BootTime) {
        guard !queue.isEmpty else { return }
        queue[0].offered(at: now)
    }
}
