import GateModel
import GateProtocol

/// One watch, over any number of connections: what to do next, what to tell the watcher, and what it may believe.
///
/// It keeps the promises of watching whatever the daemon sends. A message that was told before is dropped
/// (silently: it is harmless); revisions that changed nothing of what is watched are not told at all. A change before the
/// first snapshot or of another epoch counts as a loss, after which the watch begins anew with a snapshot. While away the
/// mode is child, nobody is signed in and nothing is paid for, until the watch has caught up.
///
/// What the daemon says is true until the deadlines that come with it (`timeLeft`), whether it says so or not. A message that is past
/// one already, because it was taken late, is not told: the next one is, or the daemon is lost.
struct WatchStateMachine: Hashable, Sendable {
    /// The newest state that the daemon has told.
    struct Known: Hashable, Sendable {
        var revision: Revision
        /// `nil`: it is not watched. So with the others.
        var mode: ModeState?
        var presentations: [PresentationSummary]?
        var signIn: SignInState?
        var entitlements: EntitlementsState?
        var forms: [FormSummary]?
    }

    private enum State: Hashable {
        /// A connection and the stream are being opened. Can go to: catchingUp, away.
        case opening(Known?)
        /// The stream is open. Its first message is on its way: a snapshot, or the word that what is known is current. Can go
        /// to: live, away.
        case catchingUp(Known?)
        /// The known state is true. Can go to: overdue, away.
        case live(Known)
        /// The known state was over when it came, and the watcher was not told of it. Can go to: live, away.
        case overdue(Known)
        /// The daemon was lost; the next attempt comes after the wait. Can go to: opening.
        case away(Known?, wait: Duration)
        /// Nobody watches any more. Can go nowhere.
        case ended
    }

    /// The next thing for the caller to do.
    enum Action: Hashable, Sendable {
        /// Open the stream; then `streamOpened`.
        case open(after: Revision?)
        /// Take the next message off the stream; then `messageReceived`.
        case receive
        /// Wait so long; then `waited`.
        case wait(Duration)
        case end
    }

    private var state = State.opening(nil)
    private var reconnect = ReconnectStateMachine()
    /// Whether the watcher was told of the loss. It is told once.
    private var hasToldLoss = false
    /// Whether what is known is good for another connection.
    private let isResumable: Bool

    /// - Parameter topics: who watches presentations sees those of its own connection, and who watches forms, those that its
    ///   connection shows. A connection later these are others, though no revision says so; so that watch begins anew with a
    ///   snapshot each time.
    init(topics: Set<WatchTopic> = [.mode]) {
        isResumable = topics.isDisjoint(with: [.presentations, .forms])
    }

    var action: Action {
        switch state {
        case .opening(let known): .open(after: known?.revision)
        case .catchingUp, .live, .overdue: .receive
        case .away(_, let wait): .wait(wait)
        case .ended: .end
        }
    }

    /// How long the state that the daemon has told last stays true if the daemon says nothing: not positive where it is over.
    /// Then the daemon counts as lost. `nil`: there is no end, or nothing is taken for true.
    func timeLeft(at now: ClientClock.Reading) -> Duration? {
        switch state {
        case .live(let known), .overdue(let known): known.timeLeft(at: now)
        case .opening, .catchingUp, .away, .ended: nil
        }
    }

    /// The connection is there, and the request to watch was sent.
    mutating func streamOpened() {
        switch state {
        case .opening(let known): state = .catchingUp(known)
        case .catchingUp, .live, .overdue, .away: preconditionFailure("a stream was opened that nobody asked for")
        case .ended: break
        }
    }

    /// The daemon sent a message.
    ///
    /// - Parameter now: when it was taken; `nil`: its deadlines can't be compared with the clock here.
    mutating func messageReceived(
        _ message: WatchResponse, at now: ClientClock.Reading?, jitter: Double
    ) -> WatchEvent? {
        switch state {
        case .catchingUp(let known):
            if message.isSnapshot { return snapshotReceived(message, at: now) }
            guard let known else {
                return violated("a change before the first snapshot", jitter: jitter)
            }
            switch known.applying(message) {
            case .old where message.revision == known.revision: return goLive(known, .resumed(known.update), at: now)
            case .old: return violated("that an older revision is current", jitter: jitter)
            case .foreign: return violated("a change of another epoch", jitter: jitter)
            case .next(let next): return goLive(next, .resumed(next.update), at: now)
            }
        case .live(let known), .overdue(let known):
            if message.isSnapshot {
                guard
                    message.revision.epoch != known.revision.epoch
                        || message.revision.number > known.revision.number
                else { return nil }
                return snapshotReceived(message, at: now)
            }
            switch known.applying(message) {
            case .old: return nil
            case .foreign: return violated("a change of another epoch", jitter: jitter)
            case .next(let next):
                // Nobody was told of what was overdue, so that a change of it means nothing to them.
                let event = isOverdue ? WatchEvent.snapshot(next.update) : .change(StateUpdate(message))
                return goLive(next, event, at: now)
            }
        case .opening, .away: preconditionFailure("a message was taken that nobody asked for")
        case .ended: return nil
        }
    }

