package import GateModel
package import GateProtocol
import TTRPC
import TTRPCTransport

// Calls of any method, with messages of the wire. They are for this package; apps use the calls by subject.

extension GateClient {
    /// Calls a unary method, within the options' `callTimeout`.
    package func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) async throws(GateError) -> Response {
        try await call(method, request, timeout: options.callTimeout)
    }

    /// Calls a unary method.
    ///
    /// - Parameter timeout: `nil`: no limit.
    package func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, timeout: Duration?
    ) async throws(GateError) -> Response {
        try await connection.connected().call(method, request, timeout: timeout, of: connection)
    }

    /// Calls a unary method by its names, with encoded messages.
    ///
    /// - Parameter timeout: `nil`: no limit.
    package func call(
        service: String, method: String, payload: [UInt8], timeout: Duration?
    ) async throws(GateError) -> [UInt8] {
        try await connection.connected().call(
            service: service, method: method, payload: payload, timeout: timeout, of: connection)
    }

    /// Opens a server stream by its names, with encoded messages.
    package func openStream(service: String, method: String, payload: [UInt8]) async throws(GateError) -> MessageStream
    {
        try await connection.connected().openStream(
            service: service, method: method, payload: payload, of: connection)
    }

    /// Reads a list page by page, and returns the elements of all pages in order.
    static func allPages<Reply: ListReply>(
        _ ask: (_ token: String) async throws(GateError) -> Reply
    ) async throws(GateError) -> [Reply.Element] {
        var all: [Reply.Element] = []
        var token = ""
        while true {
            let page = try await ask(token)
            all += page.elements
            let next = page.nextPageToken
            guard !next.isEmpty else { return all }
            // Without this check, a daemon that repeats a page would keep the client asking for ever.
            guard !page.elements.isEmpty, next != token else {
                throw GateError(.internal, .unspecified, "The daemon sent a list without an end.")
            }
            token = next
        }
    }
}

extension TTRPCClientConnection {
    func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, timeout: Duration?, of shared: SharedConnection
    ) async throws(GateError) -> Response {
        let answer = try await call(
            service: method.service, method: method.name, payload: request.encoded(), timeout: timeout, of: shared)
        return try Response(ofDaemon: answer)
    }

    func call(
        service: String, method: String, payload: [UInt8], timeout: Duration?, of shared: SharedConnection
    ) async throws(GateError) -> [UInt8] {
        do throws(TTRPCClientError) {
            return try await call(
                service: service, method: method, payload: payload, timeout: timeout, metadata: shared.options.metadata)
        } catch .connectionLost {
            await shared.connectionLost(self)
            var lost = GateError(.connectionLost, options: shared.options)
            lost.message += " Whether the call had an effect is not known: look at the mode."
            throw lost
        } catch {
            throw GateError(error, options: shared.options)
        }
    }

    func openStream<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, of shared: SharedConnection
    ) async throws(GateError) -> MessageStream {
        try await openStream(
            service: method.service, method: method.name, payload: request.encoded(), of: shared)
    }

    func openStream(
        service: String, method: String, payload: [UInt8], of shared: SharedConnection
    ) async throws(GateError) -> MessageStream {
        do throws(TTRPCClientError) {
            let stream = try await openStream(
                service: service, method: method, payload: payload, timeout: nil, metadata: shared.options.metadata)
            return MessageStream(stream: stream, options: shared.options)
        } catch {
            if error == .connectionLost { await shared.connectionLost(self) }
            throw GateError(error, options: shared.options)
        }
    }
}

extension SharedConnection {
    /// Opens a server stream, and returns its connection too: calls that belong to the stream have to use that one.
    nonisolated func openStream<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) async throws(GateError) -> (connection: TTRPCClientConnection, stream: MessageStream) {
        let connection = try await connected()
        return (connection, try await connection.openStream(method, request, of: self))
    }
}

extension GateClientOptions {
    /// The metadata of every call: this program's name for itself.
    var metadata: [Metadata] { [Metadata(key: "program", value: programName)] }
}

extension WireMessage {
    /// Decodes a message of the daemon. If that fails it is the daemon's mistake, so the error is `INTERNAL`.
    init(ofDaemon bytes: [UInt8]) throws(GateError) {
        do throws(GateError) {
            self = try Self(decoding: bytes)
        } catch {
            throw GateError(
                .internal, .unspecified, "The daemon sent a message that this client can't read: \(error.message)")
        }
    }
}
