import ArgumentParser
import GateClient

/// The options of all verbs: where this device's configuration is, and its gated.
struct DeviceOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "Where the policy is. It must belong to root or this user, and nobody else may write to it.",
            valueName: "directory"))
    var configDirectory = "/etc/gate"

    @Option(
        help: ArgumentHelp(
            "Where the daemon listens. Default: $GATE_SOCKET, or /run/gated/gate.sock.", valueName: "path"))
    var socket: String?

    @Option(help: ArgumentHelp("The user that the daemon may run as, beside root; a name or a uid.", valueName: "name"))
    var serverUser = GateClientOptions.defaultServerUser

    func validate() throws {
        if let problem = GateClientOptions.problem(socket: socket, serverUser: serverUser) {
            throw ValidationError(problem)
        }
    }

    var gate: GateClient {
        GateClient(
            GateClientOptions(
                socketPath: socket, trustedServers: .rootAnd(user: serverUser), programName: "gate-household"))
    }
}
