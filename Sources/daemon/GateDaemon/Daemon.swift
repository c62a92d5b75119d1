public import Epoll
import GateCore
import GateModel
import GateStore
public import Logging
import NIOCore
import SystemdService
public import TTRPCTransport

/// The whole daemon, from the store to the socket. `run` returns after an orderly stop.
public struct Daemon: Sendable {
    public struct Listener: Sendable {
        public var socket: ListeningSocket
        /// Says who a peer is, from its credentials as the kernel reports them.
        public var identify: @Sendable (PeerCredentials) -> PeerIdentity

        package init(
            socket: ListeningSocket,
            identify: @escaping @Sendable (PeerCredentials) -> PeerIdentity = { PeerIdentity(credentials: $0) }
        ) {
            self.socket = socket
            self.identify = identify
        }
    }

    public struct Settings: Sendable {
        public var listeners: [Listener]
        public var stateDirectory: String
        /// The directory of the status page and the list of guarded apps; `nil`: neither is made.
        public var runtimeDirectory: String?
        public var limits: DaemonLimits

        public init(
            listeners: [Listener], stateDirectory: String, runtimeDirectory: String? = nil,
            limits: DaemonLimits = DaemonLimits()
        ) {
            self.listeners = listeners
            self.stateDirectory = stateDirectory
            self.runtimeDirectory = runtimeDirectory
            self.limits = limits
        }
    }

    private let settings: Settings
    private let environment: Environment
    private let logger: Logger

    public init(settings: Settings, environment: Environment, logger: Logger) {
        self.settings = settings
        self.environment = environment
        self.logger = logger
    }

    /// Reserves file descriptors. Call this while the process has only one thread.
    func prepareProcess() {
        DescriptorTable.prepare(for: settings.limits.connections)
    }

    /// Serves until `stop` is requested.
    /// - Parameters:
    ///   - loop: the event loop to serve on. It is left running.
    ///   - onReady: called once, when all sockets accept connections.
    /// - Throws: `BadPolicy`, `StoreError`, the `GateError` of a first commit that failed, or an I/O error, if the
    ///   daemon can't start. If the disk is full, it tries for 15 s before it throws.
    public func run(
        on loop: EpollLoop, until stop: StopRequest, onReady: @Sendable (Authority) -> Void = { _ in }
    ) async throws {
        let supervisor = Supervisor.takeFromEnvironment()
        // The policy comes first: if it can't be read, nothing else has been opened or changed.
        let inForce = try environment.policyInForce()
        inForce.logWarnings(to: logger)
        if let authority = try await startedWhenThereIsRoom(inForce, on: loop, stop, supervisor) {
            try await serve(authority, on: loop, until: stop, supervisor, onReady)
        }
    }

    /// Listens and serves until a stop is requested. Then, or if listening fails, everything is ended in order.
    private func serve(
        _ authority: Authority, on loop: EpollLoop, until stop: StopRequest, _ supervisor: Supervisor,
        _ onReady: (Authority) -> Void
    ) async throws {
        if let directory = settings.runtimeDirectory { await authority.openPage(in: directory) }
        var servers: [TTRPCServer] = []
        var watchdog: RepeatedTask?
        let result: Result<Void, any Error>
        do {
            for listener in listeners(supervisor) {
                servers.append(try await server(of: authority, for: listener, on: loop))
            }
            watchdog = feedWatchdog(supervisor, on: loop)
            supervisor.notification.ready("serving")
            logger.info("ready", metadata: ["version": "\(GateRelease.version)", "mode": "child"])
            onReady(authority)
            await stop.wait()
            result = .success(())
        } catch {
            result = .failure(error)
        }

        logger.info("stopping")
        supervisor.notification.stopping()
        for server in servers { try? await server.stopListening() }
        await authority.stop()
        for server in servers { try? await server.close() }
        watchdog?.cancel()
        await authority.close()
        try result.get()
    }

    private func server(
        of authority: Authority, for listener: Listener, on loop: EpollLoop
    ) async throws -> TTRPCServer {
        try await TTRPCServer.start(
            on: listener.socket, loop: loop, work: authority.work, limits: settings.limits.connection,
            writeDeadline: settings.limits.writeDeadline, closingDeadline: settings.limits.closingDeadline,
            service: PeerService(authority: authority, identify: listener.identify))
    }

