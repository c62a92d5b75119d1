import NIOCore
import NIOEmbedded
import TTRPC
import Testing

@testable import TTRPCTransport

/// A connection of a server's, without a socket and with a clock to turn.
private struct Bench {
    let loop = NIOAsyncTestingEventLoop()
    let peer: StandInPeer
    let service: ScriptedService
    let core: ServerCore

    /// Runs `body` with a bench, and closes the connection after it, which would otherwise keep itself alive.
    static func run(
        limits: ConnectionLimits = ConnectionLimits(), refusal: Status? = nil, _ body: (Bench) async throws -> Void
    ) async throws {
        let bench = try await Bench(limits: limits, refusal: refusal)
        try await body(bench)
        try await bench.leave()
        await bench.loop.shutdownGracefully()
    }

    private init(limits: ConnectionLimits, refusal: Status?) async throws {
        let service = ScriptedService(refusal: refusal)
        let core = ServerCore(
            work: PacedWork(eventLoop: loop), limits: limits, writeDeadline: .seconds(5), closingDeadline: .seconds(5),
            service: service)
        self.service = service
        self.core = core
        peer = try await loop.executeInContext { StandInPeer(of: core) }
        await loop.run()
    }

    var isOpen: Bool { peer.socket.isOpen }

    func leave() async throws {
        try await loop.executeInContext { [peer] in peer.leave() }
        await loop.run()
    }

    /// What the server writes in answer to `bytes`, each element a write of its own.
    func writes(for bytes: [UInt8]) async throws -> [[Frame]] {
        try await loop.executeInContext { [peer] in peer.write(bytes) }
        await loop.run()
        return try await writes()
    }

    func writes() async throws -> [[Frame]] {
        try await loop.executeInContext { [peer] in peer.writes() }
    }

    func answers(to frames: Frame...) async throws -> [Frame] {
        try await writes(for: frames.flatMap(\.bytes)).flatMap(\.self)
    }

    func onLoop(_ body: @escaping @Sendable (TTRPCServerConnection) -> Void) async throws {
        try await loop.executeInContext { [service] in
            guard let connection = service.connection() else { return }
            body(connection)
        }
        await loop.run()
    }
}

@Suite("A server's connection")
struct ServerConnectionTests {
    @Test("a call is answered in the read that brought it")
    func call() async throws {
        try await Bench.run { bench async throws in
            #expect(try await bench.answers(to: .request("Echo", 1, [1, 2])) == [.response(1, [1, 2])])
            #expect(bench.core.connectionCount == 1)
        }
    }

