import Epoll
import GateClient
import GateProtocol
import Glibc
import NIOCore
import NIOPosix
import TTRPC
import TTRPCTransport

/// A ttrpc server in this process that does what the test says, request by request.
///
/// A test takes the requests one by one and answers them, so that nothing depends on time: what the client has asked is
/// known, and what it knows is what it was told.
final class ScriptedServer: Sendable {
    /// A request, and the right to answer it.
    struct Exchange: Sendable {
        let request: IncomingRequest
        let connection: TTRPCServerConnection

        var name: String { "\(request.service)/\(request.method)" }

        func respond(_ message: some WireMessage) async {
            await onLoop { $0.respond(request.streamID, payload: message.encoded()) }
        }

        func send(_ message: some WireMessage) async {
            await onLoop { $0.send(request.streamID, message: message.encoded()) }
        }

        func finish() async {
            await onLoop { $0.finish(request.streamID) }
        }

        func fail(_ error: GateError) async {
            let detail = TypedValue(typeURL: GateError.detailTypeURL, value: error.detailBytes)
            let status = Status(StatusCode(rawValue: error.code.rawValue), error.message, details: [detail])
            await onLoop { $0.fail(request.streamID, status) }
        }

        func respond(payload: [UInt8]) async {
            await onLoop { $0.respond(request.streamID, payload: payload) }
        }

        /// Closes the connection, as a daemon does that dies.
        func closeConnection() async {
            await onLoop { $0.close() }
        }

        private func onLoop(_ body: @escaping @Sendable (TTRPCServerConnection) -> Void) async {
            let connection = connection
            try? await ScriptedServer.eventLoop.submit { body(connection) }.get()
        }
    }

    static let eventLoop: EpollLoop = {
        do {
            return try EpollLoop(name: "scripted server")
        } catch {
            preconditionFailure("no event loop for tests: \(error)")
        }
    }()

    let path: String
    private let service: ScriptedService
    private let server: TTRPCServer

    private init(path: String, service: ScriptedService, server: TTRPCServer) {
        self.path = path
        self.service = service
        self.server = server
    }

    static func start(at path: String) async throws -> ScriptedServer {
        let service = ScriptedService()
        let server = try await TTRPCServer.start(
            on: .path(path, mode: 0o600), loop: eventLoop, work: PacedWork(eventLoop: eventLoop),
            limits: ConnectionLimits(),
            writeDeadline: .seconds(60),
            closingDeadline: .seconds(60),
            service: service)
        return ScriptedServer(path: path, service: service, server: server)
    }

    /// The next request that reaches the server, from any client.
    func next() async throws -> Exchange {
        var iterator = service.requests.makeAsyncIterator()
        guard let exchange = await iterator.next() else { throw CancellationError() }
        return exchange
    }

    /// The next request, which must be this one.
    func expect(_ name: String) async throws -> Exchange {
        let exchange = try await next()
        guard exchange.name == name else { throw Unexpected(name: exchange.name) }
        return exchange
    }

    /// The next request but those with which the client finds out whether its question is still open; when it opens that
    /// watch and gives it up is its own affair.
    func expectIgnoringWatch(_ name: String) async throws -> Exchange {
        while true {
            let exchange = try await next()
            if exchange.name == name { return exchange }
            guard ["gate.v1.Watch/Watch", "gate.v1.Control/Cancel"].contains(exchange.name) else {
                throw Unexpected(name: exchange.name)
            }
        }
    }

    struct Unexpected: Error {
        let name: String
    }

    func stop() async throws {
        try await server.close()
    }
}

private final class ScriptedService: TTRPCService {
    let requests: AsyncStream<ScriptedServer.Exchange>
    private let received: AsyncStream<ScriptedServer.Exchange>.Continuation

    init() {
        (requests, received) = AsyncStream.makeStream()
    }

    func find(service: String, method: String) -> ServiceMethod? {
        guard let method = ServiceCatalog.find(service: service, method: method) else { return nil }
        return ServiceMethod(method.isServerStream ? .serverStream : .unary)
    }

    func connectionOpened(_ connection: TTRPCServerConnection) -> Status? { nil }

    func requestReceived(_ request: IncomingRequest, on connection: TTRPCServerConnection) {
        received.yield(ScriptedServer.Exchange(request: request, connection: connection))
    }

    func streamEnded(_ streamID: UInt32, on connection: TTRPCServerConnection) {}
    func connectionDrained(_ connection: TTRPCServerConnection) {}
    func connectionClosed(_ connection: TTRPCServerConnection) {}
}

/// A socket's path in a directory of its own, which goes away with the test.
func withSocketPath<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    var template = Array("/tmp/gate-client-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CancellationError() }
    let directory = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer {
        unlink(directory + "/gate.sock")
        rmdir(directory)
    }
    return try await body(directory + "/gate.sock")
}

func client(of path: String) -> GateClient { GateClient(patientOptions(path)) }

/// Long timeouts for calls whose time does not matter: on a busy machine, under a sanitizer, each may take long.
func patientOptions(
    _ path: String, trustedServers: GateClientOptions.TrustedServers = .anyone
) -> GateClientOptions {
    GateClientOptions(
        socketPath: path, trustedServers: trustedServers, connectTimeout: .seconds(300), callTimeout: .seconds(300))
}