    /// How long a start waits for room on a full disk, and how often it tries. systemd ends a start after 30 s, and
    /// gives up after five starts in a minute. 15 s avoid both, so `gated` is back as soon as there is room.
    private static let (patience, look) = (Duration.seconds(15), Duration.seconds(3))

    /// - Returns: `nil` if a stop was requested meanwhile.
    private func startedWhenThereIsRoom(
        _ inForce: PolicyInForce, on loop: EpollLoop, _ stop: StopRequest, _ supervisor: Supervisor
    ) async throws -> Authority? {
        let givesUp = ContinuousClock.now + Self.patience
        while true {
            do {
                return try await started(inForce, on: loop)
            } catch {
                // The error of a first commit doesn't tell whether the disk was full; other causes may pass, too.
                let mayPass =
                    [.full, .fullBeforeUpgrade].contains(error as? StoreError)
                    || (error as? GateError)?.reason == .storeFailed
                guard mayPass, ContinuousClock.now < givesUp else { throw error }
                let status = "not serving yet: \(error)"
                logger.critical("\(status)")
                supervisor.notification.waiting(status)
            }
            if await stop.wait(atMost: Self.look, on: loop) { return nil }
        }
    }

    private func started(_ inForce: PolicyInForce, on loop: EpollLoop) async throws -> Authority {
        let (store, records, outcome) = try GateStore.open(
            directory: settings.stateDirectory, bootID: environment.clock.bootID,
            now: environment.clock.bootTime(), journalCapacity: settings.limits.journalEntries)
        let stored = StoredPolicy(records)
        // The store is open now, so the layers of the policy that are kept there can be added. A choice with a mistake
        // denies its action; a policy of the household with one is left out.
        let whole = Result { () throws(BadPolicy) in try policy(inForce, with: stored) }
        let first = try (try? whole.get()) ?? policy(inForce, with: StoredPolicy(choices: stored.choices))
        first.logWarnings(to: logger, besides: inForce)
        let authority = Authority(
            eventLoop: loop, store: store, records: records, inForce: first, environment: environment,
            limits: settings.limits, logger: logger)
        do {
            try await authority.start(quarantinedFile: damage(outcome), environment, on: loop)
            if case .failure(let error) = whole, let household = stored.household {
                try await authority.start(without: household.policy, error)
            }
            return authority
        } catch {
            await authority.stop()
            await authority.close()
            throw error
        }
    }

    /// Adds the household's policy and the choices in the store to the policy of this device's files.
    private func policy(_ own: PolicyInForce, with stored: StoredPolicy) throws(BadPolicy) -> PolicyInForce {
        stored.isEmpty ? own : try environment.policyInForce(with: stored, known: own.files)
    }

    private func damage(_ outcome: GateStore.OpenOutcome) -> String? {
        switch outcome {
        case .opened, .created:
            return nil
        case .replacedDamaged(let quarantinedFile):
            logger.critical(
                "the store was damaged, so it was set aside; all gated actions are denied until an administrator runs `gatectl recover`",
                metadata: ["set-aside": "\(quarantinedFile)"])
            return quarantinedFile
        }
    }

    /// If systemd has opened sockets, only those are served. Their paths are in systemd's unit; listening at our own
    /// paths as well would give the daemon two sets of sockets.
    private func listeners(_ supervisor: Supervisor) -> [Listener] {
        guard let first = settings.listeners.first, !supervisor.listeningSockets.isEmpty else {
            return settings.listeners
        }
        return supervisor.listeningSockets.map { Listener(socket: .inherited($0), identify: first.identify) }
    }

    /// Notifies the watchdog twice per interval, on the event loop that serves. If that hangs, systemd restarts gated.
    private func feedWatchdog(_ supervisor: Supervisor, on loop: EpollLoop) -> RepeatedTask? {
        guard let interval = supervisor.watchdogInterval else { return nil }
        let half = TimeAmount.nanoseconds(interval.clampedNanoseconds / 2)
        return loop.scheduleRepeatedTask(initialDelay: .zero, delay: half) { _ in
            supervisor.notification.watchdog()
        }
    }
}