    @Test("a request with the same bytes as before is known, and one with any other byte is not")
    func knownRequests() async throws {
        try await Bench.run { bench async throws in
            for streamID: UInt32 in [1, 3, 1] {
                #expect(
                    try await bench.answers(to: .request("Echo", streamID, [1, 2])) == [.response(streamID, [1, 2])])
            }
            #expect(bench.service.lookUps == 1 && bench.service.request?.streamID == 1)
            #expect(try await bench.answers(to: .request("Echo", 5, [1, 3])) == [.response(5, [1, 3])])
            #expect(try await bench.answers(to: .request("Echo", 7, [1, 2])) == [.response(7, [1, 2])])
            #expect(bench.service.lookUps == 3)
            // It is the same in one read, and by the rules for stream ids.
            let answers = try await bench.answers(to: .request("Echo", 9, [1, 2]), .request("Echo", 2, [1, 2]))
            #expect(answers.first == .response(9, [1, 2]) && answers.count == 2 && bench.service.lookUps == 3)
        }
    }

    @Test("requests with secrets, for streams and of great length are not remembered")
    func unknownRequests() async throws {
        try await Bench.run { bench async throws in
            let long = [UInt8](repeating: 1, count: KnownRequest.maximumByteCount)
            for (method, payload) in [("Secret", [1, 2]), ("Count", [0]), ("Echo", long)] {
                let before = bench.service.lookUps
                for streamID: UInt32 in [1, 3] { _ = try await bench.answers(to: .request(method, streamID, payload)) }
                #expect(bench.service.lookUps == before + 2, "\(method)")
            }
        }
    }

    @Test("calls of one read are answered in few writes, and the first are not delayed for the last")
    func fewWrites() async throws {
        try await Bench.run { bench async throws in
            let streamIDs = [UInt32](stride(from: 1, to: 37, by: 2))
            let requests = streamIDs.flatMap { Frame.request("Echo", $0, [UInt8($0)]).bytes }
            let writes = try await bench.writes(for: requests)
            #expect(writes.map(\.count) == [4, 4, 4, 4, 2])
            #expect(writes.flatMap(\.self) == streamIDs.map { Frame.response($0, [UInt8($0)]) })
        }
    }

    @Test("frames may be cut anywhere")
    func halfFrames() async throws {
        let bytes = Frame.request("Echo", 1, [1]).bytes + Frame.request("Echo", 3, [3]).bytes
        for cut in 1..<bytes.count {
            try await Bench.run { bench async throws in
                var answers = try await bench.writes(for: Array(bytes[..<cut]))
                answers += try await bench.writes(for: Array(bytes[cut...]))
                #expect(answers.flatMap(\.self) == [.response(1, [1]), .response(3, [3])])
            }
        }
        try await Bench.run { bench async throws in
            var answers: [[Frame]] = []
            for byte in bytes { answers += try await bench.writes(for: [byte]) }
            #expect(answers == [[.response(1, [1])], [.response(3, [3])]])
        }
    }

    @Test("an even id, an id in use and data on a dead stream each fail only their own stream")
    func mistakes() async throws {
        try await Bench.run { bench async throws in
            let answers = try await bench.answers(
                to: .request("Echo", 2), .request("Never", 1), .request("Never", 5), .request("Echo", 1),
                .message(7, [1]),
                .request("Echo", 9, [9]))
            #expect(answers.map(\.streamID) == [2, 1, 7, 9])
            #expect(answers.map(\.status?.code) == [.invalidArgument, .invalidArgument, .invalidArgument, nil])
            #expect(bench.service.events.all.contains(.ended(streamID: 1)))
            try await bench.onLoop { $0.respond(1, payload: [1]) }
            try await bench.onLoop { $0.respond(5, payload: [5]) }
            #expect(try await bench.writes() == [[.response(5, [5])]])
        }
    }

    @Test("data on a call ends it, and a bare end of data does not")
    func dataOnCall() async throws {
        try await Bench.run { bench async throws in
            #expect(try await bench.answers(to: .request("Never", 1), .endOfData(1)) == [])
            #expect(try await bench.answers(to: .message(1, [])).first?.status?.code == .invalidArgument)
            #expect(
                try await bench.answers(to: .endOfData(1), .message(1, [0])).map(\.status?.code) == [.invalidArgument])
        }
    }

    @Test("unknown types are ignored, of whatever size")
    func unknownType() async throws {
        try await Bench.run(limits: ConnectionLimits(maximumRequestBytes: 100)) { bench async throws in
            let unknown = Frame(type: .unknown(9), streamID: 1, data: [1, 2, 3])
            let large = Frame(type: .unknown(9), streamID: 3, data: [UInt8](repeating: 0, count: 5000))
            let response = Frame(type: .response, streamID: 1)
            #expect(try await bench.answers(to: unknown, large, response, .request("Echo", 1)) == [.response(1, [])])
        }
    }

    @Test("a frame too large is discarded as it comes, and the next one is served")
    func tooLarge() async throws {
        try await Bench.run(limits: ConnectionLimits(maximumRequestBytes: 100)) { bench async throws in
            let large = Frame.request("Echo", 1, [UInt8](repeating: 1, count: 300)).bytes
            let first = try await bench.writes(for: Array(large[..<50]))
            #expect(first.flatMap(\.self).map(\.status?.code) == [.resourceExhausted])
            let rest = try await bench.writes(for: Array(large[50...]) + Frame.request("Echo", 3, [3]).bytes)
            #expect(rest == [[.response(3, [3])]])
        }
    }

    @Test("an unknown method or service is unimplemented, by name")
    func unimplemented() async throws {
        try await Bench.run { bench async throws in
            let answers = try await bench.answers(
                to: .request("Nope", 1), .request("Echo", 3, service: "test.Other"))
            #expect(
                answers.map(\.status) == [
                    Status(.unimplemented, "There is no method test.Script/Nope."),
                    Status(.unimplemented, "There is no method test.Other/Echo."),
                ])
        }
    }

    @Test("an envelope that can't be decoded is an invalid argument, and names the field")
    func undecodable() async throws {
        try await Bench.run { bench async throws in
            let answers = try await bench.answers(
                to: Frame(type: .request, streamID: 1, data: [0x0A, 1, 0xFF]), .request("Echo", 3))
            #expect(
                answers.first?.status == Status(.invalidArgument, "ttrpc.Request.service is not UTF-8"))
            #expect(answers.last == .response(3, []))
        }
    }

    @Test("one stream too many is refused")
    func tooManyStreams() async throws {
        try await Bench.run(limits: ConnectionLimits(maximumStreams: 2)) { bench async throws in
            let answers = try await bench.answers(
                to: .request("Never", 1), .request("Open", 3), .request("Echo", 5), .request("Echo", 7))
            #expect(answers.map(\.status?.code) == [.resourceExhausted, .resourceExhausted])
        }
    }

    @Test(
        "a stream is data frames and a bare end of data, whatever the flags of its request",
        arguments: [0, 1, 2] as [UInt8])
    func stream(flags: UInt8) async throws {
        try await Bench.run { bench async throws in
            let answers = try await bench.answers(to: .request("Count", 1, [3], flags: FrameFlags(rawValue: flags)))
            #expect(answers == [.message(1, [0]), .message(1, [1]), .message(1, [2]), .endOfData(1)])
        }
    }

    @Test("a stream that fails ends with a response")
    func failedStream() async throws {
        try await Bench.run { bench async throws in
            let answers = try await bench.answers(to: .request("Break", 1))
            #expect(answers.first == .message(1, [1]))
            #expect(answers.last?.status == Status(.dataLoss, "broken off"))
        }
    }

    @Test("a shared message is sent with each stream's id")
    func sharedMessage() async throws {
        try await Bench.run { bench async throws in
            _ = try await bench.answers(to: .request("Open", 1), .request("Open", 3))
            let message = SharedMessage([1, 2])
            try await bench.onLoop { connection in
                connection.send(1, message: [0])
                connection.send(1, shared: message)
                connection.send(3, shared: message)
                connection.send(3, message: [3])
            }
            #expect(
                try await bench.writes().flatMap(\.self) == [
                    .message(1, [0]), .message(1, [1, 2]), .message(3, [1, 2]), .message(3, [3]),
                ])
        }
    }

    @Test("answers that come later are flushed once per tick")
    func laterAnswers() async throws {
        try await Bench.run { bench async throws in
            #expect(try await bench.answers(to: .request("Later", 1), .request("Later", 3)) == [])
            try await bench.onLoop { connection in
                connection.respond(1, payload: [1])
                connection.respond(3, payload: [3])
            }
            #expect(try await bench.writes() == [[.response(1, [1]), .response(3, [3])]])
        }
    }

    @Test("a call past its timeout ends with DEADLINE_EXCEEDED, and a late answer is dropped")
    func timeout() async throws {
        try await Bench.run { bench async throws in
            #expect(try await bench.answers(to: .request("Never", 1, timeout: .seconds(2))) == [])
            await bench.loop.advanceTime(by: .milliseconds(1999))
            #expect(try await bench.writes() == [])
            await bench.loop.advanceTime(by: .milliseconds(1))
            #expect(try await bench.writes().flatMap(\.self).map(\.status?.code) == [.deadlineExceeded])
            #expect(bench.service.events.all.last == .ended(streamID: 1))
            try await bench.onLoop { $0.respond(1, payload: []) }
            #expect(try await bench.writes() == [])
        }
    }

    @Test("a timeout does not outlive its call: the id can be used again")
    func timeoutOfEarlierCall() async throws {
        try await Bench.run { bench async throws in
            _ = try await bench.answers(to: .request("Later", 1, timeout: .seconds(2)))
            try await bench.onLoop { $0.respond(1, payload: []) }
            _ = try await bench.writes()
            #expect(
                try await bench.answers(to: .request("Echo", 1, timeout: .seconds(1)), .request("Later", 1)).count == 1)
            await bench.loop.advanceTime(by: .seconds(3))
            #expect(try await bench.writes() == [])
            try await bench.onLoop { #expect($0.isOpen(1)) }
        }
    }

    @Test("a timeout of centuries is none, and one that has passed is refused")
    func oddTimeouts() async throws {
        try await Bench.run { bench async throws in
            #expect(try await bench.answers(to: .request("Never", 1, timeout: .seconds(9_000_000_000))) == [])
            let answers = try await bench.answers(to: .request("Echo", 3, timeout: .seconds(-1)))
            #expect(answers.map(\.status?.code) == [.deadlineExceeded])
        }
    }

    @Test("a response too large fails that call alone")
    func responseTooLarge() async throws {
        try await Bench.run { bench async throws in
            let answers = try await bench.answers(to: .request("Large", 1), .request("Echo", 3, [3]))
            #expect(answers.map(\.status?.code) == [.resourceExhausted, nil])
        }
    }

    @Test("a message too large ends that stream alone, and the service hears of it")
    func messageTooLarge() async throws {
        try await Bench.run { bench async throws in
            let answers = try await bench.answers(to: .request("LargeMessage", 1), .request("Echo", 3, [3]))
            #expect(answers.map(\.status?.code) == [.resourceExhausted, nil])
            #expect(bench.service.events.all.contains(.ended(streamID: 1)))
        }
    }

    @Test("a status too large to send loses its details")
    func statusTooLarge() async throws {
        try await Bench.run { bench async throws in
            _ = try await bench.answers(to: .request("Later", 1))
            try await bench.onLoop { connection in
                let detail = TypedValue(typeURL: "t", value: [UInt8](repeating: 1, count: 5 << 20))
                connection.fail(1, Status(.aborted, "too much to say", details: [detail]))
            }
            let answers = try await bench.writes().flatMap(\.self)
            #expect(answers.first?.status == Status(.aborted, "the status was too large to send"))
        }
    }

    @Test("a refused peer gets the reason with its first request, and is disconnected")
    func refusal() async throws {
        try await Bench.run(refusal: Status(.permissionDenied, "not you")) { bench async throws in
            let answers = try await bench.answers(to: .request("Echo", 1), .request("Echo", 3))
            #expect(answers.map(\.status) == [Status(.permissionDenied, "not you")])
            #expect(!bench.isOpen)
            #expect(bench.service.events.all == [.opened(connection: 1)])
        }
    }

    @Test("a refused peer that asks nothing is closed after a second")
    func silentRefusal() async throws {
        try await Bench.run(refusal: Status(.permissionDenied, "not you")) { bench async throws in
            await bench.loop.advanceTime(by: .milliseconds(999))
            #expect(bench.isOpen)
            await bench.loop.advanceTime(by: .milliseconds(1))
            #expect(!bench.isOpen)
        }
    }

    @Test("past the bound a refused peer is closed at once")
    func tooManyRefusals() async throws {
        try await Bench.run(
            limits: ConnectionLimits(maximumRefusedConnections: 0), refusal: Status(.permissionDenied, "not you")
        ) { bench async throws in
            #expect(!bench.isOpen)
        }
    }

    @Test("the end of the connection ends its streams, and then is reported")
    func peerLeft() async throws {
        try await Bench.run { bench async throws in
            _ = try await bench.answers(to: .request("Open", 3), .request("Never", 1, timeout: .seconds(1)))
            try await bench.leave()
            #expect(
                bench.service.events.all.suffix(3) == [.ended(streamID: 1), .ended(streamID: 3), .closed(.peerLeft)])
            #expect(bench.core.connectionCount == 0)
            await bench.loop.advanceTime(by: .seconds(2))
            #expect(bench.service.events.all.last == .closed(.peerLeft))
        }
    }

    @Test("input that ends within a frame is reported as a truncated frame", arguments: [1, 9, 10, 15])
    func truncated(length: Int) async throws {
        try await Bench.run { bench async throws in
            #expect(try await bench.writes(for: Array(Frame.request("Echo", 1).bytes[..<length])) == [])
            try await bench.leave()
            #expect(bench.service.events.all.last == .closed(.truncatedFrame))
        }
    }

    @Test("a connection that the service closes sends its answer first, and reads nothing more")
    func closedByService() async throws {
        try await Bench.run { bench async throws in
            let answers = try await bench.answers(to: .request("Close", 1, [1]), .request("Echo", 3))
            #expect(answers == [.response(1, [1])])
            #expect(!bench.isOpen)
            await bench.loop.run()
            #expect(bench.service.events.all.last == .closed(.closedHere))
        }
    }
}
