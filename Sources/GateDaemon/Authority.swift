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
    typealias Answer = (Result<Settled, GateError>) -> Void

    /// A command that was applied and waits to be durable. A class: it is large, and goes through several lists.
    final class Applied {
        let peer: Peer
        let caller: Caller?
        let outcome: Result<Transition, GateError>
        let stateAfter: GateState
        /// The rows that it writes, for the bill.
        let rows: Int
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
            rows = (try? outcome.get())?.records.count ?? 0
            self.beforePublishing = beforePublishing
            self.answer = answer
        }

        /// The transition that the store has to write of it.
        var change: Transition? {
            switch outcome {
            case .success(let transition): transition.isChange ? transition : nil
            case .failure: nil
            }
        }
    }

    nonisolated let eventLoop: any EventLoop
    /// What takes long on the event loop: users' turns, and the slices of what is to be told.
    nonisolated let work: PacedWork
    private nonisolated let executor: any SerialExecutor
    nonisolated let limits: Limits
    nonisolated let logger: Logger
    let store: any StateStore
    let clock: any Clock
    let startTime: BootTime
    /// Commits and what is read wait for the disk on threads of their own; a reader holds a commit up by no more than a page.
    private let commitThread: any BlockingThreads
    let readThread: SharedThread
    /// Where large forms are read, checked and written.
    let formThread: SharedThread
    /// Where backups are made, written and checked.
    let backupThread: SharedThread
    var backups = BackupDesk()
    let passwordThreads: any BlockingThreads
    var hashingBill = HashingBill()
    let passwordDecoy: PasswordDecoy
    var verifications: VerificationQueue<PendingVerification>

    /// The state that the store has confirmed.
    private(set) var durable: GateState
    private(set) var head: GateState
    private var queue = CommitQueue<Applied>()
    /// The bill for what waits in the queue, and for what is durable and not yet answered.
    private(set) var commandBill = CommandBill()
    /// The commands that are durable and not yet published. Commands that are given while others are being settled come
    /// after those.
    private var unsettled: [Applied] = []
    private var isSettling = false
    private var isSettlingLater = false
    var waitingCalls = WaitingCalls<Answer>()
    var reconciliation = Reconciliation()
    private var random: any RandomNumberGenerator
    /// Rings when the nearest deadline is due, by `alarmRang`.
    var alarm: (any Alarm & Sendable)?
    var alarmDeadline: BootTime?
    var isRecordingLater = false
    var isAlarmToBeSet = false
    private var wallClockWatch: (any WallClockWatch & Sendable)?
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    var sessions: [ObjectIdentifier: PeerSession] = [:]
    var connectionsOfOwner: [Owner: Int] = [:]
    var streamsOfOwner: [Owner: Int] = [:]
    /// `nil`: each uid is billed for itself.
    let owners: OwnerDesk?
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
        work = PacedWork(eventLoop: eventLoop)
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
        readThread = SharedThread(
            surroundings.makeThreads(1, 0), eventLoop: eventLoop,
            turns: ThreadTurns(waiting: limits.downloadsWaiting, perUser: limits.downloadsWaitingPerUser))
        passwordThreads = surroundings.makeThreads(limits.passwordsAtOnce, Self.passwordNiceness)
        formThread = SharedThread(
            surroundings.makeThreads(1, Self.passwordNiceness), eventLoop: eventLoop,
            turns: ThreadTurns(waiting: limits.formsWaiting, perUser: limits.formsWaitingPerUser))
        backupThread = SharedThread(
            surroundings.makeThreads(1, Self.passwordNiceness), eventLoop: eventLoop,
            turns: ThreadTurns(waiting: 0, perUser: 0))
        passwordDecoy = surroundings.passwordDecoy
        verifications = VerificationQueue(limits)
        owners = surroundings.owners.map {
            OwnerDesk(eventLoop: eventLoop, directory: $0, threads: surroundings.makeThreads(1, 0))
        }
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
    ///   - caller: the call to answer. Where it ends before its answer, nobody waits any more. What no call asks for is never
    ///     refused for want of room.
    ///   - prepared: what was worked out for it beforehand.
    ///   - beforePublishing: called when the state has changed, before anybody is told of it.
    func submit(
        _ command: Command, as peer: Peer, for caller: Caller? = nil, prepared: FormPreparation? = nil,
        beforePublishing: (() -> Void)? = nil, answer: @escaping Answer
    ) {
        if isStopping, peer.connection != Peer.daemon.connection {
            return answer(.failure(.stopping))
        }
        if caller != nil, !commandBill.hasRoom(for: peer, limits) {
            statistics.refused += 1
            return answer(.failure(.tooManyWaitForDisk))
        }
        var context = Context(
            now: clock.bootTime(), wallTime: clock.wallTime(), peer: peer, random: random, prepared: prepared)
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
        commandBill.began(for: applied.peer, rows: applied.rows)
        applied.caller?.session.unsettledCommands += 1
        switch queue.applied(applied, needsCommit: applied.change != nil) {
        case .settle(let applied): settle([applied])
        case .commit(let batch): commit(batch)
        case .wait: break
        }
    }

    private func commit(_ batch: [Applied]) {
        let transitions = batch.compactMap(\.change)
        statistics.commitBegan(commands: batch.count, at: clock.bootTime())
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
            statistics.commitEnded(at: clock.bootTime())
            let (settled, next) = queue.commitSucceeded()
            // The disk works on the next batch while this one is told.
            if let next { commit(next) }
            settle(settled)
        case .failure(let error):
            logger.critical("the store could not be written; nothing was changed", metadata: ["error": "\(error)"])
            // What had become durable before is told before: from there on nothing has happened.
            settleSlices(upTo: .max)
            let failed = queue.commitFailed()
            head = durable
            for applied in failed {
                unbill(applied)
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
        guard !isSettling, !isSettlingLater else { return }
        settleSlices(upTo: limits.settledAtOnce)
        settleRestLater()
    }

    /// Anyone who asked for much is told a slice at a time, each published and then answered as a whole.
    private func settleSlices(upTo limit: Int) {
        isSettling = true
        var room = limit
        while room > 0, !unsettled.isEmpty {
            let slice = Array(unsettled.prefix(min(room, limits.settledAtOnce)))
            unsettled.removeFirst(slice.count)
            room -= slice.count
            let answeredFirst = presentersAnsweredFirst(slice)
            publish(slice, but: answeredFirst)
            for applied in slice { answer(applied) }
            presenters.publish(durable) { answeredFirst.contains($0) }
        }
        isSettling = false
        forgetDeparted()
    }

    /// Between two slices others are read from.
    private func settleRestLater() {
        guard !unsettled.isEmpty else { return }
        isSettlingLater = true
        work.later {
            self.assumeIsolated {
                $0.isSettlingLater = false
                $0.settleSlices(upTo: $0.limits.settledAtOnce)
                $0.settleRestLater()
                $0.resumeIdleWaiters()
            }
        }
    }

    private func unbill(_ applied: Applied) {
        commandBill.ended(for: applied.peer, rows: applied.rows)
        applied.caller?.session.unsettledCommands -= 1
    }

    /// Everything that became durable together is told together. Also what is not to be stored, like who presents, is part of
    /// what is durable once all before it is. The presenters of some connections are told later.
    private func publish(_ batch: [Applied], but waiting: Set<UInt64>) {
        var (states, hasSucceeded) = ([durable], false)
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
        presenters.publish(durable) { !waiting.contains($0) }
        guard states.count > 1 else { return }
        statistics.transitions += UInt64(states.count - 1)
        watches.publish(states, statistics: &statistics)
        if watches.count > 0 { statistics.watchersTold(at: clock.bootTime()) }
        for applied in batch {
            guard case .success(let transition) = applied.outcome, transition.isChange else { continue }
            publishAudit(transition)
        }
    }

    /// Effects first, since they may answer who came before.
    private func answer(_ applied: Applied) {
        unbill(applied)
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

    // MARK: Stopping

    /// Whether everything that was applied is durable and published.
    var isQueueIdle: Bool { queue.isIdle && unsettled.isEmpty }

    /// Returns when everything that was applied is durable and published, no passcode or password is being hashed, and no
    /// receipt verified.
    public func settled() async {
        guard !isIdle else { return }
        await withCheckedContinuation { idleWaiters.append($0) }
    }

    private var isIdle: Bool { isQueueIdle && hashingBill.isEmpty && verifications.isIdle }

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
        readThread.stop()
        formThread.stop()
        backupThread.stop()
        await commitThread.end()
        await readThread.thread.end()
        await formThread.thread.end()
        await backupThread.thread.end()
        await owners?.threads.end()
        await passwordThreads.end()
        store.close()
    }
}
