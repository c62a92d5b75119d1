public import ArgumentParser
import Foundation
import GateClient
import GateModel
import GatePolicy
import GateReceipts
public import Logging
import ServiceLifecycle
import SystemdService
import UnixSignals

/// The service's command line.
@main
struct GateRevenueCat: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate-revenuecat",
        abstract: "Asks RevenueCat what was paid for, and brings the answers to gated.",
        discussion: """
            Whom it asks for is in providers.yaml in the configuration directory, which is read once, at the start. The \
            answers are signed by RevenueCat, and gated checks them. It needs the role provider, and the network, which \
            gated itself never uses. SIGTERM stops it. Without anything to ask it ends with 0; where the policy has \
            mistakes it lists them and ends with 65.
            """,
        version: Release.version)

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
        let logger = Logger(label: "gate-revenuecat")
        let systemd = ServiceNotification.takeFromEnvironment()
        guard let settings = try settings(logger), !settings.users.isEmpty else {
            logger.notice("providers.yaml names no users of RevenueCat. There is nothing to ask.")
            systemd.ready("nothing to ask")
            return
        }
        let options = GateClientOptions(
            socketPath: socket, trustedServers: .rootAnd(user: serverUser), programName: "gate-revenuecat")
        let polling = Polling(settings: settings, gate: GateClient(options), systemd: systemd, logger: logger)
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: polling, successTerminationBehavior: .gracefullyShutdownGroup)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: Logger(label: "gate-revenuecat.lifecycle") { _ in SwiftLogNoOpLogHandler() }))
        do {
            try await services.run()
        } catch {
            logger.critical("gate-revenuecat could not go on: \(error)")
            throw ExitCode(69)
        }
    }

    private func settings(_ logger: Logger) throws -> RevenueCatSettings? {
        do throws(PolicyError) {
            return try PolicyReader.read(directory: configDirectory, trustedOwners: [0, geteuid()]).providers.revenueCat
        } catch {
            for problem in error.problems { logger.critical("\(problem)") }
            // Wrong data, as `gatectl policy check` has it.
            throw ExitCode(65)
        }
    }
}

extension Logger.Level: @retroactive ExpressibleByArgument {}

/// The poller, from the first question to the signal that stops it.
private struct Polling: Service {
    let settings: RevenueCatSettings
    let gate: GateClient
    let systemd: ServiceNotification
    let logger: Logger

    func run() async throws {
        let exchange = HTTPExchange()
        let verifier = RevenueCatVerifier(settings)
        let daemon = DaemonLink(gate: gate)
        let surroundings = PollSurroundings(
            answer: { request throws(HTTPExchange.Failure) in try await exchange.answer(to: request) },
            check: { answer in
                do throws(ReceiptError) {
                    // Whether this service may hand over unsigned ones, the daemon decides.
                    _ = try verifier.customerInfo(answer, mayBeUnsigned: true, at: WallTime.now())
                    return nil
                } catch {
                    return error
                }
            },
            submit: daemon.submit, report: daemon.report, daemonEvents: daemon.events(), now: BootTime.now,
            sleep: BootClock.sleep, jitter: { .random(in: 0...1) },
            nonce: { (0..<CustomerInfoResponse.nonceByteCount).map { _ in .random(in: .min ... .max) } })
        systemd.ready("users to ask for: \(settings.users.count)")
        logger.notice("Users to ask for: \(settings.users.count)")
        await cancelWhenGracefulShutdown {
            var poller = Poller(settings, surroundings: surroundings, logger: logger)
            await poller.run()
        }
        systemd.stopping()
        exchange.close()
        await gate.close()
    }
}
