import GateClient
import GateModel
import GatePolicy
import GateReceipts
import Logging
import ServiceLifecycle
import SystemdService
import UnixSignals

/// Runs the pollers until a signal stops them. SIGHUP reads the configuration again. If the settings differ, new
/// pollers replace the old ones, and ask about all users at once.
struct Polling: Service {
    static let nothingToAsk = "providers.yaml names no users of RevenueCat. There is nothing to ask."

    let settings: RevenueCatSettings
    /// Reads the settings that the configuration has now; `nil` if there are no users to ask about.
    let readSettings: @Sendable () throws(PolicyError) -> RevenueCatSettings?
    let hangups: UnixSignalsSequence
    let gate: GateClient
    let systemd: ServiceNotification
    let logger: Logger

    func run() async throws {
        let exchange = HTTPExchange()
        await cancelWhenGracefulShutdown { await pollAndReload(exchange) }
        systemd.stopping()
        await gate.close()
    }

    private func pollAndReload(_ exchange: HTTPExchange) async {
        var settings = settings
        var poller = begin(settings, exchange)
        for await _ in hangups {
            let changed: RevenueCatSettings?
            do throws(PolicyError) {
                changed = try readSettings()
            } catch {
                for problem in error.problems { logger.error("\(problem)") }
                logger.error("The configuration has mistakes and was not reloaded. The previous one stays in force.")
                systemd.ready("the configuration has mistakes; the previous one stays in force")
                continue
            }
            guard let changed else {
                logger.notice("\(Self.nothingToAsk)")
                break
            }
            guard changed != settings else {
                tellUsers(of: settings)
                continue
            }
            settings = changed
            poller.cancel()
            await poller.value
            poller = begin(settings, exchange)
        }
        poller.cancel()
        await poller.value
    }

    /// Starts the pollers, which run until the task is cancelled.
    private func begin(_ settings: RevenueCatSettings, _ exchange: HTTPExchange) -> Task<Void, Never> {
        let verifier = RevenueCatVerifier(settings)
        let daemon = DaemonLink(gate: gate)
        let environment = PollEnvironment(
            answer: { request throws(HTTPExchange.Failure) in try await exchange.answer(to: request) },
            check: { answer in
                do throws(ReceiptError) {
                    // The daemon decides whether this service may submit unsigned answers.
                    _ = try verifier.customerInfo(answer, mayBeUnsigned: true, at: WallTime.now())
                    return nil
                } catch {
                    return error
                }
            },
            submit: daemon.submit, report: daemon.report, daemonEvents: daemon.events(), now: BootTime.now,
            sleep: BootClock.sleep, jitter: { .random(in: 0...1) },
            nonce: { (0..<CustomerInfoResponse.nonceByteCount).map { _ in .random(in: .min ... .max) } })
        let offering = OfferingsPoller.Environment(
            answer: { request throws(HTTPExchange.Failure) in try await exchange.answer(to: request) },
            offer: daemon.offer, daemonReturns: daemon.returns(), sleep: { try? await Task.sleep(for: $0) })
        tellUsers(of: settings)
        return Task { [logger] in
            var poller = Poller(settings, environment: environment, logger: logger)
            var offerings = OfferingsPoller(settings, environment: offering, logger: logger)
            async let done: Void = offerings.run()
            await poller.run()
            await done
        }
    }

    private func tellUsers(of settings: RevenueCatSettings) {
        systemd.ready("users to ask for: \(settings.users.count)")
        logger.notice("Users to ask for: \(settings.users.count)")
    }
}
