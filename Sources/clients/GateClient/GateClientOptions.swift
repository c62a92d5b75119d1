import GateModel

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// How a client finds the daemon, and which servers it trusts as the daemon.
public struct GateClientOptions: Sendable {
    /// The users that the daemon may run as. The client refuses to talk to a server of any other user.
    public struct TrustedServers: Hashable, Sendable {
        private enum Rule: Hashable {
            case rootAnd(user: String)
            case uids(Set<UInt32>)
            case anyone
        }

        private let rule: Rule

        /// Root, and this user: its name, or its uid in decimal digits.
        public static func rootAnd(user: String) -> TrustedServers { TrustedServers(rule: .rootAnd(user: user)) }

        /// These uids only; root is not included.
        public static func uids(_ uids: Set<UInt32>) -> TrustedServers { TrustedServers(rule: .uids(uids)) }

        /// Any server. For this package's tests; apps can't use it.
        package static let anyone = TrustedServers(rule: .anyone)
    }

    /// The path of the daemon's socket unless it is configured otherwise.
    public static let defaultSocketPath = DaemonSocket.path
    /// The user that the daemon runs as unless it is configured otherwise.
    public static let defaultServerUser = "gate"

    /// The path of the socket. By default `$GATE_SOCKET`; if that is not set or empty, `/run/gated/gate.sock`. In a
    /// sandbox of Flatpak's gate-portal's socket takes the place of the latter: `$XDG_RUNTIME_DIR/gate/portal`.
    public var socketPath: String
    /// Where the daemon's status page is; `nil`: the file `status` beside the socket.
    public var statusPath: String?
    /// The users that the daemon may run as. If the socket is gate-portal's, and this is the default, root and this
    /// process's own user are trusted.
    public var trustedServers: TrustedServers
    /// How this program names itself to the daemon, which does not trust it. By default its file name.
    public var programName: String
    /// How long the daemon may take to accept a connection.
    public var connectTimeout: Duration
    /// How long a call may take; `nil`: no limit. The time that a person takes to answer a question is not counted.
    public var callTimeout: Duration?
    /// The path of gate-portal's socket, if this process is in a sandbox and `$GATE_SOCKET` is not set.
    package var portalPath: String?
    /// The clock that deadlines are checked by; `nil` in tests whose daemon has a clock that this process can't read.
    package var clock: ClientClock? = .kernel
    /// Waits for a duration, or a little longer, not counting time that the device sleeps; throws if cancelled. A
    /// program with an event loop can use that loop's timers instead, so that nothing else wakes it.
    package var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0, clock: .suspending) }

    /// Why a program can't take these options `--socket` and `--server-user`, in English; `nil` if it can.
    package static func problem(socket: String?, serverUser: String) -> String? {
        if serverUser != defaultServerUser, TrustedServers.userID(of: serverUser) == nil {
            return "There is no user '\(serverUser)' on this device. Give a name or a uid."
        }
        return socket?.isEmpty == true ? "--socket needs a path." : nil
    }

    /// If `socketPath` or `programName` is `nil`, the default of that property is used.
    public init(
        socketPath: String? = nil, trustedServers: TrustedServers = .rootAnd(user: defaultServerUser),
        programName: String? = nil, connectTimeout: Duration = .seconds(5), callTimeout: Duration? = .seconds(10),
        statusPath: String? = nil
    ) {
        let named = Self.socketPathOfEnvironment
        portalPath = named == nil ? SandboxPortal.socketPath() : nil
        self.socketPath = socketPath ?? named ?? portalPath ?? Self.defaultSocketPath
        self.trustedServers = trustedServers
        self.programName = programName ?? Self.nameOfProcess
        self.connectTimeout = connectTimeout
        self.callTimeout = callTimeout
        self.statusPath = statusPath
    }

    /// Whether the server is gate-portal, and not the daemon.
    package var usesPortal: Bool { socketPath == portalPath }

    /// The uids that the server may run as; `nil`: all.
    var serverUserIDs: Set<UInt32>? {
        let isDefault = trustedServers == .rootAnd(user: Self.defaultServerUser)
        return usesPortal && isDefault ? [0, geteuid()] : trustedServers.userIDs
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
    /// The uids that are trusted; `nil`: all. A user name that the device does not know adds none.
    var userIDs: Set<UInt32>? {
        switch rule {
        case .rootAnd(let user): Set([0, Self.userID(of: user)].compactMap { $0 })
        case .uids(let uids): uids
        case .anyone: nil
        }
    }

    /// The uid of a user, by name or in decimal digits; `nil` if `LocalAccounts` does not know the name.
    package static func userID(of user: String) -> UInt32? {
        UInt32(user) ?? LocalAccounts.userID(named: user)
    }
}
