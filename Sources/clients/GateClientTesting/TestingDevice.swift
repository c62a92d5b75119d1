public import GateClient
import GateCredentials
import GateDaemon
import GatePolicy
import Glibc
import Synchronization
import TTRPCTransport

/// A whole device inside a test's process: the real rules, the real library and the real wire between them, with a
/// clock to turn, a person who does what the test says, and providers that say what the test says.
///
/// ```swift
/// import GateClientTesting
///
/// let device = try await TestingDevice(policy: "entitlements: {premium: {title: Premium}}")
/// let app = MyApp(gate: device.client())
/// await device.person.answers(.dismissal)
/// …
/// await device.stop()
/// ```
///
/// Of the machine it uses only a folder for its sockets and its status page, which `stop` removes. Each test may have
/// its own device; devices can run at the same time.
public final class TestingDevice: Sendable {
    /// The user that a client runs as. The table of roles in docs/security.md says what each role may do.
    public struct Seat: Hashable, Sendable {
        let name: String
        let uid: UInt32
        let roles: Roles

        /// An ordinary app.
        public static let app = Seat(name: "app", uid: 1000, roles: .app)
        /// An ordinary app of another user.
        public static let anotherUser = Seat(name: "another-user", uid: 1001, roles: .app)
        /// A program that submits receipts.
        public static let provider = Seat(name: "provider", uid: 1002, roles: [.app, .provider])
        /// A presenter for grown-ups, for tests that show presentations themselves. Set `nobodyThere` first.
        public static let presenter = Seat(
            name: "presenter", uid: 1003, roles: [.app, .presenter, .grownUpPresenter])
        /// An administrator.
        public static let administrator = Seat(
            name: "administrator", uid: 0, roles: [.app, .presenter, .grownUpPresenter, .administrator])
        /// The screen of the automatic person.
        static let person = Seat(name: "person", uid: 1004, roles: presenter.roles)

        static let all = [app, anotherUser, provider, presenter, administrator, person]
    }

    struct Memory {
        /// The passwords of the accounts that were registered here, by name. The daemon only stores hashes.
        var passwords: [String: GateSecret] = [:]
        var newestAccount: String?
        var passcode: GateSecret?
        var authenticator: TOTPKey?
        var clients: [GateClient] = []
        /// The entitlements of each user of RevenueCat, by the user, then by the item's name.
        var customers: [String: [String: ProviderStatement.CustomerEntitlement]] = [:]
        /// The time of a provider's last statement. The next one has to be later, to be told apart.
        var lastStatement = WallTime(unixMilliseconds: 0)
        var isStopped = false
    }

    let daemon: UnstoredDaemon
    let clock: TestingClock
    let alarm: TestingAlarm
    let policy: TestingPolicy
    let folder: String
    let memory: MemoryBox
    /// The person at the device, who does what the test has said with everything that is shown.
    public let person: TestingPerson

    /// What changes while the device is used. The daemon's reading of the policy shares it.
    final class MemoryBox: Sendable {
        let value = Mutex(Memory())
    }

    /// - Parameters:
    ///   - policy: the text of `policy.yaml`.
    ///   - providers: the text of `providers.yaml`. Its products are sold; for an entitlement without any, StoreKit
    ///     sells "NAME.monthly" and RevenueCat "NAME".
    ///   - files: the texts of forms and release notes, by their paths: "questionnaires.d/consent.yaml".
    ///   - rootFiles: the certificates that `providers.yaml` names, in DER, by that name.
    ///   - seed: the same seed leads to the same questions.
    /// - Throws: `PolicyError` or `BadPolicy` with the lines that are wrong.
    public convenience init(
        policy: String, providers: String? = nil, files: [String: String] = [:], rootFiles: [String: [UInt8]] = [:],
        seed: UInt64 = 1
    ) async throws {
        let sources =
            [PolicySource(name: "policy.yaml", text: policy)]
            + (providers.map { [PolicySource(name: "providers.yaml", text: $0)] } ?? [])
            + files.sorted { $0.key < $1.key }.map { PolicySource(name: $0.key, text: $0.value) }
        try await self.init(
            TestingPolicy { choices throws(PolicyError) in
                try PolicyReader.read(sources, rootFiles: rootFiles, household: nil, choices: choices)
            }, seed: seed
        )
    }

    /// Reads a configuration directory, as `gated` does. Its files belong to root or the user who runs the test.
    public convenience init(configDirectory: String, seed: UInt64 = 1) async throws {
        try await self.init(
            TestingPolicy { choices throws(PolicyError) in
                try PolicyReader.read(
                    directory: configDirectory, shipped: PolicyReader.shippedDirectory(beside: configDirectory),
                    trustedOwners: [0, geteuid()], choices: choices)
            }, seed: seed)
    }

