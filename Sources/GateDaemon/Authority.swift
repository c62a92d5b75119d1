import GateCore
import GateModel
import GateProtocol
import GateStore
import Logging
import NIOCore
import NIOPosix
import TTRPC
import TTRPCTransport

/// The one place that changes the state of the device: applies commands, commits what they did, publishes it, answers.
///
/// It keeps two values of the state: `head`, with every command applied, and `durable`, with what the store has
/// confirmed. Everything that anyone is told comes from `durable`, so nothing that was told is ever lost. It runs on the
/// event loop that reads the sockets: no task lies between a frame and its answer.
public actor Authority {
    /// What an answer is made of: the transition, durable now, and the state after it.
    struct Settled {
        let transition: Transition
        let state: GateState
    }

    /// A command that was applied and waits to be durable.
    private struct Applied {
        let outcome: Result<Transition, GateError>
        let stateAfter: GateState
        let answer: (Result<Settled, GateError>) -> Void

        /// What the store has to write of it.
        var change: Transition? {
            switch outcome {
            case .success(let transition): transition.isChange ? transition : nil
            case .failure: nil
            }
        }
    }

    nonisolated let eventLoop: any EventLoop
    private nonisolated let executor: any SerialExecutor
    nonisolated let limits: Limits
    nonisolated let logger: Logger
    let store: GateStore
    let clock: any Clock
    let startTime: BootTime
    /// Commits and the journal's readers wait for the disk on threads of their own; a reader holds a commit up by no more
    /// than a page.
    private let commitThread = NIOThreadPool(numberOfThreads: 1)
    let readThread = NIOThreadPool(numberOfThreads: 1)

    private(set) var durable: GateState
    private var head: GateState
    private var queue = CommitQueue<Applied>()
    private var random: any RandomNumberGenerator
    private var alarm: (any Alarm & Sendable)?
    private var alarmDeadline: BootTime?
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    var sessions: [ObjectIdentifier: PeerSession] = [:]
    var connectionsOfUser: [UInt32: Int] = [:]
    var lastConnection: UInt64 = 0
    var watches = WatchHub()
    var audits = AuditHub()
    var roleRules: RoleRules
    let currentRoleRules: @Sendable () -> RoleRules
    var statistics = Statistics()
    private(set) var isStopping = false

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        eventLoop: any EventLoop, store: GateStore, records: DurableRecords, surroundings: Surroundings, limits: Limits,
        logger: Logger
    ) {
        self.eventLoop = eventLoop
        self.executor = eventLoop.executor
        self.store = store
        self.limits = limits
        self.logger = logger
        clock = surroundings.clock
        startTime = surroundings.clock.bootTime()
        random = surroundings.random
        currentRoleRules = surroundings.roleRules
        roleRules = surroundings.roleRules()
        durable = GateState(restoring: records, configuration: surroundings.configuration)
        head = durable
        commitThread.start()
        readThread.start()
    }

    /// The first thing after a start: fails closed, and makes a revision that every watcher of before has to hear of.
    func start(setAside: String?, makeAlarm: AlarmMaker) async throws {
        alarm = try await makeAlarm(eventLoop) { [self] in assumeIsolated { $0.alarmRang() } }
        if let setAside { try await submitted(.closeForDamage(setAside: setAside)) }
        try await submitted(.start)
    }

    // MARK: Commands

    /// Applies a command, and calls `answer` on the event loop when what it did, and all that it was based on, is
    /// durable.
    func submit(_ command: Command, as peer: Peer, answer: @escaping (Result<Settled, GateError>) -> Void) {
        if isStopping, peer.connection != Peer.daemon.connection {
            return answer(.failure(.stopping))
        }
        var context = Context(now: clock.bootTime(), wallTime: clock.wallTime(), peer: peer, random: random)
        let outcome: Result<Transition, GateError>
        do throws(GateError) {
            outcome = .success(try head.apply(command, &context))
        } catch {
            outcome = .failure(error)
        }
        random = context.random
        enqueue(Applied(outcome: outcome, stateAfter: head, answer: answer))
        setAlarm(head.nextDeadline)
    }

    /// A command of the daemon's own.
    private func submitted(_ command: Command) async throws {
        try await withCheckedThrowingContinuation { continuation in
            submit(command, as: .daemon) { continuation.resume(with: $0.map { _ in }) }
        }
    }

    private func enqueue(_ applied: Applied) {
        switch queue.applied(applied, needsCommit: applied.change != nil) {
        case .settle(let applied): settle([applied])
        case .commit(let batch): commit(batch)
        case .wait: break
        }
    }

    private func commit(_ batch: [Applied]) {
        let transitions = batch.compactMap(\.change)
        statistics.commits += 1
        commitThread.submit { [self, store] _ in
            let result: Result<Void, StoreError>
            do throws(StoreError) {
                result = .success(try store.commit(transitions))
            } catch {
                result = .failure(error)
            }
            eventLoop.execute { self.assumeIsolated { $0.commitEnded(result) } }
        }
    }

    private func commitEnded(_ result: Result<Void, StoreError>) {
        switch result {
        case .success:
            let (settled, next) = queue.commitSucceeded()
            settle(settled)
            if let next { commit(next) }
        case .failure(let error):
            logger.critical("the store could not be written; nothing was changed", metadata: ["error": "\(error)"])
            let failed = queue.commitFailed()
            head = durable
            for applied in failed { applied.answer(.failure(.storeFailed(error))) }
            if isOverdue() { endWatches(.storeFailed(error)) }
            // A deadline that could not be recorded is tried again, but not in a tight circle.
            setAlarm(head.nextDeadline.map { max($0, clock.bootTime().advanced(by: .seconds(1))) })
        }
        if queue.isIdle { resumeIdleWaiters() }
    }

    /// Publishes, then answers.
    private func settle(_ batch: [Applied]) {
        for applied in batch {
            guard let transition = applied.change else { continue }
            let before = durable
            durable = applied.stateAfter
            statistics.transitions += 1
            watches.publish(from: before, to: durable, statistics: &statistics)
            publishAudit(transition)
        }
        for applied in batch {
            applied.answer(applied.outcome.map { Settled(transition: $0, state: applied.stateAfter) })
        }
    }

    // MARK: Deadlines

    /// The mode for someone who asks now. What is past its deadline is over, even while that can't be recorded.
    var modeStateNow: ModeState {
        isOverdue() ? .closed : durable.modeState
    }

    /// What is durable is past its deadline. Where that can't be recorded there is no revision to tell it by, so watchers
    /// are let go: without a stream they take the mode to be child.
    func isOverdue(by margin: Duration = .zero) -> Bool {
        durable.modeState.deadline.map { $0.advanced(by: margin) <= clock.bootTime() } ?? false
    }

    /// How long the end of a lease may take to be recorded before watchers are let go. A disk may hang without failing.
    static let recordingTime = Duration.seconds(1)

    private func endWatches(_ error: GateError) {
        endStreams(error) { _, kind in kind == .watch }
    }

    private func setAlarm(_ deadline: BootTime?) {
        guard deadline != alarmDeadline, !isStopping else { return }
        alarmDeadline = deadline
        alarm?.set(deadline)
    }

    private func alarmRang() {
        alarmDeadline = nil
        guard let deadline = head.nextDeadline else { return }
        guard deadline <= clock.bootTime() else { return setAlarm(deadline) }
        submit(.deadlineReached, as: .daemon) { [logger] result in
            if case .failure(let error) = result { logger.error("a deadline could not be recorded: \(error)") }
        }
        eventLoop.scheduleTask(in: TimeAmount(Self.recordingTime)) {
            self.assumeIsolated { if $0.isOverdue(by: Self.recordingTime) { $0.endWatches(.recordingHangs) } }
        }
    }

    // MARK: Stopping

    /// Returns when everything that was applied is durable and published.
    public func settled() async {
        guard !queue.isIdle else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    /// Whether this peer has a challenge open, in `head`.
    func isChallengeOpen(of peer: Peer) -> Bool {
        head.openPresentation(for: peer.connection) != nil
    }

    private func resumeIdleWaiters() {
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Takes no more commands, lets what was applied become durable, and tells every watcher that it is over.
    func stop() async {
        setAlarm(nil)
        isStopping = true
        await settled()
        endStreams(.stopping) { _, _ in true }
    }

    /// The threads and the store, after the last connection is gone.
    func close() async {
        alarm?.set(nil)
        try? await commitThread.shutdownGracefully()
        try? await readThread.shutdownGracefully()
        store.close()
    }

    // MARK: Configuration

    /// Reads the configuration again: names of groups become ids anew. Returns what is in force, a line each.
    func reload(as peer: Peer, answer: @escaping (Result<[String], GateError>) -> Void) {
        let rules = currentRoleRules()
        submit(.configure(head.configuration, detail: rules.description.joined(separator: "; ")), as: peer) { result in
            switch result {
            case .success(let settled):
                self.adopt(rules)
                answer(.success(settled.state.configuration.description + rules.description))
            case .failure(let error):
                answer(.failure(error))
            }
        }
    }

    private func adopt(_ rules: RoleRules) {
        roleRules = rules
        for session in sessions.values { session.peer.roles = session.identity.roles(by: rules) }
        endStreams(.noLongerAdministrator) { session, kind in
            kind == .audit && !session.peer.roles.contains(.administrator)
        }
        logger.info("the configuration was read again")
    }
}

extension Peer {
    /// The daemon itself: what comes due, and what happens to connections.
    static let daemon = Peer(connection: 0, uid: 0, pid: 0, roles: [.app, .administrator])
}
