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
        private var request: AuditRequest
        private var messages: ResumedMessages<AuditRequest, AuditResponse>

        init(client: GateClient, request: AuditRequest) {
            self.request = request
            messages = ResumedMessages(client, Methods.Watch.audit)
        }

        /// The next entries; `nil` if there are no more.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(GateError) -> AuditBatch? {
            guard let message = try await messages.next(request, resumes: request.follow, isolation: actor) else {
                return nil
            }
            request.after = message.revision
            request.last = nil
            return AuditBatch(revision: message.revision, entries: message.entries)
        }
    }
}
