import GateModel

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// How a client finds the daemon and what it takes for the daemon.
public struct GateClientOptions: Sendable {
    /// The users that the daemon may run as. A server of another user is not believed.
    public struct TrustedServers: Hashable, Sendable {
        private enum Rule: Hashable {
            case rootAnd(user: String)
            case uids(Set<UInt32>)
            case anyone
        }

        private let rule: Rule

        /// Root, and the user of this name; also a uid in decimal digits.
        public static func rootAnd(user: String) -> TrustedServers { TrustedServers(rule: .rootAnd(user: user)) }

        /// These uids and no others.
        public static func uids(_ uids: Set<UInt32>) -> TrustedServers { TrustedServers(rule: .uids(uids)) }

        /// Any server. For this package's tests; no app can name it.
        package static let anyone = TrustedServers(rule: .anyone)
    }

    /// Where a daemon listens if nobody says otherwise.
    public static let defaultSocketPath = "/run/gated/gate.sock"
    /// The user that the daemon runs as if nobody says otherwise.
    public static let defaultServerUser = "gate"

    /// The path of the socket. By default `$GATE_SOCKET`, or `/run/gated/gate.sock`.
    public var socketPath: String
    /// Where the daemon's status page is; `nil`: the file `status` beside the socket.
    public var statusPath: String?
    /// The users that the daemon may run as.
    public var trustedServers: TrustedServers
    /// How this program names itself to the daemon, which does not believe it. By default the name it was started by.
    public var programName: String
    /// How long the daemon may take to accept a connection.
    public var connectTimeout: Duration
    /// How long a call may take; `nil`: as long as it takes. A question to a person is not part of it.
    public var callTimeout: Duration?
    /// The clock that deadlines are told by; `nil`: the daemon has one of its own that nobody here can read, so that deadlines are
    /// left to it. For tests.
    package var clock: ClientClock? = .kernel
    /// Returns after so much time that the device is awake, or a little later; throws after cancellation. A program whose thread has a
    /// loop with timers takes those: then nothing wakes it but what it waits for.
    package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0, clock: .suspending) }

    /// Makes options; every argument that is left out has its default.
    ///
    /// - Parameters:
    ///   - socketPath: `nil`: `$GATE_SOCKET`, or `/run/gated/gate.sock`.
    ///   - trustedServers: the users that the daemon may run as.
    ///   - programName: how this program names itself; `nil`: by the name it was started by.
    ///   - connectTimeout: how long the daemon may take to accept a connection.
    ///   - callTimeout: how long a call may take; `nil`: as long as it takes.
    ///   - statusPath: where the status page is; `nil`: the file `status` beside the socket.
    public init(
        socketPath: String? = nil, trustedServers: TrustedServers = .rootAnd(user: defaultServerUser),
        programName: String? = nil, connectTimeout: Duration = .seconds(5), callTimeout: Duration? = .seconds(10),
        statusPath: String? = nil
    ) {
        self.socketPath = socketPath ?? Self.socketPathOfEnvironment ?? Self.defaultSocketPath
        self.trustedServers = trustedServers
        self.programName = programName ?? Self.nameOfProcess
        self.connectTimeout = connectTimeout
        self.callTimeout = callTimeout
        self.statusPath = statusPath
    }

    private static var socketPathOfEnvironment: String? {
        guard let value = getenv("GATE_SOCKET") else { return nil }
        let path = String(cString: value)
        return path.isEmpty ? nil : path
    }

    private static var nameOfProcess: String {
        CommandLine.arguments.first?.lastPathPart ?? "unknown"
    }
}

extension GateClientOptions.TrustedServers {
    /// The uids that are trusted; `nil`: all. A name that the device does not know adds nobody.
    var userIDs: Set<UInt32>? {
        switch rule {
        case .rootAnd(let user): Set([0, Self.userID(of: user)].compactMap { $0 })
        case .uids(let uids): uids
        case .anyone: nil
        }
    }

    /// The uid of a user, by name or in decimal digits; `nil` where the device knows no such name (see `LocalAccounts`).
    package static func userID(of user: String) -> UInt32? {
        UInt32(user) ?? LocalAccounts.userID(named: user)
    }
}
