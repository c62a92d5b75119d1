import Epoll
import Glibc
import NIOCore
import NIOPosix
import TTRPC
import Testing

@testable import TTRPCTransport

/// A server on a socket of its own, for one test.
struct LiveServer {
    let path: String
    let service: ScriptedService
    let server: TTRPCServer
    /// The event loop of the server and its service.
    let eventLoop: EpollLoop

    static let cancellation = CancellationMethod(service: "test.Script", method: "Cancel") { streamID in
        (0..<4).map { UInt8(truncatingIfNeeded: streamID >> (24 - 8 * $0)) }
    }

    /// Runs `body` with a server, and stops the server when it returns.
    static func run(
        limits: ConnectionLimits = ConnectionLimits(), writeDeadline: Duration = .seconds(60), refusal: Status? = nil,
        _ body: (LiveServer) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let service = ScriptedService(refusal: refusal)
            let eventLoop = EpollLoop.ofTests
            let server = try await TTRPCServer.start(
                on: .path(directory + "/s", mode: 0o600), loop: eventLoop, work: PacedWork(eventLoop: eventLoop),
                limits: limits, writeDeadline: writeDeadline, closingDeadline: writeDeadline, service: service)
            do {
                try await body(
                    LiveServer(path: directory + "/s", service: service, server: server, eventLoop: eventLoop))
            } catch {
                try? await server.close()
                throw error
            }
            try await server.close()
        }
    }

    func connect(
        limits: ConnectionLimits = ConnectionLimits(), serverUIDs: Set<UInt32>? = nil
    ) async throws(TTRPCClientError) -> TTRPCClientConnection {
        try await TTRPCClientConnection.connect(
            to: path, eventLoop: MultiThreadedEventLoopGroup.singleton.next(), limits: limits, serverUIDs: serverUIDs,
            connectTimeout: .seconds(300), cancellation: LiveServer.cancellation)
    }
}

extension EpollLoop {
    /// One event loop for all servers.
    static let ofTests: EpollLoop = {
        do {
            return try EpollLoop(name: "servers of tests")
        } catch {
            preconditionFailure("no event loop for tests: \(error)")
        }
    }()
}

extension TTRPCClientConnection {
    func call(_ method: String, _ payload: [UInt8] = [], timeout: Duration? = nil) async throws(TTRPCClientError)
        -> [UInt8]
    {
        try await call(service: "test.Script", method: method, payload: payload, timeout: timeout)
    }

    func stream(
        _ method: String, _ payload: [UInt8] = [], timeout: Duration? = nil
    ) async throws(TTRPCClientError) -> TTRPCClientStream {
        try await openStream(service: "test.Script", method: method, payload: payload, timeout: timeout)
    }
}

/// Makes a directory with a short name, since a socket's path must be short, and removes it with what is in it.
func withTemporaryDirectory(_ body: (String) async throws -> Void) async throws {
    var name = Array("/tmp/ttrpc-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw IOError(errnoCode: errno, reason: "mkdtemp") }
    let directory = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    defer {
        for entry in ["/s", "/t"] { unlink(directory + entry) }
        rmdir(directory)
    }
    try await body(directory)
}
