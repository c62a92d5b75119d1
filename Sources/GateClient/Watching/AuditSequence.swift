package import GateModel
package import GateProtocol

extension GateClient {
    /// The journal of who did what, oldest first, each element the entries of whole revisions. For administrators.
    ///
    /// With `follow` it goes on with what is new and, once it has begun, resumes by itself after the daemon was away;
    /// no entry is missing and none comes twice.
    ///
    /// - Parameters:
    ///   - revision: entries after this one; `nil`: from the oldest that is kept.
    ///   - last: only the newest so many of the past entries; `nil`: all.
    /// - Throws: on iteration `OUT_OF_RANGE` (`compacted`) where the journal no longer reaches back so far,
    ///   `PERMISSION_DENIED` for others than administrators.
    package func audit(after revision: Revision? = nil, last: Int? = nil, follow: Bool = false) -> AuditSequence {
        AuditSequence(client: self, request: AuditRequest(after: revision, follow: follow, last: last))
    }
}

/// The journal, over as many connections as it takes.
package struct AuditSequence: AsyncSequence, Sendable {
    package typealias Element = AuditResponse
    package typealias Failure = GateError

    let client: GateClient
    let request: AuditRequest

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(client: client, request: request)
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        let client: GateClient
        private var request: AuditRequest
        private var messages: MessageStream.AsyncIterator?
        private var reconnect = ReconnectStateMachine()
        private var hasBegun = false

        init(client: GateClient, request: AuditRequest) {
            self.client = client
            self.request = request
        }

        package mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(GateError) -> AuditResponse? {
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
                    return message
                } catch {
                    messages = nil
                    guard request.follow, hasBegun, error.code == .unavailable,
                        let wait = reconnect.failed(jitter: .random(in: 0..<1))
                    else { throw error }
                    do {
                        try await Task.sleep(for: wait)
                    } catch {
                        throw .cancelled
                    }
                    reconnect.waited()
                }
            }
        }
    }
}
