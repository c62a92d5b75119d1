import GateClient
import GateModel
import GateReceipts

/// The daemon as the pollers need it, through the client library.
struct DaemonLink: Sendable {
    let gate: GateClient

    @Sendable
    func submit(_ answer: CustomerInfoResponse) async throws(GateError) {
        let headers = answer.headers.map { ProviderHTTPHeader(name: $0.name, value: $0.value) }
        _ = try await gate.entitlements.submitCustomerInfo(
            path: answer.path, nonce: answer.nonce, headers: headers, body: answer.body)
    }

    @Sendable
    func report(_ health: HealthReport.Health) async throws(GateError) {
        _ = try await gate.entitlements.reportProvider(
            .revenueCat, isReachable: health.isReachable, detail: health.detail)
    }

    @Sendable
    func offer(_ entitlement: String, _ offers: [Offer]) async throws(GateError) {
        _ = try await gate.entitlements.reportOffers(offers, of: .revenueCat, for: entitlement)
    }

    /// Yields whenever the daemon can be reached again, since after a restart it has forgotten earlier reports.
    func returns() -> AsyncStream<Void> {
        let (returns, feed) = AsyncStream.makeStream(of: Void.self)
        let task = Task { [gate] in
            for await event in gate.events(of: [.mode]) {
                switch event {
                case .snapshot, .resumed: feed.yield()
                case .change, .lost: break
                }
            }
            feed.finish()
        }
        feed.onTermination = { _ in task.cancel() }
        return returns
    }

    /// Yields the daemon's state and the open paywalls. A provider sees all of them, and summaries don't say whose they
    /// are, so every paywall counts.
    func events() -> AsyncStream<PollEnvironment.DaemonEvent> {
        let (events, feed) = AsyncStream.makeStream(of: PollEnvironment.DaemonEvent.self)
        let task = Task { [gate] in
            for await event in gate.events(of: [.presentations]) {
                for event in Self.events(of: event) { feed.yield(event) }
            }
            feed.finish()
        }
        feed.onTermination = { _ in task.cancel() }
        return events
    }

    static func events(of event: WatchEvent) -> [PollEnvironment.DaemonEvent] {
        let paywalls = event.presentations.map { Paywalls(summaries: $0) }
        return switch event {
        case .snapshot, .resumed: [.present(paywalls ?? Paywalls())]
        case .change: paywalls.map { [.changed($0)] } ?? []
        case .lost: [.away]
        }
    }
}
