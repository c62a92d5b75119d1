import Epoll
import Foundation
import GateCore
import GateModel
import GatePolicy
import GateProtocol
import GateScripting
import Logging
import NIOCore
import NIOPosix
import Synchronization
import TTRPC
import TTRPCTransport

@testable import GateDaemon

/// The authority with its routers behind a real socket for each person, in this process: the real core, and a store, a
/// clock and a policy in the test's hands.
final class LiveGate: Sendable {
    static let users: [String: UInt32] = [
        "anna": 1001, "ben": 1002, "screen": 1003, "mother": 1004, "shop": 1005, "power": 1006,
        "carrier": 1007, "root": 0,
    ]

    static let policy = """
        mode: {challenge: arithmetic-choice}
        roles:
          presenter: {users: [screen]}
          grown-up-presenter: {users: [mother]}
        gated-actions:
          link.open: {title: Open a web page, requires: {challenge: arithmetic-choice}}
          photos.send: {title: Send photos, requires: {challenge: arithmetic-choice}, keep: 5m}
          photos.delete: {title: Delete photos, requires: {mode: parent}}
          purchase: {title: Buy something, requires: {challenge: passcode}}

        """

    static let eventLoop: EpollLoop = {
        do {
            return try EpollLoop(name: "gates of tests")
        } catch {
            preconditionFailure("no event loop for tests: \(error)")
        }
    }()

    let authority: Authority
    /// What a reload reads: `policy.yaml`, `providers.yaml` and `household.yaml`.
    let policyText: SharedText
    let providersText: SharedText
    let householdText: SharedText
    /// A file of the shipped layer; empty: there is none.
    let shippedText: SharedText
    let clock: StandingClock
    private let directory: String
    private let servers: [TTRPCServer]

    private init(
        authority: Authority, policyText: SharedText, providersText: SharedText, householdText: SharedText,
        shippedText: SharedText, clock: StandingClock, directory: String, servers: [TTRPCServer]
    ) {
        self.authority = authority
        self.policyText = policyText
        self.providersText = providersText
        self.householdText = householdText
        self.shippedText = shippedText
        self.clock = clock
        self.directory = directory
        self.servers = servers
    }

    /// Gives the body a gate that runs, and stops it afterwards.
    static func with(
        policy: String = LiveGate.policy, providers: String = "", household: String = "", shipped: String = "",
        form: String = "",
        rootFiles: [String: [UInt8]] = [:],
        limits: DaemonLimits = .ofTests, processes: (any ProcessDirectory)? = nil,
        users database: UserDatabase = .numbered, userFile: String? = nil, loginSessions: String? = nil,
        log: LogLines = LogLines(),
        _ body: (_ gate: LiveGate, _ store: MemoryStore) async throws -> Void
    ) async throws {
        // Short, since the path of a socket has room for 107 bytes.
        let directory = "/tmp/gate-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (store, text, providersText) = (MemoryStore(), SharedText(policy), SharedText(providers))
        let (householdText, shippedText) = (SharedText(household), SharedText(shipped))
        let clock = StandingClock()
        var environment = Environment(
            clock: clock, random: SeededGenerator(seed: 1), makeAlarm: { clock.makeAlarm(wake: $1) },
            watchWallClock: { clock.makeWatch(wasSet: $1) },
            readPolicyFiles: {
                var sources = [PolicySource(name: "policy.yaml", text: text.value)]
                for (name, text) in [
                    ("providers.yaml", providersText.value), ("household.yaml", householdText.value),
                    ("questionnaires.d/form.yaml", form),
                ] where !text.isEmpty {
                    sources.append(PolicySource(name: name, text: text))
                }
                let shipped = [PolicySource(name: "shipped/gate.yaml", text: shippedText.value)]
                    .filter { !$0.text.isEmpty }
                return DevicePolicyFiles { [sources] shared, choices throws(PolicyError) in
                    try PolicyReader.read(
                        sources, rootFiles: rootFiles, household: shared, choices: choices, shipped: shipped)
                }
            },
            roleRules: { RoleRules($0, daemonUser: 900, user: { users[$0] }, group: { _ in nil }) })
        if let processes { environment.processes = processes }
        environment.users = database
        // Any file that stays as it is will do.
        environment.userFile = userFile ?? "/bin/sh"
        environment.watchesUserFile = userFile != nil
        environment.loginSessions = loginSessions
        let authority = Authority(
            eventLoop: eventLoop, store: store, records: DurableRecords(revision: Revision(epoch: 7, number: 0)),
            inForce: try environment.policyInForce(), environment: environment, limits: limits,
            logger: Logger(label: "test") { _ in log })
        try await authority.start(quarantinedFile: nil, environment, on: eventLoop)
        var servers: [TTRPCServer] = []
        for (name, uid) in users {
            let service = PeerService(authority: authority) { attested in
                var credentials = attested
                (credentials.uid, credentials.gid, credentials.groups) = (uid, uid, [])
                return PeerIdentity(credentials: credentials)
            }
            servers.append(
                try await TTRPCServer.start(
                    on: .path("\(directory)/\(name).sock", mode: 0o600), loop: eventLoop, work: authority.work,
                    limits: ConnectionLimits(), writeDeadline: .seconds(60), closingDeadline: .seconds(60),
                    service: service))
        }
        let gate = LiveGate(
            authority: authority, policyText: text, providersText: providersText, householdText: householdText,
            shippedText: shippedText, clock: clock, directory: directory, servers: servers)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(gate, store))
        } catch {
            result = .failure(error)
        }
        store.setFull(false)
        store.release()
        await gate.stop()
        try result.get()
    }

    func stop() async {
        for server in servers { try? await server.stopListening() }
        await authority.stop()
        for server in servers { try? await server.close() }
        await authority.close()
    }

    func connect(_ person: String) async throws -> Connected {
        let cancel = Methods.Control.cancel
        return Connected(
            connection: try await TTRPCClientConnection.connect(
                to: socketPath(of: person), eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
                limits: ConnectionLimits(),
                serverUIDs: nil, connectTimeout: .seconds(300),
                cancellation: CancellationMethod(service: cancel.service, method: cancel.name) {
                    CancelRequest(streamID: $0).encoded()
                }))
    }

    /// The path of the socket for a person's connections.
    func socketPath(of person: String) -> String { "\(directory)/\(person).sock" }

    /// Turns the clocks on. Everything that falls due meanwhile is durable when this returns.
    func advance(by duration: Duration) async {
        let target = clock.bootTime().advanced(by: duration)
        await settle()
        while let due = clock.deadline, due <= target {
            clock.turn(to: max(due, clock.bootTime()))
            await authority.ring(clock)
            await settle()
        }
        clock.turn(to: target)
    }

    /// Turns the clocks on and rings the alarm once, whatever work is still under way.
    func ringLate(by duration: Duration) async {
        clock.turn(to: clock.bootTime().advanced(by: duration))
        await authority.ring(clock)
    }

    /// Sets the wall clock, as somebody might do.
    func setWallClock(by duration: Duration) async {
        clock.setWall(by: duration)
        await authority.wallClockWasSet(clock)
        await settle()
    }

    /// The alarm is set at the end of a turn of the event loop.
    private func settle() async {
        await authority.settled()
        await authority.takeTurn()
    }

    /// The connections that the durable part of the state still mentions.
    func rememberedConnections() async -> Set<UInt64> {
        await authority.rememberedConnections()
    }
}

