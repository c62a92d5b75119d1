import Glibc
import ProcessSupport
import TTRPC
import Testing

@testable import TTRPCTransport

@Suite("A connection that waits in the thread that calls", .serialized, .waitsForProcesses)
struct BlockingConnectionTests {
    private func connect(
        _ live: LiveServer, serverUIDs: Set<UInt32>? = nil
    ) throws(TTRPCClientError) -> BlockingConnection {
        try BlockingConnection(to: live.path, serverUIDs: serverUIDs, connectTimeout: .seconds(300))
    }

    @Test("calls are answered one after the other, also large ones")
    func calls() async throws {
        try await LiveServer.run { live in
            let connection = try connect(live)
            for payload: [UInt8] in [[1, 2], [], [UInt8](repeating: 3, count: 300_000)] {
                let answer = try connection.call(
                    service: "test.Script", method: "Echo", payload: payload, timeout: .seconds(300),
                    metadata: [Metadata(key: "program", value: "test")])
                #expect(answer == payload)
            }
            let request = try #require(live.service.request)
            #expect(request.metadata == [Metadata(key: "program", value: "test")])
            #expect(request.timeout == .seconds(300) && request.streamID == 5)
        }
    }

    @Test("a server's error is thrown, and the connection stays usable")
    func refused() async throws {
        try await LiveServer.run { live in
            let connection = try connect(live)
            func call(_ method: String) throws(TTRPCClientError) -> [UInt8] {
                try connection.call(service: "test.Script", method: method, payload: [9], timeout: nil, metadata: [])
            }
            let error = #expect(throws: TTRPCClientError.self) { try call("Fail") }
            guard case .status(let status) = error else { throw try #require(error) }
            #expect(status.code == .failedPrecondition && status.details.first?.value == [9])
            #expect(try call("Echo") == [9])
        }
    }

    @Test("the server's user is checked before anything is sent, and a missing server is reported")
    func untrusted() async throws {
        try await LiveServer.run { live in
            #expect(throws: TTRPCClientError.untrustedServer(uid: getuid())) {
                _ = try connect(live, serverUIDs: [getuid() + 1])
            }
            _ = try connect(live, serverUIDs: [getuid()])
            #expect(throws: TTRPCClientError.unreachable("\(live.path)x: No such file or directory")) {
                _ = try BlockingConnection(to: live.path + "x", serverUIDs: nil, connectTimeout: .seconds(1))
            }
            #expect(throws: TTRPCClientError.self) {
                _ = try BlockingConnection(
                    to: String(repeating: "x", count: 200), serverUIDs: nil, connectTimeout: .seconds(1))
            }
        }
    }

    @Test("a server that does not answer is given up after the timeout, and a lost connection is noticed")
    func silence() async throws {
        try await LiveServer.run { live in
            let hasty = try connect(live)
            let error = #expect(throws: TTRPCClientError.self) {
                _ = try hasty.call(
                    service: "test.Script", method: "Never", payload: [], timeout: .milliseconds(50), metadata: [])
            }
            // The server knows the timeout too, and may report it first.
            switch error {
            case .timedOut: break
            case .status(let status): #expect(status.code == .deadlineExceeded)
            default: Issue.record("\(String(describing: error))")
            }
            let connection = try connect(live)
            #expect(
                try connection.call(
                    service: "test.Script", method: "Close", payload: [1], timeout: nil, metadata: []) == [1])
            #expect(throws: TTRPCClientError.connectionLost) {
                _ = try connection.call(
                    service: "test.Script", method: "Echo", payload: [], timeout: nil, metadata: [])
            }
        }
    }
}
