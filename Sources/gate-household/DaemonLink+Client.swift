import GateClient
import GateHousehold
import GateModel

extension DaemonLink {
    /// gated, through the client library.
    init(gate: GateClient) {
        self.init(
            events: { Self.events(of: gate) },
            challenge: { () async throws(GateError) in throw Self.unbuilt },
            submitCommand: { _ async throws(GateError) in throw Self.unbuilt },
            submitResult: { _ async throws(GateError) in throw Self.unbuilt },
            submitGuardians: { _ async throws(GateError) in throw Self.unbuilt },
            report: { _ async throws(GateError) in throw Self.unbuilt },
            collect: { () async throws(GateError) in throw Self.unbuilt })
    }

    /// As a daemon answers that has not the capability "guardians".
    private static let unbuilt = GateError(
        .unimplemented, .unspecified,
        "This version of Gate has no household's commands yet. The state of the device is published all the same.")

    private static func events(of gate: GateClient) -> AsyncStream<Event> {
        let (events, feed) = AsyncStream.makeStream(of: Event.self)
        let task = Task {
            for await event in gate.events(of: [.mode]) {
                switch event {
                case .snapshot, .resumed: feed.yield(.present(event.mode ?? .closed))
                case .change: if let mode = event.mode { feed.yield(.changed(mode)) }
                case .lost: feed.yield(.away)
                @unknown default: break
                }
            }
            feed.finish()
        }
        feed.onTermination = { _ in task.cancel() }
        return events
    }
}
