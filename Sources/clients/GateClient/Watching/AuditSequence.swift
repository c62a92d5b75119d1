public import GateModel
import GateProtocol

/// The entries of the journal, over as many connections as it takes.
///
/// Throws on iteration `OUT_OF_RANGE` (`compacted`) where the journal no longer reaches back so far, and `PERMISSION_DENIED` for
/// others than administrators. Nothing is left out for a slow reader: a daemon whose reader is too slow for the journal ends the
/// stream with `compacted`. Cancelling the task ends it with `CANCELLED`. Each iteration is a stream of its own, for one task.
public struct AuditSequence: AsyncSequence, Sendable {
    /// The entries of whole revisions.
    public typealias Element = AuditBatch
    /// As every call throws it.
    public typealias Failure = GateError

    let client: GateClient
    let request: AuditRequest

    /// Begins to read.
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

        /// The next entries; `nil`: these were all.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(GateError) -> AuditBatch? {
            while true {
                do throws(GateError) {
                    if messages == nil {
                        let method = Methods.Watch.audit
                        messages = try await client.openStream(
                            service: method.service, method: method.name, payload: request.encoded()
                        ).makeAsyncIterator()
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
