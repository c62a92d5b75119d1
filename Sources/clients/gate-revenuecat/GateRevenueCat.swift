public import ArgumentParser
import GateClient
import GateModel
import GatePolicy
import Glibc
public import Logging
import ServiceLifecycle
import SystemdService
import UnixSignals

@main
struct GateRevenueCat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate-revenuecat",
        abstract: "Asks RevenueCat what was paid for, and brings the answers to gated.",
        discussion: """
            Whom it asks for is in providers.yaml in the configuration directory. The answers are signed by RevenueCat, and \
            gated checks them. It needs the role provider, and the network, which gated itself never uses. SIGTERM stops it; \
            SIGHUP reads the configuration again. Without anything to ask it ends with 0. A configuration with mistakes is \
            refused: at the start it lists them and ends with 65; at a reload it lists them, and goes on as before.
            """,
        version: GateRelease.version)

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

    @Option(help: "One of: \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).")
    var logLevel = Logger.Level.info

    func validate() throws {
        if let problem = GateClientOptions.problem(socket: socket, serverUser: serverUser) {
            throw ValidationError(problem)
        }
    }

    func run() async throws {
        let level = logLevel
        LoggingSystem.bootstrap { ServiceLog.handler(label: $0, level: level) }
        let logger = Logger(label: "gate-revenuecat")
        let systemd = ServiceNotification.takeFromEnvironment()
        // Trapped before anything else, since SIGHUP would end the service by default.
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        guard let settings = try settingsAtStart(logger) else {
            logger.notice("\(Polling.nothingToAsk)")
            systemd.ready("nothing to ask")
            return
        }
        let options = GateClientOptions(
            socketPath: socket, trustedServers: .rootAnd(user: serverUser), programName: "gate-revenuecat")
        let polling = Polling(
            settings: settings, readSettings: { () throws(PolicyError) in try Self.settings(in: configDirectory) },
            hangups: hangups, gate: GateClient(options), systemd: systemd, logger: logger)
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: polling, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Logger(label: "gate-revenuecat.lifecycle") { _ in SwiftLogNoOpLogHandler() }))
        do {
            try await services.run()
        } catch {
            logger.critical("gate-revenuecat has to stop: \(error)")
            throw ExitCode(69)
        }
    }

    /// `nil` if there are no users to ask about.
    private static func settings(in directory: String) throws(PolicyError) -> RevenueCatSettings? {
        let policy = try PolicyReader.read(directory: directory, trustedOwners: [0, geteuid()])
        return policy.providers.revenueCat.flatMap { $0.users.isEmpty ? nil : $0 }
    }

    private func settingsAtStart(_ logger: Logger) throws -> RevenueCatSettings? {
        do throws(PolicyError) {
            return try Self.settings(in: configDirectory)
        } catch {
            for problem in error.problems { logger.critical("\(problem)") }
            // The status for wrong data, as in `gatectl policy check`.
            throw ExitCode(65)
        }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
