import ArgumentParser
import GateClient

/// The options that every verb has.
struct ConnectionOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Where the daemon listens. Default: $GATE_SOCKET, or /run/gated/gate.sock.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("The user that the daemon may run as, beside root; a name or a uid.", valueName: "name"))
    var serverUser = GateClientOptions.defaultServerUser

    @Flag(help: "Print proto3 JSON, one object a line; errors too.")
    var json = false

    @Option(
        help: ArgumentHelp("Give up after this long, with status 124: 90s, 5m, 1h30m.", valueName: "duration"),
        transform: DurationText.parse)
    var timeout: Duration?

    @Flag(
        help: ArgumentHelp(
            "The daemon has a clock of its own, as in Gate's tests: leave deadlines to it.", visibility: .hidden))
    var foreignClock = false

    /// How to reach the daemon. A call may take as long as `--timeout` says, or 10 s without it, so that a daemon that
    /// hangs is noticed; a connection may take at most 5 s.
    var client: GateClientOptions {
        var options = GateClientOptions(
            socketPath: socket, trustedServers: .rootAnd(user: serverUser), programName: "gatectl")
        if let timeout {
            options.callTimeout = timeout
            options.connectTimeout = min(timeout, options.connectTimeout)
        }
        if foreignClock { options.clock = nil }
        return options
    }

    func validate() throws {
        if serverUser != GateClientOptions.defaultServerUser,
            GateClientOptions.TrustedServers.userID(of: serverUser) == nil
        {
            throw ValidationError("There is no user '\(serverUser)' on this device. Give a name or a uid.")
        }
        if let socket, socket.isEmpty {
            throw ValidationError("--socket needs a path.")
        }
    }
}
