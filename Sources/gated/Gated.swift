public import ArgumentParser
import GateDaemon
import GateModel
import GateStore
import Glibc
public import Logging
import SystemdService
import TTRPCTransport

/// The daemon's command line.
@main
struct Gated: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gated",
        abstract: "The authority on whether a grown-up is in charge of this device.",
        discussion: """
            Serves gate.v1 over ttrpc on a Unix socket. Started by systemd with a socket, it uses that one. \
            SIGTERM stops it in order; SIGHUP reads the policy again.

            The policy is policy.yaml, policy.d/*.yaml, providers.yaml, questions.d/*.yaml, the forms of questionnaires.d and the \
            notes of release-notes.d in the configuration directory. One with mistakes is refused: at the start gated lists \
            them and ends with 65; at a reload it lists them, and the policy before stays in force. Where the store was written by \
            a newer version it says how to go back, and ends with 65, too. Where gated can't serve for another reason it ends \
            with 69.
            """,
        version: GateRelease.version)

    @Option(help: ArgumentHelp("The socket to listen on.", valueName: "path"))
    var socket = "/run/gated/gate.sock"

    @Option(
        help: ArgumentHelp(
            "Where the state is kept. Must belong to this user, and nobody else may write to it.",
            valueName: "directory"))
    var stateDirectory = "/var/lib/gated"

    @Option(help: ArgumentHelp("Where the status page is made.", valueName: "directory"))
    var runtimeDirectory = "/run/gated"

    @Option(
        help: ArgumentHelp(
            "Where the policy is. It must belong to root or this user, and nobody else may write to it.",
            valueName: "directory"))
    var configDirectory = "/etc/gate"

    @Option(help: "One of: \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).")
    var logLevel = Logger.Level.info

    @Flag(help: "Print what would be in force, or what is wrong with the policy, and end.")
    var check = false

    func run() throws {
        // Passwords pass through here. One byte of a core dump is none, and where the kernel hands dumps to a program it takes
        // exactly this limit, and no other, for a no.
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        let surroundings = Surroundings.ofThisDevice(configDirectory: configDirectory)
        if check { return try printWhatIsInForce(surroundings) }

        let level = logLevel
        LoggingSystem.bootstrap { ServiceLog.handler(label: $0, level: level) }
        let logger = Logger(label: "gated")
        let daemon = Daemon(
            settings: Daemon.Settings(
                listeners: [Daemon.Listener(socket: .path(socket, mode: 0o666))], stateDirectory: stateDirectory,
                runtimeDirectory: runtimeDirectory),
            surroundings: surroundings, logger: logger)
        do {
            try DaemonProcess.run(daemon)
        } catch let error as BadPolicy {
            for problem in error.problems { logger.critical("\(problem)") }
            throw Self.wrongData
        } catch StoreError.newer(let store) {
            logger.critical("\(store)")
            throw Self.wrongData
        } catch {
            logger.critical("gated could not go on: \(error)")
            throw ExitCode(69)
        }
    }

    /// Wrong data, as `gatectl policy check` has it: nothing that mends by trying again, so systemd does not.
    private static let wrongData = ExitCode(65)

    private func printWhatIsInForce(_ surroundings: Surroundings) throws {
        let inForce: [String]
        do throws(BadPolicy) {
            inForce = try surroundings.policyInForce().description
        } catch {
            let text = error.problems.map { "\($0)\n" }.joined()
            _ = write(STDERR_FILENO, text, text.utf8.count)
            throw Self.wrongData
        }
        let directories = [
            "socket: \(socket)", "state directory: \(stateDirectory)", "runtime directory: \(runtimeDirectory)",
            "configuration directory: \(configDirectory)",
        ]
        for line in directories + inForce { print(line) }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
