package import GateModel
public import NIOCore

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// How a client finds the daemon and what it takes for the daemon.
public struct GateClientOptions: Sendable {
    /// The users that the daemon may run as. A server of another user is not believed.
    @nonexhaustive
    public enum TrustedServers: Hashable, Sendable {
        /// Root, and the user of this name; also a uid in decimal digits.
        case rootAnd(user: String)
        /// These uids and no others.
        case uids(Set<UInt32>)
        /// Any server. For tests.
        case anyone
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
    /// The event loop of the connection. By default one loop, on one thread, for all clients of the process.
    public var eventLoop: (any EventLoop)?
    /// The clock that deadlines are told by, where it is not the kernel's: that of a device made for tests. Nothing is
    /// closed by this process's own timers then.
    package var clock: (@Sendable () -> BootTime)?

    /// Makes options; every argument that is left out has its default.
    ///
    /// - Parameters:
    ///   - socketPath: `nil`: `$GATE_SOCKET`, or `/run/gated/gate.sock`.
    ///   - trustedServers: the users that the daemon may run as.
    ///   - programName: how this program names itself; `nil`: by the name it was started by.
    ///   - connectTimeout: how long the daemon may take to accept a connection.
    ///   - callTimeout: how long a call may take; `nil`: as long as it takes.
    ///   - eventLoop: of the connection; `nil`: one loop, on one thread, for all clients of the process.
    ///   - statusPath: where the status page is; `nil`: the file `status` beside the socket.
    public init(
        socketPath: String? = nil, trustedServers: TrustedServers = .rootAnd(user: defaultServerUser),
        programName: String? = nil, connectTimeout: Duration = .seconds(5), callTimeout: Duration? = .seconds(10),
        eventLoop: (any EventLoop)? = nil, statusPath: String? = nil
    ) {
        self.socketPath = socketPath ?? Self.socketPathOfEnvironment ?? Self.defaultSocketPath
        self.trustedServers = trustedServers
        self.programName = programName ?? Self.nameOfProcess
        self.connectTimeout = connectTimeout
        self.callTimeout = callTimeout
        self.eventLoop = eventLoop
        self.statusPath = statusPath
    }

    /// The time by which deadlines are told.
    var now: BootTime { clock?() ?? .now() }

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
        switch self {
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
