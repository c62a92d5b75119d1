public import ArgumentParser
import GateModel
import GatePolicy
import GateTexts
import Glibc
public import Logging
import ServiceLifecycle
import SystemdService
import UnixSignals

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

    @OptionGroup var options: DeviceOptions

    @Option(help: "One of: \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).")
    var logLevel = Logger.Level.info

    func run() async throws {
        let level = logLevel
        LoggingSystem.bootstrap { ServiceLog.handler(label: $0, level: level) }
        Localization.begin()
        let logger = Logger(label: "gate-household")
        let systemd = ServiceNotification.takeFromEnvironment()
        let watchdogInterval = takeWatchdogInterval()
        // Trapped before anything else, because by default SIGHUP would end the service.
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        guard let settings = try settingsAtStart(logger) else {
            logger.notice("\(HouseholdService.noHousehold)")
            systemd.ready("no household")
            return
        }
        let directory = options.configDirectory
        let service = HouseholdService(
            settings: settings, directory: directory,
            readSettings: { () throws(HouseholdRefusal) in try Self.settings(in: directory) },
            hangups: hangups, gate: options.gate, systemd: systemd, watchdogInterval: watchdogInterval,
            logger: logger)
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Logger(label: "gate-household.lifecycle") { _ in SwiftLogNoOpLogHandler() }))
        do {
            try await services.run()
        } catch {
            logger.critical("gate-household has to stop: \(error)")
            throw ExitCode(69)
        }
    }

    /// `nil` if this device is in no household.
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
            return try Self.settings(in: options.configDirectory)
        } catch {
            for reason in error.reasons { logger.critical("\(reason)") }
            // The status for wrong data, as of `gatectl policy check`.
            throw ExitCode(65)
        }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}
