import GateModel
import GateProtocol

/// One watch, over any number of connections. Decides what to do next, what to report to the watcher, and until when
/// the daemon's state is valid, whatever the daemon sends. An old message is dropped silently, since it is harmless;
/// revisions that change nothing in the watched topics are not reported. A change before the first snapshot, or of
/// another epoch, counts as a loss, and the watch begins again with a snapshot. After a loss the mode is child, nobody
/// is signed in and nothing is paid for, until the watch has caught up.
///
/// The daemon's state is valid until its first deadline (`timeLeft`), whether the daemon reports the deadline or not.
/// If a message is taken so late that its deadline has already passed, it is not reported; the next message or the loss
/// of the daemon is.
struct WatchStateMachine: Hashable, Sendable {
    /// The newest state that the daemon has sent.
    struct Known: Hashable, Sendable {
        var revision: Revision
        /// `nil` if the topic is not watched; the same holds for the fields below.
        var mode: ModeState?
        var presentations: [PresentationSummary]?
        var signIn: SignInState?
        var entitlements: EntitlementsState?
        var forms: [FormSummary]?
        var asks: [Ask]?
        var schedules: [ScheduleState]?
        var usage: [UsedTime]?
        var ageRanges: AgeState?
    }

    private enum State: Hashable {
        /// A connection and the stream are being opened. Can go to `catchingUp` or `away`.
        case opening(Known?)
        /// The stream is open, and its first message is awaited: a snapshot, a change, or the message that the known
        /// state is current. Can go to `live`, `overdue` or `away`.
        case catchingUp(Known?)
        /// The known state is valid. Can go to `overdue` or `away`.
        case live(Known)
        /// The known state's deadline had passed when it came, so it was not reported to the watcher. Can go to `live`
        /// or `away`.
        case overdue(Known)
        /// The daemon was lost; the next attempt comes after the wait. Can go to `opening`.
        case away(Known?, wait: Duration)
        /// The watcher has stopped. Every state can go here. Final.
        case ended
    }

    enum Action: Hashable, Sendable {
        /// Open the stream, then call `streamOpened`.
        case open(after: Revision?)
        /// Take the next message from the stream, then call `messageReceived`.
        case receive
        /// Wait this long, then call `waited`.
        case wait(Duration)
        case end
    }

    private var state = State.opening(nil)
    private var reconnect = ReconnectStateMachine()
    /// Whether the current loss was reported to the watcher, since it is reported only once.
    private var hasToldLoss = false
    /// Whether the known state can be continued on another connection.
    private let isResumable: Bool

    /// - Parameter topics: a connection's watch of presentations has that connection's own ones, a watch of forms has
    ///   those that the connection shows, and a watch of asks, time used or age ranges what the connection's user may see.
    ///   After a reconnection these may be others, without a new revision, so such a watch begins again with a snapshot.
    init(topics: Set<WatchTopic> = [.mode]) {
        isResumable = topics.isDisjoint(with: [.presentations, .forms, .asks, .usage, .ageRanges])
    }

    var action: Action {
        switch state {
        case .opening(let known): .open(after: known?.revision)
        case .catchingUp, .live, .overdue: .receive
        case .away(_, let wait): .wait(wait)
        case .ended: .end
        }
    }

    /// How long the known state remains valid if the daemon says nothing; zero or negative if its deadline has passed,
    /// after which the daemon counts as lost. `nil` if the state has no deadline, or no state is valid now.
    func timeLeft(at now: ClientClock.Reading) -> Duration? {
        switch state {
        case .live(let known), .overdue(let known): known.timeLeft(at: now)
        case .opening, .catchingUp, .away, .ended: nil
        }
    }

    mutating func streamOpened() {
        switch state {
        case .opening(let known): state = .catchingUp(known)
        case .catchingUp, .live, .overdue, .away: preconditionFailure("a stream was opened that nobody asked for")
        case .ended: break
        }
    }

    /// Returns what to tell the watcher; `nil`: nothing. `now` is when the message was taken; `nil` if its deadlines
    /// can't be compared with a clock here.
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
                // The overdue state was not reported to the watcher, so it needs the whole state rather than a change.
                let event = isOverdue ? WatchEvent.snapshot(next.update) : .change(StateUpdate(message))
                return goLive(next, event, at: now)
            }
        case .opening, .away: preconditionFailure("a message was taken that nobody asked for")
        case .ended: return nil
        }
    }

    /// The attempt failed, or the connection or the stream has ended. Returns `lost` for the first time, then `nil`.
    mutating func failed(_ error: GateError, jitter: Double) -> WatchEvent? {
        switch state {
        case .opening(let known), .catchingUp(let known): goAway(known, error, jitter: jitter)
        case .live(let known), .overdue(let known): goAway(known, error, jitter: jitter)
        case .away, .ended: nil
        }
    }

    mutating func waited() {
        switch state {
        case .away(let known, _):
            reconnect.waited()
            state = .opening(known)
        case .opening, .catchingUp, .live, .overdue: preconditionFailure("a wait ended that was never begun")
        case .ended: break
        }
    }

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
        // The state known so far may be wrong too, so the watch begins again without it.
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
            signIn: message.signIn, entitlements: message.entitlements, forms: message.forms, asks: message.asks,
            schedules: message.schedules, usage: message.usage, ageRanges: message.ageRanges)
    }

    /// How long until the first deadline of something that this state permits: of the mode, the session, an active
    /// entitlement or an open schedule. Presentations don't count: one that stays on a list too long permits nothing.
    func timeLeft(at now: ClientClock.Reading) -> Duration? {
        let deadlines = [mode?.deadline, signIn?.session?.deadline]
        let ends =
            (entitlements?.entitlements ?? []).compactMap { $0.isActive ? $0.source?.until : nil }
            + (schedules ?? []).compactMap { $0.isOpen ? $0.until : nil }
        let byBoot = deadlines.compactMap { $0 }.filter { $0 != .never }.min().map { now.boot.duration(to: $0) }
        let byWall = ends.min().map {
            Duration.milliseconds($0.unixMilliseconds) - .milliseconds(now.wall.unixMilliseconds)
        }
        return [byBoot, byWall].compactMap { $0 }.min()
    }

    /// The effect of a change on the known state.
    enum Applied: Hashable {
        case old
        /// The revision is of another epoch.
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
                entitlements: message.entitlements ?? entitlements, forms: message.forms ?? forms,
                asks: message.asks ?? asks, schedules: message.schedules ?? schedules,
                usage: message.usage ?? usage, ageRanges: message.ageRanges ?? ageRanges))
    }

    /// The whole known state.
    var update: StateUpdate {
        StateUpdate(
            firstNumber: revision.number, revision: revision, mode: mode, presentations: presentations, signIn: signIn,
            entitlements: entitlements, forms: forms, asks: asks, schedules: schedules, usage: usage,
            ageRanges: ageRanges)
    }
}
