public import GateModel
import GateProtocol

/// The entries of the journal, over as many connections as necessary.
///
/// Iterating throws `OUT_OF_RANGE` (`compacted`) if the journal does not reach back far enough, also for a reader that
/// is too slow: no entry is ever skipped. It throws `PERMISSION_DENIED` if the user is not an administrator, and
/// `CANCELLED` if the task is cancelled. Each iteration is a stream of its own, for one task.
public struct AuditSequence: AsyncSequence, Sendable {
    /// The entries of whole revisions.
    public typealias Element = AuditBatch
    /// The error that iterating throws.
    public typealias Failure = GateError

    let client: GateClient
    let request: AuditRequest

    /// Reading begins with the first call of `next`.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client: client, request: request)
    }

    /// One reading of the journal.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let client: GateClient
        private var request: AuditRequest
        private var messages: MessageStream.AsyncIterator?
        private var reconnect = ReconnectStateMachine()
        private var hasBegun = false

        init(client: GateClient, request: AuditRequest) {
            self.client = client
            self.request = request
        }

        /// The next entries; `nil` if there are no more.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(GateError) -> AuditBatch? {
            while true {
                do throws(GateError) {
                    if messages == nil {
                        messages = try await client.connection.connected().openStream(Methods.Watch.audit, request)
                            .makeAsyncIterator()
                    }
                    guard let bytes = try await messages?.next(isolation: actor) else { return nil }
                    let message = try AuditResponse(ofDaemon: bytes)
                    reconnect.caughtUp()
                    hasBegun = true
                    request.after = message.revision
                    request.last = nil
                    return AuditBatch(revision: message.revision, entries: message.entries)
                } catch {
                    messages = nil
                    guard request.follow, hasBegun, error.code == .unavailable,
                        let wait = reconnect.failed(jitter: .random(in: 0..<1))
                    else { throw error }
                    do {
                        try await client.options.pause(wait)
                    } catch {
                        throw .cancelled
                    }
                    reconnect.waited()
                }
            }
        }
    }
}
