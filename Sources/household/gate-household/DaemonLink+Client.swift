import GateClient
import GateHousehold
import GateModel

extension DaemonLink {
    /// - Parameter tellsUse: whether to watch the time that people use, for Home Assistant.
    init(gate: GateClient, tellsUse: Bool) {
        self.init(
            events: { Self.events(of: gate, tellsUse: tellsUse) },
            household: { () async throws(GateError) in
                let state = try await gate.household.state()
                return Household(
                    challenge: state.challenge, isGuardians: state.isGuardiansDevice, name: state.ownName,
                    policyNumber: state.policyNumber, listNumber: state.listNumber)
            },
            submitCommand: { signed async throws(GateError) in
                let answer = try await gate.household.submitCommand(signed)
                return Answer(result: answer.signedResult, challenge: answer.challenge)
            },
            submitResult: { signed async throws(GateError) in try await gate.household.submitResult(signed) },
            submitGuardians: { signed async throws(GateError) in try await gate.household.submitList(signed) },
            submitPolicy: { signed async throws(GateError) in try await gate.household.submitPolicy(signed) },
            report: { news async throws(GateError) in
                try await gate.household.report(news.devices, isAll: news.isAll, hasBroker: news.hasBroker)
            },
            obeyHomeAssistant: { order async throws(GateError) in try await gate.household.obeyHomeAssistant(order) },
            submitRequests: { news async throws(GateError) in
                try await gate.household.submitRequests(news.requests, isAll: news.isAll)
            },
            collectRequests: { change async throws(GateError) in
                let requests = try await gate.household.collectRequests(after: change)
                let words = requests.requests.compactMap { request in request.clear.map { (request.number, $0.text) } }
                return Asked(requests, words: Dictionary(words) { first, _ in first })
            },
            submitReceipt: { signed async throws(GateError) in try await gate.household.submitReceipt(signed) },
            collectReceipts: { change async throws(GateError) in
                try await gate.household.collectReceipts(after: change)
            },
            collectAnswers: { change async throws(GateError) in
                try await gate.household.collectAnswers(after: change)
            },
            collectUsage: { change async throws(GateError) in
                try await gate.household.collectUsage(after: change)
            },
            submitUsage: { signed async throws(GateError) in try await gate.household.submitUsage(signed) },
            collect: { () async throws(GateError) in try await gate.household.collectCommands() })
    }

    private static func events(of gate: GateClient, tellsUse: Bool) -> AsyncStream<Event> {
        let (events, feed) = AsyncStream.makeStream(of: Event.self)
        let task = Task {
            for await event in gate.events(of: tellsUse ? [.mode, .usage] : [.mode]) {
                switch event {
                case .snapshot, .resumed: feed.yield(.present(event.mode ?? .closed))
                case .change: if let mode = event.mode { feed.yield(.changed(mode)) }
                case .lost: feed.yield(.away)
                @unknown default: break
                }
                // Without gated the use is unknown. The last values stay, because the used time can't have become less.
                if case .lost = event { continue }
                if tellsUse, let times = event.usage { feed.yield(.used(times)) }
            }
            feed.finish()
        }
        feed.onTermination = { _ in task.cancel() }
        return events
    }
}
