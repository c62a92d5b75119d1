import GateClient
import GateClientRaw
import GateModel
import GateProtocol
import TTRPCTransport
import Testing

@Suite("Raw calls")
struct RawCallsTests {
    @Test("a raw call takes a method by its name, and gives the bytes of the answer")
    func call() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let answer = gate.raw.call("gate.v1.Control/Ping", PingRequest(echo: [1, 2]).encoded())
            let exchange = try await server.expect("gate.v1.Control/Ping")
            #expect(try PingRequest(decoding: exchange.request.payload).echo == [1, 2])
            await exchange.respond(PingResponse(echo: [1, 2], revision: here))
            #expect(try PingResponse(decoding: try await answer).echo == [1, 2])
            try await server.stop()
        }
    }

    @Test("a raw stream gives the bytes of each message, then the daemon's refusal")
    func stream() async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let gate = client(of: path)
            async let messages = gate.raw.messages("gate.v1.Watch/Watch", [])
            let exchange = try await server.expect("gate.v1.Watch/Watch")
            await exchange.send(
                WatchResponse(firstNumber: 1, revision: here, isSnapshot: true, mode: nil, presentations: nil))
            var iterator = try await messages.makeAsyncIterator()
            let first = try #require(try await iterator.next())
            #expect(try WatchResponse(decoding: first).isSnapshot)
            await exchange.fail(GateError(.unavailable, .stopping, "over"))
            let error = await #expect(throws: GateError.self) { try await iterator.next() }
            #expect(error?.reason == .stopping)
            try await server.stop()
        }
    }

    @Test(
        "a name that leads to no method is refused by the daemon", arguments: ["Ping", "gate.v1.Control/Pong", "/", ""])
    func unknown(method: String) async throws {
        try await withSocketPath { path in
            let server = try await ScriptedServer.start(at: path)
            let error = await #expect(throws: GateError.self) { try await client(of: path).raw.call(method, []) }
            #expect(error?.code == .unimplemented)
            try await server.stop()
        }
    }
}
