import Testing

@testable import TTRPC

/// A stream id is in one of four conditions, and the connection is open or closed; each event is tried in each of them.
@Suite("State machine of a server's connection")
struct ServerMachineTests {
    private static let request = RequestEnvelope(service: "s", method: "m", payload: [1])
    private var machine = ServerConnectionStateMachine(
        limits: ConnectionLimits(maximumFrameBytes: 100, maximumStreams: 3))

    private mutating func receive(
        _ type: FrameType, _ streamID: UInt32, _ flags: FrameFlags = [], _ data: [UInt8] = []
    ) -> ServerConnectionStateMachine.FrameAction {
        let header = FrameHeader(length: UInt32(data.count), streamID: streamID, type: type, flags: flags)
        return data.withUnsafeBytes { machine.frameReceived(header, $0) }
    }

    private mutating func request(_ streamID: UInt32, flags: FrameFlags = [])
        -> ServerConnectionStateMachine.FrameAction
    {
        receive(.request, streamID, flags, Self.request.encoded())
    }

    private mutating func open(_ streamID: UInt32, _ kind: MethodKind) {
        #expect(request(streamID) == .route(Self.request))
        #expect(machine.requestRouted(streamID, Self.request, to: kind) == .deliver)
    }

    /// The code of an answer that the machine gives by itself.
    private func code(_ action: ServerConnectionStateMachine.FrameAction) -> (code: StatusCode, ends: Bool)? {
        switch action {
        case .refuse(let status): (status.code, false)
        case .end(let status): (status.code, true)
        case .route, .deliver, .drop: nil
        }
    }

    // MARK: Requests

    @Test("a request is routed and delivered, whatever its flags", arguments: [0, 1, 2, 3, 0xFF] as [UInt8])
    mutating func requestFlags(flags: UInt8) {
        #expect(request(1, flags: FrameFlags(rawValue: flags)) == .route(Self.request))
        #expect(machine.requestRouted(1, Self.request, to: .serverStream) == .deliver)
        #expect(machine.isOpen(1))
    }

