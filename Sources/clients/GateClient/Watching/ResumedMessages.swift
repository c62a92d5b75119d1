import GateModel
import GateProtocol

/// The messages of a stream over as many connections as necessary, for one task. A stream that has begun, and whose
/// daemon goes away, is opened anew.
struct ResumedMessages<Request: WireMessage, Response: WireMessage> {
    private let client: GateClient
    private let method: Method<Request, Response>
    private var messages: MessageStream.AsyncIterator?
    private var reconnect = ReconnectStateMachine()
    private var hasBegun = false

    init(_ client: GateClient, _ method: Method<Request, Response>) {
        self.client = client
        self.method = method
    }

    /// The next message; `nil` if there are no more.
    ///
    /// - Parameters:
    ///   - request: what the stream is opened with, at first and anew.
    ///   - resumes: whether a stream that has begun is opened anew.
    mutating func next(
        _ request: Request, resumes: Bool = true, isolation actor: isolated (any Actor)?
    ) async throws(GateError) -> Response? {
        while true {
            do throws(GateError) {
                if messages == nil {
                    messages = try await client.connection.connected().openStream(method, request).makeAsyncIterator()
                }
                guard let bytes = try await messages?.next(isolation: actor) else { return nil }
                let message = try Response(ofDaemon: bytes)
                reconnect.caughtUp()
                hasBegun = true
                return message
            } catch {
                messages = nil
                guard resumes, hasBegun, error.code == .unavailable,
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
