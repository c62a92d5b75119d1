public import GateModel
public import GateProtocol
import TTRPC
import TTRPCTransport

// The way of every call, of any method.

extension GateClient {
    /// Calls a unary method, with the time that the options allow.
    public func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) async throws(GateError) -> Response {
        try await call(method, request, timeout: options.callTimeout)
    }

    /// Calls a unary method.
    ///
    /// - Parameter timeout: `nil`: as long as it takes.
    public func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, timeout: Duration?
    ) async throws(GateError) -> Response {
        try await connection.connected().call(method, request, timeout: timeout, options: options)
    }

    /// Calls a unary method by its names, with encoded messages.
    public func call(service: String, method: String, payload: [UInt8]) async throws(GateError) -> [UInt8] {
        try await connection.connected().call(
            service: service, method: method, payload: payload, timeout: options.callTimeout, options: options)
    }

    /// Opens a server stream by its names, with encoded messages.
    public func openStream(service: String, method: String, payload: [UInt8]) async throws(GateError) -> MessageStream {
        try await connection.connected().openStream(
            service: service, method: method, payload: payload, options: options)
    }
}

extension TTRPCClientConnection {
    func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request, timeout: Duration?, options: GateClientOptions
    ) async throws(GateError) -> Response {
        let answer = try await call(
            service: method.service, method: method.name, payload: request.encoded(), timeout: timeout,
            options: options)
        return try Response(ofDaemon: answer)
    }

    func call(
        service: String, method: String, payload: [UInt8], timeout: Duration?, options: GateClientOptions
    ) async throws(GateError) -> [UInt8] {
        do throws(TTRPCClientError) {
            return try await call(
                service: service, method: method, payload: payload, timeout: timeout, metadata: options.metadata)
        } catch .connectionLost {
            var lost = GateError(.connectionLost, options: options)
            lost.message += " Whether the call had an effect is not known: look at the mode."
            throw lost
        } catch {
            throw GateError(error, options: options)
        }
    }

    func openStream(
        service: String, method: String, payload: [UInt8], options: GateClientOptions
    ) async throws(GateError) -> MessageStream {
        do throws(TTRPCClientError) {
            let stream = try await openStream(
                service: service, method: method, payload: payload, timeout: nil, metadata: options.metadata)
            return MessageStream(stream: stream, options: options)
        } catch {
            throw GateError(error, options: options)
        }
    }
}

extension GateClientOptions {
    /// What goes with every call: how the program names itself.
    var metadata: [Metadata] { [Metadata(key: "program", value: programName)] }
}

extension WireMessage {
    /// What the daemon sent. That it can't be read is the daemon's mistake, not the caller's.
    init(ofDaemon bytes: [UInt8]) throws(GateError) {
        do throws(GateError) {
            self = try Self(decoding: bytes)
        } catch {
            throw GateError(.internal, .unspecified, "The daemon sent what a client can't read: \(error.message)")
        }
    }
}