extension Authority {
    var durable: GateState { pipeline.durable }
    var head: GateState { pipeline.head }
    var isCommitting: Bool { !pipeline.isIdle }

    fileprivate func rememberedConnections() -> Set<UInt64> { durable.connections }

    fileprivate func ring(_ clock: StandingClock) { clock.ring() }

    fileprivate func wallClockWasSet(_ clock: StandingClock) { clock.tellOfSetting() }

    fileprivate func takeTurn() {}
}

extension DaemonLimits {
    static var ofTests: DaemonLimits {
        var limits = DaemonLimits()
        limits.reconcileInterval = .milliseconds(1)
        return limits
    }
}

/// A connected person.
struct Connected {
    let connection: TTRPCClientConnection

    func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, timeout: Duration? = nil, program: String? = nil
    ) async throws(GateError) -> Response {
        let answer: [UInt8]
        do throws(TTRPCClientError) {
            answer = try await connection.call(
                service: method.service, method: method.name, payload: request.encoded(), timeout: timeout,
                metadata: program.map { [Metadata(key: "program", value: $0)] } ?? [])
        } catch {
            throw GateError(told: error)
        }
        return try Response(decoding: answer)
    }

    /// The refusal of a call; nil if it succeeded.
    func refusal<Request, Response>(of method: Method<Request, Response>, _ request: Request) async -> GateError? {
        do throws(GateError) {
            _ = try await call(method, request)
            return nil
        } catch {
            return error
        }
    }

    func open<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) async throws -> OpenStream<Response> {
        let stream = try await connection.openStream(
            service: method.service, method: method.name, payload: request.encoded(), timeout: nil)
        return OpenStream(messages: stream.makeAsyncIterator())
    }

    func close() async { await connection.close() }
}

/// The messages of a server stream, one after the other.
struct OpenStream<Response: WireMessage> {
    fileprivate var messages: TTRPCClientStream.AsyncIterator

    /// The next message; nil at the end of the stream.
    mutating func next() async throws(GateError) -> Response? {
        let bytes: [UInt8]?
        do throws(TTRPCClientError) {
            bytes = try await messages.next()
        } catch {
            throw GateError(told: error)
        }
        return try bytes.map { bytes throws(GateError) in try Response(decoding: bytes) }
    }
}

extension GateError {
    fileprivate init(told error: TTRPCClientError) {
        guard case .status(let status) = error else {
            self.init(.unknown, .unspecified, error.description)
            return
        }
        self.init(
            code: status.code.rawValue, message: status.message,
            details: status.details.map { ($0.typeURL, $0.value) })
    }
}

/// A text that a test changes while the daemon reads it.
final class SharedText: Sendable {
    private let text: Mutex<String>

    init(_ text: String) {
        self.text = Mutex(text)
    }

    var value: String {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}
