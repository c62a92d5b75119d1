public import ArgumentParser
import GateClient
import GateHousehold
import GateModel
import GatePolicy
import GateTexts
import Glibc
public import Logging
import ServiceLifecycle
import SystemdService
import UnixSignals

/// The service.
struct ServeVerb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Carry between the household's broker and gated.",
        discussion: """
            The household is in household.yaml in the configuration directory. Commands and the list of guardians are signed, and \
            gated checks them: this program carries them and decides nothing. It needs the role household, and the network, which \
            gated itself never uses. SIGTERM stops it; SIGHUP reads the configuration again. Without a household it ends with 0. A \
            configuration with mistakes is refused: at the start it lists them and ends with 65; at a reload it lists them, and goes \
            on as before.
            """)

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
        if serverUser != GateClientOptions.defaultServerUser,
            GateClientOptions.TrustedServers.userID(of: serverUser) == nil
        {
            throw ValidationError("There is no user '\(serverUser)' on this device. Give a name or a uid.")
        }
        if let socket, socket.isEmpty {
            throw ValidationError("--socket needs a path.")
        }
    }

    func run() async throws {
        let level = logLevel
        LoggingSystem.bootstrap { ServiceLog.handler(label: $0, level: level) }
        Localization.begin()
        let logger = Logger(label: "gate-household")
        let systemd = ServiceNotification.takeFromEnvironment()
        let watchdogInterval = takeWatchdogInterval()
        // Trapped before anything else: by default this signal would end the service.
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        guard let settings = try settingsAtStart(logger) else {
            logger.notice("\(HouseholdService.noHousehold)")
            systemd.ready("no household")
            return
        }
        let options = GateClientOptions(
            socketPath: socket, trustedServers: .rootAnd(user: serverUser), programName: "gate-household")
        let service = HouseholdService(
            settings: settings, directory: configDirectory,
            readSettings: { () throws(HouseholdRefusal) in try Self.settings(in: configDirectory) },
            hangups: hangups, gate: GateClient(options), systemd: systemd, watchdogInterval: watchdogInterval,
            logger: logger)
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Logger(label: "gate-household.lifecycle") { _ in SwiftLogNoOpLogHandler() }))
        do {
            try await services.run()
        } catch {
            logger.critical("gate-household could not go on: \(error)")
            throw ExitCode(69)
        }
    }

    /// `nil`: this device is in no household.
    private static func settings(in directory: String) throws(HouseholdRefusal) -> HouseholdSettings? {
        let policy: Policy
        do throws(PolicyError) {
            policy = try PolicyReader.read(directory: directory, trustedOwners: [0, geteuid()])
        } catch {
            throw HouseholdRefusal(reasons: error.problems.map(\.description))
        }
        guard let settings = policy.configuration.household else { return nil }
        try KeyFile(settings.broker.key, in: directory).check()
        return settings
    }

    private func settingsAtStart(_ logger: Logger) throws -> HouseholdSettings? {
        do throws(HouseholdRefusal) {
            return try Self.settings(in: configDirectory)
        } catch {
            for reason in error.reasons { logger.critical("\(reason)") }
            // Wrong data, as `gatectl policy check` has it.
            throw ExitCode(65)
        }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
