package import GateModel
package import GateProtocol
import TTRPCTransport

/// A client whose calls block the calling thread, for programs that ask a few things and end, like the mode in a
/// shell's prompt. Such a program starts several times faster than with a `GateClient`. It can make unary calls only,
/// and does not wipe what it has sent, so don't use it for secrets.
package final class BlockingGateClient {
    private let connection: BlockingConnection
    private let options: GateClientOptions

    /// - Throws: `UNAVAILABLE` if no server listens; `PERMISSION_DENIED` if its user is not trusted, or is unknown in
    ///   this user namespace.
    package init(_ options: GateClientOptions = GateClientOptions()) throws(GateError) {
        self.options = options
        connection = try Self.telling(options) { () throws(TTRPCClientError) in
            try BlockingConnection(
                to: options.socketPath, serverUIDs: options.serverUserIDs,
                connectTimeout: options.connectTimeout)
        }
    }

    /// Calls a unary method, within the options' `callTimeout`.
    /// - Throws: the daemon's refusal; `UNAVAILABLE` if the connection is lost, or `DEADLINE_EXCEEDED` if no answer
    ///   comes in time. After these two, make a new client.
    package func call<Request, Response>(
        _ method: Method<Request, Response>, _ request: Request
    ) throws(GateError) -> Response {
        let answer = try Self.telling(options) { () throws(TTRPCClientError) in
            try connection.call(
                service: method.service, method: method.name, payload: request.encoded(), timeout: options.callTimeout,
                metadata: options.metadata)
        }
        return try Response(ofDaemon: answer)
    }

    private static func telling<Result>(
        _ options: GateClientOptions, _ body: () throws(TTRPCClientError) -> Result
    ) throws(GateError) -> Result {
        do throws(TTRPCClientError) {
            return try body()
        } catch {
            throw GateError(error, options: options)
        }
    }
}