    /// The attempt failed, or the connection or the stream has ended.
    mutating func failed(_ error: GateError, jitter: Double) -> WatchEvent? {
        switch state {
        case .opening(let known), .catchingUp(let known): goAway(known, error, jitter: jitter)
        case .live(let known), .overdue(let known): goAway(known, error, jitter: jitter)
        case .away, .ended: nil
        }
    }

    /// The wait is over.
    mutating func waited() {
        switch state {
        case .away(let known, _):
            reconnect.waited()
            state = .opening(known)
        case .opening, .catchingUp, .live, .overdue: preconditionFailure("a wait ended that was never begun")
        case .ended: break
        }
    }

    /// Nobody watches any more.
    mutating func stopped() {
        state = .ended
    }

    private var isOverdue: Bool {
        switch state {
        case .overdue: true
        case .opening, .catchingUp, .live, .away, .ended: false
        }
    }

    private mutating func snapshotReceived(_ message: WatchResponse, at now: ClientClock.Reading?) -> WatchEvent? {
        goLive(Known(snapshot: message), .snapshot(StateUpdate(message)), at: now)
    }

    private mutating func goLive(_ known: Known, _ event: WatchEvent, at now: ClientClock.Reading?) -> WatchEvent? {
        if let now, let left = known.timeLeft(at: now), left <= .zero {
            state = .overdue(known)
            return nil
        }
        state = .live(known)
        reconnect.caughtUp()
        hasToldLoss = false
        return event
    }

    private mutating func violated(_ what: String, jitter: Double) -> WatchEvent? {
        // What was known before can't be trusted to fit either: begin anew.
        goAway(nil, GateError(.internal, .unspecified, "The daemon sent \(what)."), jitter: jitter)
    }

    private mutating func goAway(_ known: Known?, _ error: GateError, jitter: Double) -> WatchEvent? {
        state = .away(
            isResumable ? known : nil, wait: reconnect.failed(jitter: jitter) ?? ReconnectStateMachine.longestWait)
        guard !hasToldLoss else { return nil }
        hasToldLoss = true
        return .lost(error)
    }
}

extension WatchStateMachine.Known {
    init(snapshot message: WatchResponse) {
        self.init(
            revision: message.revision, mode: message.mode, presentations: message.presentations,
            signIn: message.signIn, entitlements: message.entitlements, forms: message.forms)
    }

    /// Until the first of the deadlines of what opens something: of the mode, of the session, of what is paid for. A question that
    /// stays on a list after its time opens nothing.
    func timeLeft(at now: ClientClock.Reading) -> Duration? {
        let deadlines = [mode?.deadline, signIn?.session?.deadline]
        let ends = (entitlements?.entitlements ?? []).compactMap { $0.isActive ? $0.source?.until : nil }
        let byBoot = deadlines.compactMap { $0 }.filter { $0 != .never }.min().map { now.boot.duration(to: $0) }
        let byWall = ends.min().map {
            Duration.milliseconds($0.unixMilliseconds) - .milliseconds(now.wall.unixMilliseconds)
        }
        return [byBoot, byWall].compactMap { $0 }.min()
    }

    /// The effect of a change on the known state.
    enum Applied: Hashable {
        /// It was told before.
        case old
        /// It belongs to another epoch.
        case foreign
        case next(WatchStateMachine.Known)
    }

    func applying(_ message: WatchResponse) -> Applied {
        guard message.revision.epoch == revision.epoch else { return .foreign }
        guard message.revision.number > revision.number else { return .old }
        return .next(
            WatchStateMachine.Known(
                revision: message.revision, mode: message.mode ?? mode,
                presentations: message.presentations ?? presentations, signIn: message.signIn ?? signIn,
                entitlements: message.entitlements ?? entitlements, forms: message.forms ?? forms))
    }

    /// The whole of it.
    var update: StateUpdate {
        StateUpdate(
            firstNumber: revision.number, revision: revision, mode: mode, presentations: presentations, signIn: signIn,
            entitlements: entitlements, forms: forms)
    }
}
