package import GateModel

/// The presentations and who shows them: the queue for presenters, the presentations that requesters show themselves,
/// and the presenters that come and go.
///
/// A presenter is one screen and shows one presentation at a time. It is offered the first presentation that it can
/// show and that no other presenter has. So a form may fill one screen for an hour while questions go to the others. A
/// requester that shows its own presentation waits for no screen.
///
/// The queue is ordered by `Rank`. If no presenter is free for a presentation, it takes a screen from one of a lower
/// rank, so a grown-up's question does not wait behind a form. What gave way is offered again afterwards.
///
/// | event              | what it does                                                                            |
/// |--------------------|-----------------------------------------------------------------------------------------|
/// | `registered`       | a presenter is there, or can do other things than before                                |
/// | `presenterLost`    | what it had claimed is on offer again                                                   |
/// | `opened`           | joins the queue behind its rank, or is on its requester's screen                        |
/// | `replaced`         | takes the place of its request's presentation before                                    |
/// | `claimed`          | the presenter that it is offered to has it; other presenters are offered the next       |
/// | `closed`           | it is gone; its presenter is offered the next                                           |
///
/// `QueuedPresentation` says how far a single presentation has come, and where it can go. `Redeciding.swift` finds out
/// if no presenter is left that can show something.
package struct PresentationQueue: Hashable, Sendable {
    struct Presenter: Hashable, Sendable {
        let peer: Peer
        let abilities: PresenterAbilities

        func canShow(_ open: QueuedPresentation) -> Bool { canShow(open.step, open.style, for: open.requester) }

        /// - Parameter requester: who asks for it; `nil`: another device, or Gate itself.
        func canShow(_ step: Step, _ style: Presentation.Style, for requester: Owner?) -> Bool {
            abilities.kinds.contains(step.kind) && abilities.styles.contains(style)
                && mayShow(step, for: requester)
        }

        /// Whether the rules allow the step on this screen. A child's session shows only what that child asks for, and
        /// of it no secret and nothing that a grown-up has to answer. Only a grown-up's presenter shows steps for
        /// grown-ups; anybody may be in front of Gate's own screen, so of these it shows only secrets.
        func mayShow(_ step: Step, for requester: Owner?) -> Bool {
            guard peer.isPresenter else {
                return peer.owner == requester && !step.isSecret && !step.isForGrownUpPresenters
            }
            guard step.isForGrownUpPresenters else { return true }
            return peer.isGrownUpPresenter && (step.isSecret || !abilities.hasScreenOfItsOwn)
        }
    }

    private(set) var presenters: [UInt64: Presenter] = [:]
    /// The owners and devices that left too much unanswered on others' screens, and so may take none of them.
    private(set) var heldBack: Set<ScreenTaker> = []
    /// The presentations for presenters, in the order in which they are shown.
    private var queue: [QueuedPresentation] = []
    /// The presentations that their requesters show, in the order in which they were opened.
    private var ownScreens: [QueuedPresentation] = []
    /// Running checks of presentations that were closed meanwhile. Their answers still count as guesses.
    private var lateChecks: [UInt64: QueuedPresentation.Check] = [:]

    // MARK: - Reading

    /// All open presentations: those that requesters show, then the queue.
    var open: [QueuedPresentation] { ownScreens + queue }

    var queuedCount: Int { queue.count }

    func presentation(_ id: UInt64) -> QueuedPresentation? {
        queue.first { $0.id == id } ?? ownScreens.first { $0.id == id }
    }

    func presentation(of request: RequestID) -> QueuedPresentation? {
        queue.first { $0.request == request } ?? ownScreens.first { $0.request == request }
    }

    /// What this presenter may show now; empty for a connection that is not a presenter.
    package func offer(to connection: UInt64) -> PresenterOffer {
        guard let presenter = presenters[connection] else { return PresenterOffer() }
        return PresenterOffer(
            (held(by: connection) ?? next(for: presenter)).map { queue[$0].summary },
            elsewhere: elsewhere(for: presenter),
            isCovered: queue.last.map { $0.isCover && presenter.canShow($0) } ?? false)
    }

    /// A presentation that another presenter shows and this one may not, and on which screen. Questions of other
    /// devices are never reported here, and a child's session only gets its own questions.
    private func elsewhere(for presenter: Presenter) -> PresentationElsewhere? {
        guard
            let shown = queue.first(where: {
                $0.holder != nil && $0.asked.device.isEmpty && !presenter.mayShow($0.step, for: $0.requester)
                    && (presenter.peer.isPresenter || $0.requester == presenter.peer.owner)
            }),
            let holder = shown.holder.flatMap({ presenters[$0.peer.connection] })
        else { return nil }
        return PresentationElsewhere(
            shown.summary, on: holder.abilities.hasScreenOfItsOwn ? .screenOfItsOwn : .grownUp)
    }

    func canShow(_ step: Step, _ style: Presentation.Style, for requester: Owner?) -> Bool {
        presenters.values.contains { $0.canShow(step, style, for: requester) }
    }

    func canShow(_ step: Step, _ style: Presentation.Style, onScreenOf owner: Owner) -> Bool {
        presenters.values.contains { $0.peer.owner == owner && $0.canShow(step, style, for: owner) }
    }

    /// The connections that are registered, or whose answer is being checked.
    var connections: Set<UInt64> {
        Set(presenters.keys).union(open.compactMap { $0.check?.answerer.connection })
    }

    // Inlined, so that no command copies the queue to ask for this.
    @inline(__always) var nextDeadline: BootTime? {
        open.isEmpty
            ? patienceEnd : open.reduce(patienceEnd) { $0.earlier($1.deadline == .never ? nil : $1.deadline) }
    }

    /// When the last question ends that guardians elsewhere may have on a screen now; `nil` if there is none. A
    /// question that waits for a screen of this device does not count: its time has not begun.
    func endOfAskedElsewhere(besides request: RequestID) -> BootTime? {
        open.filter { $0.isAskedElsewhere && $0.request != request && $0.state != .waiting }.map(\.deadline).max()
    }

    func expired(at now: BootTime) -> QueuedPresentation? {
        open.filter { $0.deadline <= now }.min { $0.deadline < $1.deadline }
    }

    // MARK: - Presenters

    func hasRoomForPresenter(_ peer: Peer) -> Bool {
        presenters[peer.connection] != nil
            || presenters.values.count { $0.peer.owner == peer.owner } < Limits.presentersOfOwner
    }

    /// Returns the presentation that the presenter had claimed and can't show any more, which is on offer again.
    mutating func registered(
        _ peer: Peer, _ abilities: PresenterAbilities, at now: BootTime
    ) -> QueuedPresentation? {
        let presenter = Presenter(peer: peer, abilities: abilities)
        presenters[peer.connection] = presenter
        defer { settleOffers(at: now) }
        guard let index = held(by: peer.connection), !presenter.canShow(queue[index]) else {
            return nil
        }
        return handedBack(index)
    }

    enum LossResult: Hashable {
        case wasNone
        /// The presentation that the presenter had claimed, which is on offer again; `nil`: it had claimed nothing.
        case left(handedBack: QueuedPresentation?)
    }

    mutating func presenterLost(_ connection: UInt64, at now: BootTime) -> LossResult {
        guard presenters.removeValue(forKey: connection) != nil else { return .wasNone }
        defer { settleOffers(at: now) }
        return .left(handedBack: held(by: connection).map { handedBack($0) })
    }

    private mutating func handedBack(_ index: Int) -> QueuedPresentation {
        queue[index].handedBack()
        return queue[index]
    }

    // MARK: - Presentations

    /// The presentation goes behind all others of its rank.
    mutating func opened(_ presentation: QueuedPresentation, at now: BootTime) {
        queue.insert(presentation, at: queue.firstIndex { $0.rank > presentation.rank } ?? queue.endIndex)
        settleOffers(at: now)
    }

    mutating func opened(
        _ presentation: QueuedPresentation, by requester: Peer, cookie: PresentationCookie, at now: BootTime
    ) -> Presentation? {
        var presentation = presentation
        presentation.offered(at: now)
        presentation.claimed(by: requester, cookie: cookie, at: now)
        ownScreens.append(presentation)
        return presentation.presentation
    }

    /// The new presentation takes its request's place in the queue, or the nearest place in its rank.
    mutating func replaced(with presentation: QueuedPresentation, at now: BootTime) {
        var place = 0
        if let index = queue.firstIndex(where: { $0.request == presentation.request }) {
            keepCheck(of: queue.remove(at: index))
            place = index
        }
        let first = queue.firstIndex { $0.rank >= presentation.rank } ?? queue.endIndex
        let end = queue.firstIndex { $0.rank > presentation.rank } ?? queue.endIndex
        queue.insert(presentation, at: min(max(place, first), end))
        settleOffers(at: now)
    }

    enum ClaimResult: Hashable {
        case claimed(Presentation)
        /// Another presenter was quicker, something else is shown first, or the presentation is gone.
        case closed
        case notPermitted
    }

    /// Gives a presentation to a presenter that claims it, with a new cookie, if that presenter may show it now.
    mutating func claimed(
        _ id: UInt64, by peer: Peer, at now: BootTime, using random: inout some RandomNumberGenerator
    ) -> ClaimResult {
        guard let index = queue.firstIndex(where: { $0.id == id }) else { return .closed }
        guard let presenter = presenters[peer.connection],
            presenter.canShow(queue[index])
        else { return .notPermitted }
        guard held(by: peer.connection) == nil, next(for: presenter) == index else { return .closed }
        // Another question pushed a form off this screen, and the form still waits. This question keeps it away, too.
        if queue[index].requester != peer.owner, isWaitedFor(presenter, by: { $0.wasClaimed }) {
            queue[index].standsInFront(on: peer.owner)
        }
        queue[index].claimed(by: peer, cookie: PresentationCookie(presentation: id, using: &random), at: now)
        let presentation = queue[index].presentation
        settleOffers(at: now)
        return presentation.map { .claimed($0) } ?? .closed
    }

    /// Removes the request's presentation and returns it; `nil` if there is none. The next one in the queue is offered.
    mutating func closed(_ request: RequestID, at now: BootTime) -> QueuedPresentation? {
        if let index = ownScreens.firstIndex(where: { $0.request == request }) {
            keepCheck(of: ownScreens[index])
            return ownScreens.remove(at: index)
        }
        guard let index = queue.firstIndex(where: { $0.request == request }) else { return nil }
        defer { settleOffers(at: now) }
        keepCheck(of: queue[index])
        return queue.remove(at: index)
    }

    private mutating func keepCheck(of presentation: QueuedPresentation) {
        lateChecks[presentation.id] = presentation.check
    }

    /// Ends the check of an answer. Returns what was being checked; `nil` if nothing was.
    mutating func checkEnded(of id: UInt64, at now: BootTime) -> QueuedPresentation.Check? {
        defer { settleOffers(at: now) }
        return update(id) { $0.checkEnded() } ?? lateChecks.removeValue(forKey: id)
    }

    /// Returns the event's result; `nil` if the presentation is not open.
    mutating func update<Result>(_ id: UInt64, _ event: (inout QueuedPresentation) -> Result) -> Result? {
        if let index = queue.firstIndex(where: { $0.id == id }) { return event(&queue[index]) }
        if let index = ownScreens.firstIndex(where: { $0.id == id }) { return event(&ownScreens[index]) }
        return nil
    }

    /// Gives the cover a deadline if another presenter could show it, too, in case its holder hangs. Otherwise the
    /// holder keeps it. Returns whether it got a deadline.
    mutating func coverIsShared(at now: BootTime) -> Bool {
        guard let index = queue.firstIndex(where: \.isCover), queue[index].deadline == .never,
            let holder = queue[index].holder
        else { return false }
        let others = presenters.filter { $0.key != holder.peer.connection }.values
        guard others.contains(where: { $0.canShow(queue[index]) }) else { return false }
        queue[index].othersAreThere(at: now)
        return true
    }

    // MARK: - Offers

    private func held(by connection: UInt64) -> Int? {
        queue.firstIndex { $0.isHeld(by: connection) }
    }

    /// The index in the queue of the presentation that this presenter may claim once it has none.
    private func next(for presenter: Presenter) -> Int? {
        queue.indices.first { queue[$0].isClaimable && isFor(presenter, queue[$0]) }
    }

    /// Whether a presentation may stand on this presenter's screen. A form, paywall or the like does not go to another
    /// owner's screen if a screen of the requester's owner can show it. An owner or device that is held back gets
    /// another owner's screen only for a question, and only if nothing of others that could give way is on that screen
    /// or waits for it.
    private func isFor(_ presenter: Presenter, _ open: QueuedPresentation) -> Bool {
        guard presenter.canShow(open) else { return false }
        switch open.rank {
        case .cover: return true
        case .mode, .question:
            return presenter.peer.owner == open.requester || !heldBack.contains(open.screenTaker)
                || !isWaitedFor(presenter, by: { $0.requester != open.requester })
        case .other:
            return presenter.peer.owner == open.requester
                || !heldBack.contains(open.screenTaker) && !canShow(open.step, open.style, onScreenOf: open.requester)
        }
    }

    /// Whether a presentation that gives way, and passes the filter, is on this presenter's screen or waits for it.
    private func isWaitedFor(_ presenter: Presenter, by filter: (QueuedPresentation) -> Bool) -> Bool {
        queue.contains {
            $0.rank.givesWay && $0.holder.map { $0.peer.connection == presenter.peer.connection } ?? true
                && presenter.canShow($0) && filter($0)
        }
    }

    /// Offers each presentation that has no presenter, or lets it wait. It is offered if it is the next for a free
    /// presenter, if its answer is being checked, or if no presenter can show it: nothing is in front of it then, so
    /// its time runs.
    private mutating func settleOffers(at now: BootTime) {
        while let (lower, owner, taker) = nextToGiveWay(at: now) {
            queue[taker].tookScreen(of: owner, at: now)
            queue[lower].gaveWay()
        }
        let free = presenters.values.filter { held(by: $0.peer.connection) == nil }
        let offered = Set(free.compactMap { next(for: $0) })
        for index in queue.indices where queue[index].holder == nil {
            let open = queue[index]
            let isOffered =
                offered.contains(index) || open.check != nil
                || !presenters.values.contains { isFor($0, open) }
            if isOffered { queue[index].offered(at: now) } else { queue[index].gaveWay() }
            queue[index].presentersAreFree(isOffered || free.contains { isFor($0, open) }, at: now)
        }
    }

    /// The presentation that has to give its screen up next, the screen's owner, and the presentation that takes the
    /// screen; `nil` if none has to. The requester's own screens come first. Screens whose owners have had the question
    /// already come last, so that presenters which never show it keep it from no other screen. Otherwise the presenter
    /// with the oldest connection comes first.
    private func nextToGiveWay(at now: BootTime) -> (lower: Int, owner: Owner, taker: Int)? {
        for index in queue.indices where queue[index].isClaimable {
            let (able, lower) = screens(for: index)
            let hasWaited = queue[index].offeredSince.map { $0.advanced(by: Limits.presenterPatience) <= now } ?? false
            guard hasWaited || able.allSatisfy({ held(by: $0.peer.connection) != nil }) else { continue }
            let asked = queue[index]
            func order(_ holder: Peer) -> (Int, Int, UInt64) {
                (
                    asked.hasTakenScreen(of: holder.owner) ? 1 : 0, holder.owner == asked.requester ? 0 : 1,
                    holder.connection
                )
            }
            if let first = lower.min(by: { order($0.holder) < order($1.holder) }) {
                return (first.index, first.holder.owner, index)
            }
        }
        return nil
    }

    /// The presenters that can show this presentation, and what would give way to it on their screens.
    private func screens(for index: Int) -> (able: [Presenter], lower: [(index: Int, holder: Peer)]) {
        let able = presenters.values.filter { isFor($0, queue[index]) }
        // A freed screen goes to the presentation that is next for it. If that is another one, freeing it is useless.
        let lower = able.filter { next(for: $0) == index }.compactMap { presenter in
            held(by: presenter.peer.connection).map { (index: $0, holder: presenter.peer) }
        }.filter { queue[$0.index].rank > queue[index].rank && queue[$0.index].rank.givesWay }
        return (able, lower)
    }

    // MARK: - Patience

    /// The earliest time at which a question stops waiting for free presenters to claim it, and takes another screen;
    /// `nil` if none will. The time runs for the question, so presenters that come and go don't prolong it.
    private var patienceEnd: BootTime? {
        queue.indices.reduce(nil) { end, index in
            guard queue[index].isClaimable, let since = queue[index].offeredSince, !screens(for: index).lower.isEmpty
            else { return end }
            return end.earlier(since.advanced(by: Limits.presenterPatience))
        }
    }

    /// When this presentation has waited long enough for free presenters to claim it; `nil` while all of them are busy,
    /// or if it can still take another screen. The time runs whenever a presenter that can show it is free, even if
    /// that presenter is offered something else first; it pauses while all are busy, and does not start anew. So
    /// presentations that come before it, however many, can't make it wait longer.
    func patienceEnd(of id: UInt64) -> BootTime? {
        guard let index = queue.firstIndex(where: { $0.id == id }), queue[index].isClaimable,
            screens(for: index).lower.allSatisfy({ queue[index].hasTakenScreen(of: $0.holder.owner) })
        else { return nil }
        return queue[index].patienceEnd
    }

    /// Lets questions that have waited long enough take other screens. Returns whether there were any.
    mutating func patienceEnded(at now: BootTime) -> Bool {
        guard let end = patienceEnd, end <= now else { return false }
        settleOffers(at: now)
        return true
    }

    // MARK: - Held back

    /// Sets which owners and devices may take no screens of others from now on. What is on a screen stays there.
    mutating func heldBack(_ takers: Set<ScreenTaker>, at now: BootTime) {
        heldBack = takers
        settleOffers(at: now)
    }
}
