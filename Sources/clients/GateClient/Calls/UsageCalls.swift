public import GateModel
import GateProtocol

extension GateClient {
    /// How much time people use gated actions. See `GateClient.usage`.
    public struct UsageCalls: Sendable {
        let client: GateClient
    }

    /// How much time people use gated actions, and how much they have left.
    public var usage: UsageCalls { UsageCalls(client: self) }
}

extension GateClient.UsageCalls {
    /// The time that was used, by user, then by what is counted, then by day, the oldest day first: one's own; for
    /// grown-ups, their presenters and administrators that of everybody.
    ///
    /// - Parameter days: how many days, today included: from 1 to 70.
    /// - Throws: `INVALID_ARGUMENT` (`invalidRequest`) for more days than are kept.
    public func times(days: Int = 1) async throws(GateError) -> [UsedTime] {
        try await client.allPages(of: Methods.Usage.listUsage) { ListUsageRequest(pageToken: $0, days: days) }
    }

    /// Uses a gated action for as long as the sequence is iterated, so that its time is counted. Begin when a program
    /// begins to be used, and end the iteration, or cancel its task, when that ends.
    ///
    /// Iterating returns how much time is left: at once, at five minutes, at one minute, when no time is left, and
    /// whenever the time that was returned last is not right any more. The sequence does not end when no time is left,
    /// but the program should.
    ///
    /// - Parameters:
    ///   - gatedAction: as the policy names it.
    ///   - details: exactly what is used, as in `AuthorizationRequest`. If a grown-up's yes to these words allows it for a
    ///     while, the time is over when that yes ends.
    public func use(_ gatedAction: String, details: String = "") -> UseSequence {
        UseSequence(client: client, request: CountUseRequest(gatedAction: gatedAction, details: details))
    }
}
