import Epoll
import GateCore
import GateModel
import GatePolicy
import GateStore
import Logging
import NIOCore
import TTRPCTransport

/// The running daemon: makes all its parts, and starts and ends them. They alone change the state of the device.
///
/// Everything runs on the event loop that reads the sockets, so no task switch delays an answer.
public actor Authority {
    nonisolated let eventLoop: any EventLoop
    nonisolated let work: PacedWork
    private nonisolated let executor: any SerialExecutor

    // The sockets call these on the actor's own event loop. An isolated call would cost a tenth of a request.
    nonisolated(unsafe) let context: LoopContext
    nonisolated(unsafe) let sessions: Sessions
    nonisolated(unsafe) let router: Router
    let pipeline: CommandPipeline
    let publisher: Publisher
    let deadlines: Deadlines
    let policy: PolicyReload
    let passwords: PasswordWork
    let verifications: Verifications
    let backups: BackupRouter
    /// `nil`: each uid is billed to itself.
    let owners: OwnerLookup?
    nonisolated(unsafe) let recognition: UserRecognition
    private let store: any StateStore
    private let sharedThreads: [SharedThread]
    /// All threads, in the order in which they are ended.
    private let threads: [any BlockingThreads]
    private var wallClockWatch: (any WallClockWatch & Sendable)?
    private var userFileWatch: DirectoryWatch?

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        eventLoop: any EventLoop, store: any StateStore, records: DurableRecords, inForce: PolicyInForce,
        environment: Environment, limits: DaemonLimits, logger: Logger
    ) {
        let context = LoopContext(eventLoop: eventLoop, clock: environment.clock, limits: limits, logger: logger)
        // Commits and reads wait for the disk on separate threads. A read delays a commit by one page at most.
        let commits = environment.makeThreads(1, 0)
        let reads = SharedThread(
            environment.makeThreads(1, 0), eventLoop: eventLoop,
            turns: ThreadTurns(waiting: limits.downloadsWaiting, perUser: limits.downloadsWaitingPerUser))
        let hashes = environment.makeThreads(limits.passwordsAtOnce, PasswordWork.niceness)
        // Reads, checks and writes large forms.
        let forms = SharedThread(
            environment.makeThreads(1, PasswordWork.niceness), eventLoop: eventLoop,
            turns: ThreadTurns(waiting: limits.formsWaiting, perUser: limits.formsWaitingPerUser))
        // Makes, writes and checks backups.
        let backupThread = SharedThread(
            environment.makeThreads(1, PasswordWork.niceness), eventLoop: eventLoop,
            turns: ThreadTurns(waiting: 0, perUser: 0))
        let owners = environment.owners.map {
            OwnerLookup(eventLoop: eventLoop, directory: $0, threads: environment.makeThreads(1, 0))
        }

        let passwords = PasswordWork(context, threads: hashes, decoy: environment.passwordDecoy)
        let publisher = Publisher(
            context, audits: AuditHub(store: store, thread: reads, pageSize: limits.auditPageEntries))
        let pipeline = CommandPipeline(
            context, restoring: GateState(restoring: records, configuration: inForce.policy.configuration),
            storeCommit: store.commit, thread: commits, random: environment.random, passwords: passwords,
            publisher: publisher)
        let sessions = Sessions(pipeline, roleRules: inForce.roles)
        let recognition = UserRecognition(
            pipeline, sessions, users: environment.users, path: environment.userFile, thread: reads)
        let policy = PolicyReload(inForce, sessions, owners: owners, recognition, thread: reads) {
            stored, known throws(BadPolicy) in
            try environment.policyInForce(with: stored, known: known)
        }
        let verifying = environment.makeThreads(limits.verificationsAtOnce, PasswordWork.niceness)
        let verifications = Verifications(pipeline, policy, threads: verifying)
        let formThread = FormThread(pipeline, thread: forms)
        let backups = BackupRouter(sessions, policy, recognition, store: store, thread: backupThread)
        let household = HouseholdHub(context) { [unowned pipeline] in pipeline.durable }
        sessions.connectionClosed.append { household.connectionClosed($0) }
        pipeline.sendAnswer = { household.send($0, as: $1) }
        pipeline.stateChanged = { [unowned recognition] in
            household.stateChanged(from: $0, to: $1)
            recognition.stateChanged(from: $0, to: $1)
        }
        let subjects = Subjects(context: context, owners: owners, processes: environment.processes)
        let router = Router(
            pipeline,
            services: [
                ModeRouter(pipeline: pipeline),
                AuthorizationRouter(pipeline: pipeline, subjects: subjects, policy: policy),
                SecretsRouter(pipeline: pipeline, passwords: passwords),
                PeopleRouter(pipeline: pipeline, recognition: recognition),
                SignInRouter(pipeline: pipeline, passwords: passwords),
                EntitlementsRouter(pipeline: pipeline),
                SubmissionsRouter(limits: limits, verifications: verifications),
                FormsRouter(pipeline: pipeline, forms: formThread),
                ResponsesRouter(pipeline: pipeline, forms: formThread),
                PartsRouter(pipeline: pipeline, forms: formThread),
                DocumentsRouter(sessions: sessions, store: store, thread: reads),
                ReleaseNotesRouter(pipeline: pipeline),
                HouseholdRouter(
                    pipeline: pipeline, hub: household, policy: policy, verifications: verifications),
                PresentationsRouter(sessions: sessions, publisher: publisher, subjects: subjects),
                UsageRouter(sessions: sessions, publisher: publisher),
                AgeRouter(pipeline: pipeline),
                WatchRouter(sessions: sessions, publisher: publisher),
                ControlRouter(sessions: sessions, publisher: publisher, policy: policy),
                backups,
            ])

        self.eventLoop = eventLoop
        work = context.work
        executor = eventLoop.executor
        self.context = context
        self.pipeline = pipeline
        self.publisher = publisher
        self.sessions = sessions
        deadlines = Deadlines(pipeline, sessions)
        self.policy = policy
        self.passwords = passwords
        self.verifications = verifications
        self.backups = backups
        self.router = router
        self.owners = owners
        self.recognition = recognition
        self.store = store
        sharedThreads = [reads, forms, backupThread]
        threads =
            [commits, reads.thread, forms.thread, backupThread.thread] + (owners.map { [$0.threads] } ?? []) + [
                hashes, verifying,
            ]
    }

    /// Starts the daemon with the clocks of `environment`.
    /// - Parameter loop: the event loop that this authority runs on.
    func start(quarantinedFile: String?, _ environment: Environment, on loop: EpollLoop) async throws {
        wallClockWatch = environment.watchWallClock?(loop) { [self] in
            assumeIsolated { $0.deadlines.wallClockWasSet() }
        }
        if environment.watchesUserFile { watchUserFile(environment.userFile, on: loop) }
        publisher.uses.loginSessions = environment.loginSessions.map {
            LoginSessionWatch(pipeline, directory: $0, on: loop)
        }
        try await start(quarantinedFile: quarantinedFile) { wake in try environment.makeAlarm(loop, wake) }
    }

    private func watchUserFile(_ path: String, on loop: EpollLoop) {
        userFileWatch = DirectoryWatch(ofFile: path, on: loop) { [self] in
            assumeIsolated {
                $0.recognition.directoryChanged()
                $0.deadlines.zoneMayHaveChanged()
            }
        }
        guard userFileWatch == nil else { return }
        context.logger.warning(
            """
            the kernel does not watch \(path), so a change of users counts only when their programs connect, and \
            another time zone only when something is due; \
            raise fs.inotify.max_user_instances, and start gated again
            """)
    }

    /// Runs the first commands after a start: everything that was open is closed, so the device is in child mode. They
    /// make a new revision, which is sent to every watcher that resumes.
    func start(
        quarantinedFile: String?, makeAlarm: (_ wake: @escaping @Sendable () -> Void) throws -> any Alarm & Sendable
    ) async throws {
        pipeline.alarm.use(try makeAlarm { [self] in assumeIsolated { $0.deadlines.alarmRang() } })
        let lastEntry = try? store.audit(after: nil, last: 1, limit: 1).entries.last?.time
        if let quarantinedFile { try await submitted(.daemon(.closeForDamage(quarantinedFile: quarantinedFile))) }
        try await submitted(.daemon(.start(lastEntry: lastEntry)))
        recognition.ask()
    }

    /// Submits a command of the daemon's own, and returns when it is durable.
    private func submitted(_ command: Command) async throws {
        try await withCheckedThrowingContinuation { continuation in
            pipeline.submit(command, as: .daemon) { continuation.resume(with: $0.map { _ in }) }
        }
    }

    /// Called after a start if the household's stored policy doesn't fit this device's files, so only these count.
    func start(without household: HouseholdPolicy, _ error: BadPolicy) async throws {
        try await withCheckedThrowingContinuation { continuation in
            policy.doesNotFit(household, error) { continuation.resume(with: $0) }
        }
    }

    /// Makes the status page and the list of guarded apps. If that fails, the daemon serves without them. Without a
    /// page, the list is left alone, since the directory may be another daemon's.
    func openPage(in directory: String) {
        guard publisher.openPage(in: directory, saying: pipeline.durable) else { return }
        policy.showApps(in: directory)
    }

    /// Reads the configuration again, for SIGHUP. Errors are logged.
    func reload() async {
        await withCheckedContinuation { continuation in
            policy.reload(as: .daemon) { _ in continuation.resume() }
        }
    }

    // MARK: Stopping

    /// Returns when everything applied is durable and published, and nothing is being hashed or verified.
    public func settled() async {
        guard !context.openWork.isNone else { return }
        await withCheckedContinuation { context.openWork.add($0) }
    }

    /// Refuses further commands, waits until what was applied is durable, fails all waiting calls and ends all streams.
    func stop() async {
        context.isStopping = true
        pipeline.alarm.stop()
        wallClockWatch?.end()
        wallClockWatch = nil
        userFileWatch?.end()
        userFileWatch = nil
        publisher.uses.loginSessions?.end()
        publisher.uses.loginSessions = nil
        if pipeline.head.hasUses { pipeline.submit(.usage(.endAll), as: .daemon) { _ in } }
        await settled()
        publisher.endPage()
        for answer in pipeline.waitingCalls.takeAll() { answer(.failure(.stopping)) }
        sessions.endStreams(.stopping) { _, _ in true }
    }

    /// Ends the threads and closes the store. Call this when the last connection is closed.
    func close() async {
        pipeline.alarm.end()
        for thread in sharedThreads { thread.stop() }
        for thread in threads { await thread.end() }
        store.close()
    }
}