    private init(_ policy: TestingPolicy, seed: UInt64) async throws {
        let (clock, alarm, memory) = (TestingClock(), TestingAlarm(), MemoryBox())
        let environment = Environment(
            clock: clock, random: TestingChance(seed: seed),
            makeAlarm: { _, wake in
                alarm.connect(wake)
                return alarm
            },
            readPolicyFiles: {
                DevicePolicyFiles { _, choices throws(PolicyError) in
                    try policy.policy(
                        accounts: memory.value.withLock { Array($0.passwords.keys) }, choices: choices)
                }
            },
            // Roles come from the sockets instead: each seat has its own.
            roleRules: { RoleRules($0, daemonUser: 0, user: { _ in nil }, group: { _ in nil }) })
        let folder = try TestingFolder.make()
        do {
            daemon = try await UnstoredDaemon.start(
                listeners: Seat.all.map { $0.listener(in: folder) }, runtimeDirectory: folder,
                environment: environment)
        } catch {
            TestingFolder.remove(folder)
            throw error
        }
        (self.clock, self.alarm, self.policy, self.folder, self.memory) = (clock, alarm, policy, folder, memory)
        person = TestingPerson()
        await person.sitDown(at: self)
    }

    /// Makes a client, as an app does. It is closed when the device stops.
    ///
    /// - Parameters:
    ///   - seat: the user of the app.
    ///   - programName: the app's name for itself, which presentations show.
    public func client(_ seat: Seat = .app, programName: String? = nil) -> GateClient {
        let client = unkeptClient(seat, programName: programName)
        memory.value.withLock { $0.clients.append(client) }
        return client
    }

    func unkeptClient(_ seat: Seat, programName: String? = nil) -> GateClient {
        var options = GateClientOptions(
            socketPath: seat.socketPath(in: folder), trustedServers: .uids([geteuid()]), programName: programName,
            connectTimeout: .seconds(300), callTimeout: .seconds(300))
        options.clock = clock.ofClients
        return GateClient(options)
    }

    /// Ends the daemon for good, as if it had died: clients lose it, and fail closed.
    public func stopDaemon() async {
        let isRunning = memory.value.withLock { memory in
            defer { memory.isStopped = true }
            return !memory.isStopped
        }
        guard isRunning else { return }
        await person.leave()
        await daemon.stop()
        TestingFolder.remove(folder)
    }

    /// Ends the daemon and closes every client. The device can't be used any more.
    public func stop() async {
        await stopDaemon()
        let clients = memory.value.withLock { memory in
            defer { memory.clients = [] }
            return memory.clients
        }
        for client in clients { await client.close() }
    }

    /// Runs the body with a device, and stops the device afterwards, even if the body throws.
    public nonisolated(nonsending) static func with<R>(
        policy: String, providers: String? = nil, files: [String: String] = [:], rootFiles: [String: [UInt8]] = [:],
        seed: UInt64 = 1,
        _ body: nonisolated(nonsending) (TestingDevice) async throws -> R
    ) async throws -> R {
        let device = try await TestingDevice(
            policy: policy, providers: providers, files: files, rootFiles: rootFiles, seed: seed)
        do {
            let result = try await body(device)
            await device.stop()
            return result
        } catch {
            await device.stop()
            throw error
        }
    }

    deinit {
        let (daemon, folder) = (daemon, folder)
        guard !memory.value.withLock({ $0.isStopped }) else { return }
        Task {
            await daemon.stop()
            TestingFolder.remove(folder)
        }
    }
}

extension TestingDevice.Seat {
    fileprivate func socketPath(in folder: String) -> String { "\(folder)/\(name).sock" }

    fileprivate func listener(in folder: String) -> Daemon.Listener {
        let (uid, roles) = (uid, roles)
        return Daemon.Listener(socket: .path(socketPath(in: folder), mode: 0o600)) { attested in
            var credentials = attested
            (credentials.uid, credentials.gid, credentials.groups) = (uid, uid, [])
            return PeerIdentity(credentials: credentials, givenRoles: roles)
        }
    }
}

/// The folder of the sockets and the status page.
enum TestingFolder {
    /// Directly in /tmp, since the path of a socket has room for 107 bytes only.
    static func make() throws -> String {
        var template = Array("/tmp/gate-testing-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw GateError(.unavailable, .unspecified, "No folder for sockets can be made in /tmp: errno \(errno).")
        }
        return template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    static func remove(_ folder: String) {
        for seat in TestingDevice.Seat.all { unlink(seat.socketPath(in: folder)) }
        unlink("\(folder)/status")
        rmdir(folder)
    }
}
