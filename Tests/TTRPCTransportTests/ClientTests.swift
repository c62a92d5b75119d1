import Glibc
import NIOCore
import NIOPosix
import ProcessSupport
import TTRPC
import Testing

@testable import TTRPCTransport

/// These tests block at sockets, which would keep all others from going on.
@Suite("A client on a socket", .serialized, .waitsForProcesses)
struct ClientTests {
    private typealias Event = ScriptedService.Event

    // MARK: Connecting

    @Test("without a server the error has the path and the reason")
    func unreachable() async throws {
        try await withTemporaryDirectory { directory in
            func connect(_ path: String) async throws(TTRPCClientError) {
                _ = try await TTRPCClientConnection.connect(
                    to: path, eventLoop: MultiThreadedEventLoopGroup.singleton.next(), limits: ConnectionLimits(),
                    serverUIDs: nil, connectTimeout: .seconds(1), cancellation: nil)
            }
            let path = directory + "/s"
            await #expect(throws: TTRPCClientError.unreachable("\(path): No such file or directory")) {
                try await connect(path)
            }
            let (_, descriptor) = try SocketFile.bind(to: path, mode: 0o600)
            close(descriptor)
            await #expect(throws: TTRPCClientError.unreachable("\(path): Connection refused")) {
                try await connect(path)
            }
            let long = "/tmp/" + String(repeating: "x", count: 103)
            await #expect(throws: TTRPCClientError.unreachable("\(long): a socket's path has 1 to 107 bytes")) {
                try await connect(long)
            }
        }
    }

    @Test("a server of the wrong user is not spoken to")
    func untrusted() async throws {
        try await LiveServer.run { live in
            await #expect(throws: TTRPCClientError.untrustedServer(uid: getuid())) {
                _ = try await live.connect(serverUIDs: [getuid() + 1])
            }
            let connection = try await live.connect(serverUIDs: [getuid()])
            #expect(try await connection.call("Echo", [1]) == [1])
            await connection.close()
        }
    }

    @Test("a server that hangs up right after accepting counts as lost, and not as untrusted")
    func hangsUp() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/s"
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { $0.close() }
                .bind(unixDomainSocketPath: path).get()
            // Chance decides whether the client notices it before or after it has asked the kernel.
            for _ in 0..<500 {
                do throws(TTRPCClientError) {
                    let connection = try await TTRPCClientConnection.connect(
                        to: path, eventLoop: MultiThreadedEventLoopGroup.singleton.next(),
                        limits: ConnectionLimits(), serverUIDs: [getuid()], connectTimeout: .seconds(300),
                        cancellation: nil)
                    await connection.close()
                } catch {
                    #expect(error == .connectionLost)
                }
            }
            try await server.close()
        }
    }

    // MARK: Calls

    @Test("a call gets its answer, and everything sent with it arrives")
    func call() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            let answer = try await connection.call(
                service: "test.Script", method: "Echo", payload: [1, 2], timeout: .seconds(20),
                metadata: [Metadata(key: "k", value: "v")])
            #expect(answer == [1, 2])
            let request = try #require(live.service.request)
            #expect(request.timeout == .seconds(20))
            #expect(request.metadata == [Metadata(key: "k", value: "v")])
            #expect(request.found == ServiceMethod(.unary))
            await connection.close()
        }
    }

    @Test("concurrent calls each get their own answer")
    func concurrentCalls() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 as Range<UInt8> {
                    group.addTask {
                        let answer = try await connection.call("Echo", [number])
                        #expect(answer == [number])
                    }
                }
                try await group.waitForAll()
            }
            await connection.close()
        }
    }

    @Test("a status arrives with code, message and details")
    func status() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            let status = Status(
                .failedPrecondition, "as you asked",
                details: [TypedValue(typeURL: "type.googleapis.com/test.Detail", value: [8, 1])])
            await #expect(throws: TTRPCClientError.status(status)) { try await connection.call("Fail", [8, 1]) }
            await #expect(
                throws: TTRPCClientError.status(Status(.unimplemented, "There is no method test.Script/Nope."))
            ) {
                try await connection.call("Nope")
            }
            await connection.close()
        }
    }

    @Test("a request too large fails on this side, and the connection lives")
    func requestTooLarge() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            do {
                _ = try await connection.call("Echo", [UInt8](repeating: 0, count: 5 << 20))
                Issue.record("5 MiB were sent")
            } catch TTRPCClientError.status(let status) {
                #expect(status.code == .resourceExhausted)
            }
            #expect(try await connection.call("Echo", [1]) == [1])
            await connection.close()
        }
    }

    @Test("a response too large for the server fails that call alone")
    func responseTooLarge() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            do {
                _ = try await connection.call("Large")
                Issue.record("4 MiB and more were sent")
            } catch TTRPCClientError.status(let status) {
                #expect(status.code == .resourceExhausted)
            }
            #expect(try await connection.call("Echo", [1]) == [1])
            await connection.close()
        }
    }

    @Test("a call past its timeout ends, also at the server")
    func timeout() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            do {
                _ = try await connection.call("Never", timeout: .milliseconds(50))
                Issue.record("the call was answered")
            } catch TTRPCClientError.status(let status) {
                #expect(status.code == .deadlineExceeded)
            } catch TTRPCClientError.timedOut {
                // The server's answer was under way, but on a busy machine the client may give up first.
            }
            await live.service.events.wait(for: .ended(streamID: 1))
            await #expect(throws: TTRPCClientError.timedOut) { try await connection.call("Echo", timeout: .zero) }
            await connection.close()
        }
    }

    @Test("cancelling the task ends the call at once and cancels it at the server")
    func cancelledCall() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            let task = Task { try await connection.call("Never") }
            await live.service.events.wait(for: .requested(method: "Never", streamID: 1))
            task.cancel()
            await #expect(throws: TTRPCClientError.cancelled) { try await task.value }
            await live.service.events.wait(for: .requested(method: "Cancel", streamID: 3))
            #expect(live.service.request?.payload == [0, 0, 0, 1])
            #expect(try await connection.call("Echo", [1]) == [1])
            await connection.close()
        }
    }

    @Test("a call of a task that is already cancelled is not sent")
    func cancelledBefore() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await connection.call("Echo")
            }
            await #expect(throws: TTRPCClientError.cancelled) { try await task.value }
            #expect(try await connection.call("Echo", [1]) == [1])
            #expect(live.service.events.all == [.opened(connection: 1), .requested(method: "Echo", streamID: 1)])
            await connection.close()
        }
    }

    @Test("when the server goes, calls and streams fail, and so do later ones")
    func connectionLost() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            let stream = try await connection.stream("Open")
            let task = Task { try await connection.call("Never") }
            await live.service.events.wait(for: .requested(method: "Never", streamID: 3))
            try await live.server.close()
            await #expect(throws: TTRPCClientError.connectionLost) { try await task.value }
            await #expect(throws: TTRPCClientError.connectionLost) { for try await _ in stream {} }
            await connection.waitUntilClosed()
            await #expect(throws: TTRPCClientError.connectionLost) { try await connection.call("Echo") }
            await #expect(throws: TTRPCClientError.connectionLost) { _ = try await connection.stream("Open") }
        }
    }

    @Test("waiting for the end of a connection can be cancelled")
    func cancelledWait() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            let task = Task { await connection.waitUntilClosed() }
            task.cancel()
            await task.value
            #expect(try await connection.call("Echo", [1]) == [1])
            await connection.close()
            await connection.waitUntilClosed()
        }
    }

    @Test("a connection that nobody holds is closed")
    func dropped() async throws {
        try await LiveServer.run { live in
            do {
                let connection = try await live.connect()
                _ = try await connection.call("Echo")
            }
            await live.service.events.wait(for: .closed(.peerLeft))
        }
    }

    // MARK: Streams

    @Test("a stream delivers its messages in order, then ends")
    func stream() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            var messages: [[UInt8]] = []
            for try await message in try await connection.stream("Count", [200]) { messages.append(message) }
            #expect(messages == (0..<200).map { [$0] })
            for try await _ in try await connection.stream("Count", [0]) { Issue.record("there was a message") }
            await connection.close()
        }
    }

    @Test("a stream that fails delivers what came before, then throws the status")
    func failedStream() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            var iterator = try await connection.stream("Break").makeAsyncIterator()
            #expect(try await iterator.next() == [1])
            await #expect(throws: TTRPCClientError.status(Status(.dataLoss, "broken off"))) {
                try await iterator.next()
            }
            await connection.close()
        }
    }

    @Test("dropping a stream cancels it at the server")
    func droppedStream() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            _ = try await connection.stream("Open")
            await live.service.events.wait(for: .requested(method: "Cancel", streamID: 3))
            #expect(live.service.request?.payload == [0, 0, 0, 1])
            await connection.close()
        }
    }

    @Test("cancelling the task that reads cancels the stream at the server")
    func cancelledStream() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            let stream = try await connection.stream("Open")
            let task = Task { for try await _ in stream {} }
            await live.service.events.wait(for: .requested(method: "Open", streamID: 1))
            task.cancel()
            await #expect(throws: TTRPCClientError.cancelled) { try await task.value }
            await live.service.events.wait(for: .requested(method: "Cancel", streamID: 3))
            await #expect(throws: TTRPCClientError.cancelled) { for try await _ in stream {} }
            await connection.close()
        }
    }

    @Test("a stream's timeout ends it")
    func streamTimeout() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect()
            do {
                for try await _ in try await connection.stream("Open", timeout: .milliseconds(50)) {}
                Issue.record("the stream ended by itself")
            } catch TTRPCClientError.status(let status) {
                #expect(status.code == .deadlineExceeded)
            }
            await connection.close()
        }
    }

    @Test("a slow reader holds the server back and loses nothing")
    func slowReader() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect(limits: ConnectionLimits(streamBufferBytes: 10_000))
            let stream = try await connection.stream("Flood", [128])
            await live.service.events.wait(for: .requested(method: "Flood", streamID: 1))
            // 8 MiB, far more than the buffers on the way hold.
            var waves = 0
            for try await message in stream where message.count == 4096 { waves += 1 }
            #expect(waves == 128 * 16)
            await connection.close()
        }
    }

    @Test("a call is answered even if the reader of a stream takes nothing")
    func callBesideSlowReader() async throws {
        try await LiveServer.run { live in
            let connection = try await live.connect(limits: ConnectionLimits(streamBufferBytes: 10_000))
            let stream = try await connection.stream("Flood", [128])
            await live.service.events.wait(for: .requested(method: "Flood", streamID: 1))
            #expect(try await connection.call("Echo", [1]) == [1])
            _ = stream
            await connection.close()
        }
    }

    @Test("a stream whose reader is far too slow fails alone, after its buffered messages")
    func farTooSlowReader() async throws {
        try await LiveServer.run { live in
            let limits = ConnectionLimits(streamBufferBytes: 1 << 20, maximumStreamBufferBytes: 10_000)
            let connection = try await live.connect(limits: limits)
            let stream = try await connection.stream("Flood", [128])
            await live.service.events.wait(for: .requested(method: "Cancel", streamID: 3))
            var iterator = stream.makeAsyncIterator()
            for _ in 0..<3 { #expect(try await iterator.next()?.count == 4096) }
            do {
                _ = try await iterator.next()
                Issue.record("the stream went on")
            } catch TTRPCClientError.status(let status) {
                #expect(status.code == .resourceExhausted)
            }
            #expect(try await connection.call("Echo", [1]) == [1])
            await connection.close()
        }
    }
}