    @Test("odd ids are accepted in any order, and again after their streams end")
    mutating func anyOrder() {
        for streamID: UInt32 in [9, 1, .max] { open(streamID, .unary) }
        for streamID: UInt32 in [9, 1, .max] { #expect(machine.responded(streamID, byteCount: 1) == .send) }
        open(9, .unary)
        #expect(machine.openStreamCount == 1)
    }

    @Test("a known request is delivered at once, by the same rules for its id")
    mutating func known() throws {
        #expect(machine.knownRequestReceived(1, to: .unary) == .deliver)
        #expect(machine.isOpen(1) && machine.responded(1, byteCount: 1) == .send)
        #expect(try #require(code(machine.knownRequestReceived(2, to: .unary))) == (.invalidArgument, false))
        open(3, .serverStream)
        #expect(try #require(code(machine.knownRequestReceived(3, to: .unary))) == (.invalidArgument, true))
        for streamID: UInt32 in [1, 3, 5] { #expect(machine.knownRequestReceived(streamID, to: .unary) == .deliver) }
        #expect(try #require(code(machine.knownRequestReceived(7, to: .unary))) == (.resourceExhausted, false))
        #expect(machine.openStreamCount == 3)
        _ = machine.connectionClosed()
        #expect(machine.knownRequestReceived(9, to: .unary) == .drop)
    }

    @Test("an even id is refused on that id", arguments: [0, 2, .max - 1] as [UInt32])
    mutating func evenID(streamID: UInt32) throws {
        let action = try #require(code(request(streamID)))
        #expect(action == (.invalidArgument, false))
        #expect(!machine.isOpen(streamID))
    }

    @Test("a second request with an id in use ends both calls with one answer", arguments: MethodKind.allCases)
    mutating func idInUse(kind: MethodKind) throws {
        open(1, kind)
        let action = try #require(code(request(1)))
        #expect(action == (.invalidArgument, true))
        #expect(!machine.isOpen(1))
    }

    @Test("a stream over the limit is refused, and after one ends there is room again")
    mutating func tooManyStreams() throws {
        for streamID: UInt32 in [1, 3, 5] { open(streamID, .serverStream) }
        #expect(try #require(code(request(7))) == (.resourceExhausted, false))
        #expect(machine.finished(3) == true)
        open(7, .unary)
    }

    @Test("an envelope that can't be decoded is refused on its stream")
    mutating func undecodable() throws {
        let action = try #require(code(receive(.request, 1, [], [0x0A, 0x05])))
        #expect(action == (.invalidArgument, false))
        open(1, .unary)
    }

    @Test("a request whose deadline has passed is refused")
    mutating func pastDeadline() throws {
        let late = RequestEnvelope(service: "s", method: "m", payload: [], timeout: .nanoseconds(-1))
        #expect(try #require(code(receive(.request, 1, [], late.encoded()))) == (.deadlineExceeded, false))
    }

    @Test("an unknown method is unimplemented, and its id is free")
    mutating func unknownMethod() {
        #expect(request(1) == .route(Self.request))
        #expect(
            machine.requestRouted(1, Self.request, to: nil)
                == .refuse(Status(.unimplemented, "There is no method s/m."))
        )
        #expect(!machine.isOpen(1))
    }

    // MARK: Data

    @Test("data on a stream that was never opened, or has ended, fails that stream")
    mutating func dataOnDeadStream() throws {
        #expect(try #require(code(receive(.data, 1, [], [1]))) == (.invalidArgument, false))
        open(1, .unary)
        _ = machine.responded(1, byteCount: 1)
        #expect(try #require(code(receive(.data, 1, [], [1]))) == (.invalidArgument, false))
    }

    @Test("data on an open stream ends it, because no method of ours takes data", arguments: MethodKind.allCases)
    mutating func dataOnOpenStream(kind: MethodKind) throws {
        open(1, kind)
        #expect(try #require(code(receive(.data, 1, [], [1]))) == (.invalidArgument, true))
        #expect(!machine.isOpen(1))
    }

    @Test("an empty message counts as data, even as the last one")
    mutating func emptyMessage() throws {
        for flags: FrameFlags in [[], .remoteClosed] {
            open(1, .serverStream)
            #expect(try #require(code(receive(.data, 1, flags))) == (.invalidArgument, true))
        }
    }

    @Test(
        "a bare end of data is dropped on every stream, open or not",
        arguments: [nil, .unary, .serverStream] as [MethodKind?])
    mutating func bareEnd(kind: MethodKind?) {
        if let kind { open(1, kind) }
        #expect(receive(.data, 1, .endOfData) == .drop)
        #expect(receive(.data, 1, .endOfData) == .drop)
        #expect(machine.isOpen(1) == (kind != nil))
    }

    // MARK: Frames of other types

    @Test(
        "responses and unknown types are ignored, of whatever size",
        arguments: [nil, .unary, .serverStream] as [MethodKind?])
    mutating func ignoredTypes(kind: MethodKind?) {
        if let kind { open(1, kind) }
        for type: FrameType in [.response, .unknown(0), .unknown(4), .unknown(255)] {
            #expect(receive(type, 1, [], [1, 2, 3]) == .drop)
            #expect(receive(type, 2, [], [1, 2, 3]) == .drop)
            #expect(machine.frameTooLarge(FrameHeader(length: .max, streamID: 1, type: type)) == .drop)
        }
        #expect(machine.isOpen(1) == (kind != nil))
    }

    @Test("a frame too large costs its stream alone", arguments: [.request, .data] as [FrameType])
    mutating func tooLarge(type: FrameType) throws {
        open(1, .unary)
        open(3, .serverStream)
        let header = FrameHeader(length: 101, streamID: 5, type: type)
        #expect(try #require(code(machine.frameTooLarge(header))) == (.resourceExhausted, false))
        let onOpen = FrameHeader(length: 101, streamID: 3, type: type)
        #expect(try #require(code(machine.frameTooLarge(onOpen))) == (.resourceExhausted, true))
        #expect(machine.isOpen(1))
        #expect(!machine.isOpen(3))
    }

    // MARK: Answers

    @Test("a unary call is answered once")
    mutating func respondOnce() {
        open(1, .unary)
        #expect(machine.responded(1, byteCount: 100) == .send)
        #expect(machine.responded(1, byteCount: 100) == .drop)
        #expect(machine.failed(1) == false)
        #expect(machine.finished(1) == false)
        #expect(machine.messageSent(1, byteCount: 1) == .drop)
        #expect(machine.deadlinePassed(1) == nil)
    }

    @Test("a response too large fails that call alone")
    mutating func responseTooLarge() {
        open(1, .unary)
        open(3, .unary)
        let status = Status(.resourceExhausted, "the answer takes 101 bytes, over the limit of 100 bytes")
        #expect(machine.responded(1, byteCount: 101) == .replace(status))
        #expect(!machine.isOpen(1))
        #expect(machine.responded(3, byteCount: 100) == .send)
    }

    @Test("a stream takes messages until it is finished")
    mutating func streamMessages() {
        open(1, .serverStream)
        #expect(machine.messageSent(1, byteCount: 0) == .send)
        #expect(machine.messageSent(1, byteCount: 100) == .send)
        #expect(machine.isOpen(1))
        #expect(machine.finished(1) == true)
        #expect(machine.finished(1) == false)
        #expect(machine.messageSent(1, byteCount: 0) == .drop)
    }

    @Test("a message too large ends its stream")
    mutating func messageTooLarge() {
        open(1, .serverStream)
        let status = Status(.resourceExhausted, "the answer takes 101 bytes, over the limit of 100 bytes")
        #expect(machine.messageSent(1, byteCount: 101) == .replace(status))
        #expect(!machine.isOpen(1))
    }

    @Test("a failure ends a call and a stream, once", arguments: MethodKind.allCases)
    mutating func failure(kind: MethodKind) {
        open(1, kind)
        #expect(machine.failed(1) == true)
        #expect(machine.failed(1) == false)
    }

    @Test("a deadline ends a call and a stream, once", arguments: MethodKind.allCases)
    mutating func deadline(kind: MethodKind) {
        open(1, kind)
        #expect(machine.deadlinePassed(1)?.code == .deadlineExceeded)
        #expect(machine.deadlinePassed(1) == nil)
        #expect(machine.failed(1) == false)
    }

    @Test("answers for streams that were never opened are dropped")
    mutating func answersOnUnopened() {
        #expect(machine.responded(1, byteCount: 1) == .drop)
        #expect(machine.messageSent(1, byteCount: 1) == .drop)
        #expect(machine.failed(1) == false)
        #expect(machine.finished(1) == false)
        #expect(machine.deadlinePassed(1) == nil)
    }

    // MARK: The end

    @Test("the end of the connection ends its streams in order, and after it nothing happens")
    mutating func connectionClosed() {
        for streamID: UInt32 in [5, 1, 3] { open(streamID, streamID == 1 ? .unary : .serverStream) }
        #expect(machine.connectionClosed() == [1, 3, 5])
        #expect(machine.connectionClosed() == [])
        #expect(machine.openStreamCount == 0)
        #expect(!machine.isOpen(1))
        #expect(request(1) == .drop)
        #expect(request(2) == .drop)
        #expect(receive(.data, 3, [], [1]) == .drop)
        #expect(machine.frameTooLarge(FrameHeader(length: 101, streamID: 1, type: .request)) == .drop)
        #expect(machine.requestRouted(1, Self.request, to: .unary) == .drop)
        #expect(machine.responded(1, byteCount: 1) == .drop)
        #expect(machine.messageSent(3, byteCount: 1) == .drop)
        #expect(machine.failed(1) == false)
        #expect(machine.finished(3) == false)
        #expect(machine.deadlinePassed(5) == nil)
    }
}
