import GateModel
import GateProtocol
import Glibc
import Testing

@testable import GateClient

@Suite("Cancelling while there is no connection yet", .timeLimit(.minutes(10)))
struct CancellingTests {
    /// A listening socket without room for another peer: an attempt to connect goes on until there is room.
    private struct FullSocket {
        let listener: Int32
        let waiting: [Int32]

        init(at path: String) throws {
            listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8) + [0]) }
            func call(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
                withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
            }
            let listener = listener
            guard call({ bind(listener, $0, $1) }) == 0, listen(listener, 0) == 0 else { throw CancellationError() }
            var waiting: [Int32] = []
            while true {
                let peer = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
                waiting.append(peer)
                guard call({ connect(peer, $0, $1) }) == 0 else { break }
            }
            self.waiting = waiting
        }

        func end() {
            for descriptor in waiting + [listener] { close(descriptor) }
        }
    }

    private func isCancelled(_ call: Task<PingReply, any Error>) async -> Bool {
        do {
            _ = try await call.value
            return false
        } catch {
            return (error as? GateError)?.code == .cancelled
        }
    }

    @Test("cancelling ends the wait of that task alone, and the last one to be cancelled gives the connection up")
    func cancelled() async throws {
        try await withSocketPath { path in
            let full = try FullSocket(at: path)
            let gate = client(of: path)
            let (first, second) = (Task { try await gate.control.ping() }, Task { try await gate.control.ping() })
            while await gate.connection.waiterCount != 2 { await Task.yield() }
            first.cancel()
            #expect(await isCancelled(first))
            #expect(await gate.connection.waiterCount == 1)
            second.cancel()
            #expect(await isCancelled(second))
            #expect(await gate.connection.waiterCount == nil)
            full.end()
            unlink(path)

            // The next call makes an attempt of its own.
            let server = try await ScriptedServer.start(at: path)
            async let pong = gate.control.ping()
            let here = Revision(epoch: 1, number: 1)
            try await server.expect("gate.v1.Control/Ping").respond(PingResponse(echo: [], revision: here))
            #expect(try await pong.revision == here)
            try await server.stop()
        }
    }

    @Test("a task that was cancelled before its call does not wait")
    func cancelledBefore() async throws {
        try await withSocketPath { path in
            let full = try FullSocket(at: path)
            let gate = client(of: path)
            let call = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await gate.control.ping()
            }
            call.cancel()
            #expect(await isCancelled(call))
            full.end()
        }
    }

    @Test("a watch that waits for a connection ends with its task, and closing the client ends every wait")
    func watchAndClose() async throws {
        try await withSocketPath { path in
            let full = try FullSocket(at: path)
            let gate = client(of: path)
            let watcher = Task { for await _ in gate.events(of: [.mode]) {} }
            while await gate.connection.waiterCount != 1 { await Task.yield() }
            watcher.cancel()
            await watcher.value
            #expect(await gate.connection.waiterCount == nil)

            let call = Task { try await gate.control.ping() }
            while await gate.connection.waiterCount != 1 { await Task.yield() }
            await gate.close()
            #expect(await isCancelled(call))
            full.end()
        }
    }
}
