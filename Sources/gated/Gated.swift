public import ArgumentParser
import GateDaemon
import GateModel
public import Logging
import ServiceLifecycle
import TTRPCTransport
import UnixSignals

/// The daemon's command line.
@main
struct Gated: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gated",
        abstract: "The authority on whether a grown-up is in charge of this device.",
        discussion: """
            Serves gate.v1 over ttrpc on a Unix socket. Started by systemd with a socket, it uses that one. \
            SIGTERM stops it in order; SIGHUP reads the configuration again.
            """,
        version: Release.version)

    @Option(help: ArgumentHelp("The socket to listen on.", valueName: "path"))
    var socket = "/run/gated/gate.sock"

    @Option(
        help: ArgumentHelp(
            "Where the state is kept. Must belong to this user, and nobody else may write to it.",
            valueName: "directory"))
    var stateDirectory = "/var/lib/gated"

    @Option(help: ArgumentHelp("Where volatile files are kept.", valueName: "directory"))
    var runtimeDirectory = "/run/gated"

    @Option(help: ArgumentHelp("Where the configuration is read from.", valueName: "directory"))
    var configDirectory = "/etc/gate"

    @Option(help: "One of: \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).")
    var logLevel = Logger.Level.info

    @Flag(help: "Print what would be in force, and end.")
    var check = false

    func run() async throws {
        let surroundings = Surroundings.ofThisDevice()
        if check { return printWhatIsInForce(surroundings) }

        let level = logLevel
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
        let logger = Logger(label: "gated")
        let (authorities, ready) = AsyncStream.makeStream(of: Authority.self)
        let daemon = Daemon(
            settings: Daemon.Settings(
                listeners: [Daemon.Listener(socket: .path(socket, mode: 0o666))], stateDirectory: stateDirectory),
            surroundings: surroundings, logger: logger, onReady: { ready.yield($0) })
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: daemon, successTerminationBehavior: .gracefullyShutdownGroup),
                    .init(service: Reloader(authorities: authorities)),
                ],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Logger(label: "gated.lifecycle") { _ in SwiftLogNoOpLogHandler() }))
        do {
            try await services.run()
        } catch {
            logger.critical("gated could not go on: \(error)")
            throw ExitCode(69)
        }
    }

    private func printWhatIsInForce(_ surroundings: Surroundings) {
        let lines =
            [
                "socket: \(socket)", "state directory: \(stateDirectory)", "runtime directory: \(runtimeDirectory)",
                "configuration directory: \(configDirectory) (no policy is read yet: the built-in one is in force)",
            ]
            + surroundings.configuration.description + surroundings.roleRules().description
        for line in lines { print(line) }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

/// SIGHUP: reads the configuration again.
private struct Reloader: Service {
    let authorities: AsyncStream<Authority>

    func run() async throws {
        // Trapped from the start on: by default this signal would end the daemon.
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        await cancelWhenGracefulShutdown {
            for await authority in authorities {
                for await _ in hangups { await Daemon.reload(authority) }
            }
        }
    }
}
