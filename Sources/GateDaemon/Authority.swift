import GateCore
import GateModel
import GatePolicy
import GateProtocol
import GateStore
import Logging
import NIOCore
import TTRPC
import TTRPCTransport

/// The one place that changes the state of the device: applies commands, commits what they did, publishes it, answers.
///
/// It keeps two values of the state: `head`, with every command applied, and `durable`, with what the store has
/// confirmed. Everything that anyone is told comes from `durable`, so nothing that was told is ever lost. It runs on the
/// event loop that reads the sockets: no task lies between a frame and its answer.
public actor Authority {
    /// What an answer is made of: the reply, and the state that it is true in, which is durable.
    struct Settled {
        /// Never `waiting`.
        let reply: Reply
        let revision: Revision
        let state: GateState
    }

    /// What somebody is about to be told, and the durable state before and after.
    struct Witnessed {
        let outcome: Result<Transition, GateError>
        let before: GateState
        let after: GateState
        let peer: Peer

        init(_ outcome: Result<Transition, GateError>, _ before: GateState, _ after: GateState, _ peer: Peer) {
            (self.outcome, self.before, self.after, self.peer) = (outcome, before, after, peer)
        }
    }

    typealias Answer = (Result<Settled, GateError>) -> Void

    /// A command that was applied and waits to be durable. A class: it is large, and goes through several lists.
    private final class Applied {
        let peer: Peer
        let caller: Caller?
        let outcome: Result<Transition, GateError>
        let stateAfter: GateState
        let beforePublishing: (() -> Void)?
        let answer: Answer

        init(
            peer: Peer, caller: Caller?, outcome: Result<Transition, GateError>, stateAfter: GateState,
            beforePublishing: (() -> Void)?, answer: @escaping Answer
        ) {
            self.peer = peer
            self.caller = caller
            self.outcome = outcome
            self.stateAfter = stateAfter
            self.beforePublishing = beforePublishing
            self.answer = answer
        }

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
    let store: any StateStore
    let clock: any Clock
    let startTime: BootTime
    /// Commits and the journal's readers wait for the disk on threads of their own; a reader holds a commit up by no more
    /// than a page.
    private let commitThread: any BlockingThreads
    let readThread: any BlockingThreads
    let passwordThreads: any BlockingThreads
    var hashingBill = HashingBill()
    let passwordDecoy: PasswordDecoy
    var verifications: VerificationQueue<PendingVerification>

    /// What the store has confirmed.
    private(set) var durable: GateState
    private(set) var head: GateState
    private var queue = CommitQueue<Applied>()
    /// What is durable and not yet published. Commands that are given while others are being settled come after those.
    private var unsettled: [Applied] = []
    private var isSettling = false
    var waitingCalls = WaitingCalls<Answer>()
    var reconciliation = Reconciliation()
    private var random: any RandomNumberGenerator
    /// Rings when the nearest deadline is due, by `alarmRang`.
    var alarm: (any Alarm & Sendable)?
    private var alarmDeadline: BootTime?
    var isRecordingLater = false
    private var isAlarmToBeSet = false
    private var wallClockWatch: (any WallClockWatch & Sendable)?
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    var sessions: [ObjectIdentifier: PeerSession] = [:]
    var connectionsOfUser: [UInt32: Int] = [:]
    var streamsOfUser: [UInt32: Int] = [:]
    var lastConnection: UInt64 = 0
    var watches = WatchHub()
    var audits = AuditHub()
    var presenters = PresenterHub()
    /// `nil`: there is none.
    var statusPage: StatusPage?
    var inForce: PolicyInForce
    let readPolicy: @Sendable () throws(BadPolicy) -> PolicyInForce
    var statistics = Statistics()
    private(set) var isStopping = false
    /// Looks at each command when it is settled, before anybody is told. Simulations check there what always holds; in `gated`
    /// there is none.
    var witness: ((Witnessed) -> Void)?

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        eventLoop: any EventLoop, store: any StateStore, records: DurableRecords, inForce: PolicyInForce,
        surroundings: Surroundings, limits: Limits, logger: Logger
    ) {
        self.eventLoop = eventLoop
        self.executor = eventLoop.executor
        self.store = store
        self.limits = limits
        self.logger = logger
        clock = surroundings.clock
        startTime = surroundings.clock.bootTime()
        random = surroundings.random
        self.inForce = inForce
        readPolicy = { () throws(BadPolicy) in try surroundings.policyInForce() }
        commitThread = surroundings.makeThreads(1, 0)
        readThread = surroundings.makeThreads(1, 0)
        passwordThreads = surroundings.makeThreads(limits.passwordsAtOnce, Self.passwordNiceness)
        passwordDecoy = surroundings.passwordDecoy
        verifications = VerificationQueue(limits)
        durable = GateState(restoring: records, configuration: inForce.policy.configuration)
        head = durable
    }

    /// The first thing after a start: fails closed, and makes a revision that every watcher of before has to hear of.
    /// - Parameter watchWallClock: nil: nobody sets it.
    func start(
        setAside: String?, makeAlarm: AlarmMaker, watchWallClock: WallClockWatchMaker? = nil
    ) async throws {
        alarm = try await makeAlarm(eventLoop) { [self] in assumeIsolated { $0.alarmRang() } }
        wallClockWatch = try await watchWallClock?(eventLoop) { [self] in assumeIsolated { $0.wallClockWasSet() } }
        if let setAside { try await submitted(.closeForDamage(setAside: setAside)) }
        try await submitted(.start)
    }

    // MARK: Commands

    /// Applies a command, and calls `answer` on the event loop when what it did, and all that it was based on, is
    /// durable; where the reply has to wait for a person, when that is settled.
    /// - Parameters:
    ///   - caller: the call to answer. Where it ends before its answer, nobody waits any more.
    ///   - beforePublishing: called when the state has changed, before anybody is told of it.
    func submit(
        _ command: Command, as peer: Peer, for caller: Caller? = nil, beforePublishing: (() -> Void)? = nil,
        answer: @escaping Answer
    ) {
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
        enqueue(
            Applied(
                peer: peer, caller: caller, outcome: outcome, stateAfter: head, beforePublishing: beforePublishing,
                answer: answer))
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
        commitThread.submit { [self, store] in
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
            // The disk works on the next batch while this one is told.
            if let next { commit(next) }
            settle(settled)
        case .failure(let error):
            logger.critical("the store could not be written; nothing was changed", metadata: ["error": "\(error)"])
            let failed = queue.commitFailed()
            head = durable
            for applied in failed {
                if let witness { witness(Witnessed(.failure(.storeFailed(error)), durable, durable, applied.peer)) }
                applied.answer(.failure(.storeFailed(error)))
            }
            reconcileLater()
            if isOverdue() { endWatches(.storeFailed(error)) }
            // A deadline that could not be recorded is tried again, but not in a tight circle.
            setAlarm(head.nextDeadline.map { max($0, clock.bootTime().advanced(by: .seconds(1))) })
        }
        resumeIdleWaiters()
    }

    private func settle(_ batch: [Applied]) {
        unsettled += batch
        guard !isSettling else { return }
        isSettling = true
        while !unsettled.isEmpty {
            let batch = unsettled
            unsettled = []
            publish(batch)
            for applied in batch { answer(applied) }
        }
        isSettling = false
        forgetDeparted()
    }

    /// Everything that became durable together is told together. Also what is not to be stored, like who presents, is part of
    /// what is durable once all before it is.
    private func publish(_ batch: [Applied]) {
        var states = [durable]
        var hasSucceeded = false
        for applied in batch {
            let before = durable
            if case .success = applied.outcome { durable = applied.stateAfter }
            if let witness { witness(Witnessed(applied.outcome, before, durable, applied.peer)) }
            guard case .success(let transition) = applied.outcome else { continue }
            hasSucceeded = true
            applied.beforePublishing?()
            guard transition.isChange else { continue }
            states.append(applied.stateAfter)
        }
        guard hasSucceeded else { return }
        showOnPage()
        presenters.publish(durable)
        guard states.count > 1 else { return }
        statistics.transitions += UInt64(states.count - 1)
        watches.publish(states, statistics: &statistics)
        for applied in batch {
            guard case .success(let transition) = applied.outcome, transition.isChange else { continue }
            publishAudit(transition)
        }
    }

    /// Effects first, since they may answer who came before.
    private func answer(_ applied: Applied) {
        switch applied.outcome {
        case .failure(let error):
            applied.answer(.failure(error))
        case .success(let transition):
            perform(transition.effects, of: transition, by: applied.peer, state: applied.stateAfter)
            guard case .waiting(let wait) = transition.reply else {
                let settled = Settled(
                    reply: transition.reply, revision: transition.revision, state: applied.stateAfter)
                return applied.answer(.success(settled))
            }
            if let caller = applied.caller, caller.isWaiting {
                waitingCalls.began(wait, by: caller.key, answer: applied.answer)
            } else {
                // The call has ended while this was on its way to the disk.
                report(.callEnded(wait), as: applied.peer)
            }
        }
    }

    // MARK: Deadlines

    /// How long the end of a lease may take to be recorded before watchers are let go. A disk may hang without failing.
    static let recordingTime = Duration.seconds(1)

    private func endWatches(_ error: GateError) {
        endStreams(error) { _, kind in kind == .watch }
    }

    /// Sets the timer once this turn of the event loop is over, however often it is called. Setting it also takes back a
    /// ring that is due; were that done in the middle of a turn, the event loop would come to a timer that it was told is
    /// readable, and is not.
    private func setAlarm(_ deadline: BootTime?) {
        guard deadline != alarmDeadline, !isStopping else { return }
        alarmDeadline = deadline
        guard !isAlarmToBeSet else { return }
        isAlarmToBeSet = true
        eventLoop.execute { self.assumeIsolated { $0.alarmIsToBeSet() } }
    }

    private func alarmIsToBeSet() {
        isAlarmToBeSet = false
        guard !isStopping else { return }
        alarm?.set(alarmDeadline)
    }

    func alarmRang() {
        alarmDeadline = nil
        guard let deadline = head.nextDeadline else { return }
        guard deadline <= clock.bootTime() else { return setAlarm(deadline) }
        deadlineCame()
    }

    /// What expires by the wall clock may be over by now, or not for long.
    func wallClockWasSet() {
        guard !isStopping else { return }
        deadlineCame()
    }

    func deadlineCame() {
        submit(.deadlineReached, as: .daemon) { [self] result in
            guard case .failure(let error) = result else { return }
            logger.error("a deadline could not be recorded: \(error)")
            recordOverdueLater()
        }
        eventLoop.scheduleTask(in: TimeAmount(Self.recordingTime)) {
            self.assumeIsolated { if $0.isOverdue(by: Self.recordingTime) { $0.endWatches(.recordingHangs) } }
        }
    }

    // MARK: Stopping

    /// Whether everything that was applied is durable.
    var isQueueIdle: Bool { queue.isIdle }

    /// Returns when everything that was applied is durable and published, no passcode or password is being hashed, and no
    /// receipt verified.
    public func settled() async {
        guard !isIdle else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    private var isIdle: Bool { queue.isIdle && hashingBill.isEmpty && verifications.isIdle }

    func resumeIdleWaiters() {
        guard isIdle else { return }
        let waiters = idleWaiters
        idleWaiters = []
        for waiter in waiters { waiter.resume() }
    }

    /// Takes no more commands, lets what was applied become durable, and tells every watcher that it is over.
    func stop() async {
        isStopping = true
        alarmDeadline = nil
        alarm?.set(nil)
        wallClockWatch?.end()
        wallClockWatch = nil
        await settled()
        statusPage?.end()
        for answer in waitingCalls.takeAll() { answer(.failure(.stopping)) }
        endStreams(.stopping) { _, _ in true }
    }

    /// The threads and the store, after the last connection is gone.
    func close() async {
        alarm?.set(nil)
        alarm = nil
        await commitThread.end()
        await readThread.end()
        await passwordThreads.end()
        store.close()
    }
}

extension Peer {
    /// The daemon itself: what comes due, and what happens to connections.
    static let daemon = Peer(connection: 0, uid: 0, pid: 0, roles: [.app, .administrator])
}
