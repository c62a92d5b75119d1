import GateClient
import GateHousehold
import GateModel
import Logging
import ServiceLifecycle
import SystemdService
import UnixSignals

/// Runs the carrier until a signal stops the service. At SIGHUP the configuration is read again, and another carrier
/// with a connection of its own takes over.
struct HouseholdService: Service {
    static let noHousehold =
        "There is no household.yaml, or it has no settings, so this device is in no household and there is nothing to carry."

    let settings: HouseholdSettings
    let directory: String
    /// Reads the settings again; `nil` if there is no household any more.
    let readSettings: @Sendable () throws(HouseholdRefusal) -> HouseholdSettings?
    let hangups: UnixSignalsSequence
    let gate: GateClient
    let systemd: ServiceNotification
    let watchdogInterval: Duration?
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown { await carryAndReload() }
        systemd.stopping()
        await gate.close()
    }

    private func carryAndReload() async {
        var settings = settings
        systemd.ready("connecting to \(settings.broker.host)")
        var carrier = begin(settings)
        for await _ in hangups {
            let changed: HouseholdSettings?
            do throws(HouseholdRefusal) {
                changed = try readSettings()
            } catch {
                for reason in error.reasons { logger.error("\(reason)") }
                logger.error("The configuration has mistakes and was not reloaded. The previous one stays in force.")
                systemd.ready("the configuration has mistakes; the previous one stays in force")
                continue
            }
            guard let changed else {
                logger.notice("\(Self.noHousehold)")
                break
            }
            // A carrier is started even if the settings are the same, because the files that they name may be new.
            settings = changed
            await end(carrier)
            systemd.ready("connecting to \(settings.broker.host)")
            carrier = begin(settings)
        }
        await end(carrier)
    }

    /// Starts a carrier, which runs until its task is cancelled.
    private func begin(_ settings: HouseholdSettings) -> Task<Void, Never> {
        logger.notice("This device is \(settings.name) in the household \(settings.household)")
        let systemd = systemd
        let environment = HouseholdCarrier.Environment(
            broker: MosquittoConnection.link(.init(settings, directory: directory)),
            daemon: DaemonLink(gate: gate, tellsUse: settings.homeAssistant?.tellsUse ?? false),
            keptList: { [directory = HouseholdDirectory(path: directory)] in directory.keptList },
            // A device that takes no policy does not receive newer ones, and might replace them by its old one.
            keptPolicy: { [directory = HouseholdDirectory(path: directory)] in
                settings.takesPolicy ? directory.keptPolicy : nil
            },
            now: { .init(boot: .now(), wall: .now()) },
            sleep: { time in
                // This clock continues while the system is suspended.
                try? await Task.sleep(for: max(Duration.zero, BootTime.now().duration(to: time)), clock: .continuous)
            },
            jitter: { .random(in: 0...1) }, tell: { systemd.waiting($0) },
            watchdog: watchdogInterval.map { ($0, { systemd.watchdog() }) })
        return Task { [logger] in
            var carrier = HouseholdCarrier(
                settings, names: .inLanguageOfDevice, environment: environment, logger: logger)
            await carrier.run()
        }
    }

    private func end(_ carrier: Task<Void, Never>) async {
        carrier.cancel()
        await carrier.value
    }
}
