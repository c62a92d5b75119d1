package import GateModel
package import GateProtocol
import TTRPC
import TTRPCTransport

/// Asks Gate in the thread that calls: for a program that asks a few things and ends, like a line in a shell's prompt. It is
/// there several times sooner than a `GateClient`, and can make unary calls only. Not for what is secret: it does not wipe what it
/// has sent.
package final class BlockingGateClient {
    private let connection: BlockingConnection
    private let options: GateClientOptions

    /// Connects.
    ///
    /// - Throws: `UNAVAILABLE` where nobody listens; `PERMISSION_DENIED` where somebody does who is not trusted.
    package init(_ options: GateClientOptions = GateClientOptions()) throws(GateError) {
        self.options = options
        connection = try Self.telling(options) { () throws(TTRPCClientError) in
            try BlockingConnection(
                to: options.socketPath, serverUIDs: options.trustedServers.userIDs,
                connectTimeout: options.connectTimeout)
        }
    }

    /// Calls a unary method, with the time that the options allow.
    ///
    /// - Throws: what the daemon says; `UNAVAILABLE`, `DEADLINE_EXCEEDED`: then the client is of no more use.
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
