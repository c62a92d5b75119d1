public import GateModel
import GateProtocol

/// How much time is left for a program that is being used, over as many connections as necessary.
///
/// Iterating throws `FAILED_PRECONDITION` (`outOfHours`) if there is no time now, or none any more when the daemon is
/// back after it was away; (`notSetUp`) if nobody on the list of people has this user as their own; (`denied`) if the
/// policy does not name the gated action; `RESOURCE_EXHAUSTED` (`limit`); and `CANCELLED` if the task is cancelled.
/// While the daemon is away, no time is counted. Each iteration is a use of its own, for one task.
public struct UseSequence: AsyncSequence, Sendable {
    /// How much time is left.
    public typealias Element = TimeLeft
    /// The error that iterating throws.
    public typealias Failure = GateError

    let client: GateClient
    let request: CountUseRequest

    /// The use begins with the first call of `next`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client: client, request: request)
    }

    /// One use.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let request: CountUseRequest
        private var messages: ResumedMessages<CountUseRequest, CountUseResponse>

        init(client: GateClient, request: CountUseRequest) {
            self.request = request
            messages = ResumedMessages(client, Methods.Usage.countUse)
        }

        /// Waits until there is something new about the time that is left.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(GateError) -> TimeLeft? {
            try await messages.next(request, isolation: actor)?.time
        }
    }
}
