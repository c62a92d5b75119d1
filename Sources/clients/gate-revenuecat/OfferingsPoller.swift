import GateModel
import Logging

/// Asks RevenueCat what the app sells, and reports it to the daemon. It runs beside `Poller`, and nothing depends on
/// it: if RevenueCat does not answer, paywalls show the offers that were reported before, or the names of products.
struct OfferingsPoller {
    /// The poller's connections to the outside, which tests replace.
    struct Environment: Sendable {
        var answer: @Sendable (OfferingsRequest) async throws(HTTPExchange.Failure) -> HTTPAnswer
        var offer: @Sendable (_ entitlement: String, [Offer]) async throws(GateError) -> Void
        /// Yields whenever the daemon can be reached, for the first time or again.
        var daemonReturns: AsyncStream<Void>
        var sleep: @Sendable (Duration) async -> Void
    }

    private enum Event: Sendable {
        case timePassed
        case daemonReturned
    }

    /// The time between two questions. It is long, since offers seldom change.
    static let interval: Duration = .seconds(6 * 3600)
    /// The time after a first question without an answer. It doubles each time, up to an hour.
    static let retryInterval: Duration = .seconds(60)
    static let longestRetryInterval: Duration = .seconds(3600)

    let settings: RevenueCatSettings
    let environment: Environment
    let logger: Logger
    /// The offers by entitlement; `nil` if RevenueCat has not answered yet.
    private var known: [String: [Offer]]?
    private var failures = 0

    init(_ settings: RevenueCatSettings, environment: Environment, logger: Logger) {
        self.settings = settings
        self.environment = environment
        self.logger = logger
    }

    /// Runs until its task is cancelled.
    mutating func run() async {
        // Ask about any user: the offers are the same for all.
        guard !settings.entitlements.isEmpty, let user = settings.users.keys.min(),
            let request = OfferingsRequest(settings, user: user)
        else { return }
        let (events, feed) = AsyncStream.makeStream(of: Event.self)
        await withDiscardingTaskGroup { group in
            group.addTask { [stream = environment.daemonReturns] in
                for await _ in stream { feed.yield(.daemonReturned) }
            }
            feed.yield(.timePassed)
            for await event in events {
                switch event {
                case .timePassed:
                    let pause = await ask(request)
                    group.addTask { [environment] in
                        await environment.sleep(pause)
                        if !Task.isCancelled { feed.yield(.timePassed) }
                    }
                case .daemonReturned:
                    await report()
                }
            }
            group.cancelAll()
        }
    }

    /// - Returns: after what time to ask again.
    private mutating func ask(_ request: OfferingsRequest) async -> Duration {
        let refusal: String
        do throws(HTTPExchange.Failure) {
            let answer = try await environment.answer(request)
            if answer.status == 200, let offerings = try? Offerings(json: answer.body) {
                failures = 0
                known = offerings.offers(settings)
                await report()
                return Self.interval
            }
            refusal = answer.status == 200 ? "it is not what was expected" : "HTTP \(answer.status)"
            // If the key has no permission now, it won't have it in a minute either.
            if (400..<500).contains(answer.status), ![408, 429].contains(answer.status) {
                logger.notice("RevenueCat does not say what can be bought: \(refusal). Paywalls do without it.")
                return Self.interval
            }
        } catch {
            refusal = error.detail
        }
        failures += 1
        logger.info("RevenueCat does not say what can be bought: \(refusal)")
        return min(Self.retryInterval * (1 << min(failures - 1, 10)), Self.longestRetryInterval)
    }

    private func report() async {
        for (entitlement, offers) in (known ?? [:]).sorted(by: { $0.key < $1.key }) {
            do throws(GateError) {
                try await environment.offer(entitlement, offers)
            } catch {
                // If the daemon is away, this is reported when it is back.
                logger.notice("gated does not take the offers for \(entitlement): \(error)")
            }
        }
    }
}
