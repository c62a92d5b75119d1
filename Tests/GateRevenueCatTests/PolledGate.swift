import GateClient
import GateModel
import GateReceipts
import Logging
import RevenueCatSupport
import Synchronization

@testable import gate_revenuecat

/// The real poller between a server on the loopback and a daemon that writes down what it is brought.
struct PolledGate {
    /// Something that the poller brought to the daemon.
    enum Brought: Sendable {
        case answer(CustomerInfoResponse)
        case health(HealthReport.Health)
    }

    /// All that happened up to the end.
    struct Outcome {
        var brought: [Brought] = []
        var questions: [DocumentedAPI.Question] = []

        var answers: [CustomerInfoResponse] {
            brought.compactMap {
                switch $0 {
                case .answer(let answer): answer
                case .health: nil
                }
            }
        }
        var healths: [HealthReport.Health] {
            brought.compactMap {
                switch $0 {
                case .answer: nil
                case .health(let health): health
                }
            }
        }
    }

    var replies: [DocumentedAPI.Reply]
    var users: Set<String> = ["anna"]
    var acceptsUnsigned = false
    /// The deadline of one exchange over HTTP. Only the test of silence depends on it; the others may take as long as
    /// the busiest machine needs.
    var deadline: Duration = .seconds(600)
    /// The daemon's refusals of the first answers, in order; later answers are accepted.
    var refusals: [GateError] = []
    /// The daemon's events after it was brought the first answer or report.
    var events: [PollEnvironment.DaemonEvent] = []
    /// The URL in place of the server's.
    var baseURL: String?

    /// - Parameter isEnough: asked whenever the daemon was brought something, or was asked a question.
    func run(until isEnough: @escaping @Sendable (Outcome) -> Bool) async throws -> Outcome {
        let clock = TurnedClock()
        let api = try DocumentedAPI(replies, now: clock.now)
        let exchange = HTTPExchange(deadline: deadline)
        let (brought, feed) = AsyncStream.makeStream(of: Brought?.self)
        let (daemonEvents, daemon) = AsyncStream.makeStream(of: PollEnvironment.DaemonEvent.self)
        let refusals = Refusals(refusals)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await api.run() }
            var settings = try await api.settings(users: users)
            settings.acceptsUnsigned = acceptsUnsigned
            if let baseURL { settings.baseURL = baseURL }
            let verifier = RevenueCatVerifier(settings)
            let environment = PollEnvironment(
                answer: { request throws(HTTPExchange.Failure) in
                    defer { feed.yield(nil) }
                    return try await exchange.answer(to: request)
                },
                check: { answer in
                    do throws(ReceiptError) {
                        _ = try verifier.customerInfo(answer, mayBeUnsigned: true, at: WallTime.now())
                        return nil
                    } catch {
                        return error
                    }
                },
                submit: { answer throws(GateError) in
                    feed.yield(.answer(answer))
                    if let refusal = refusals.next() { throw refusal }
                },
                report: { health throws(GateError) in feed.yield(.health(health)) },
                daemonEvents: daemonEvents, now: clock.now, sleep: clock.sleep, jitter: { 0.5 },
                nonce: { (0..<12).map { _ in .random(in: .min ... .max) } })
            group.addTask { [settings] in
                var logger = Logger(label: "test")
                logger.logLevel = .critical
                var poller = Poller(settings, environment: environment, logger: logger)
                await poller.run()
            }
            var outcome = Outcome()
            for await next in brought {
                if let next {
                    if outcome.brought.isEmpty { for event in events { daemon.yield(event) } }
                    outcome.brought.append(next)
                }
                outcome.questions = api.questions
                if isEnough(outcome) { break }
            }
            group.cancelAll()
            return outcome
        }
    }
}

private final class Refusals: Sendable {
    private let rest: Mutex<[GateError]>

    init(_ refusals: [GateError]) {
        rest = Mutex(refusals)
    }

    func next() -> GateError? {
        rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    }
}
