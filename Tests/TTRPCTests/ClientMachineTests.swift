import Testing

@testable import TTRPC

/// A stream id is open for a call, open for a stream, or not open, and the connection is open or closed; each event is
/// tried in each of them.
@Suite("State machine of a client's connection")
struct ClientMachineTests {
    private var machine = ClientConnectionStateMachine(
        limits: ConnectionLimits(maximumFrameBytes: 100, maximumStreams: 2))

    private mutating func receive(
        _ type: FrameType, _ streamID: UInt32, _ flags: FrameFlags = [], _ data: [UInt8] = []
    ) -> ClientConnectionStateMachine.FrameAction {
        let header = FrameHeader(length: UInt32(data.count), streamID: streamID, type: type, flags: flags)
        return data.withUnsafeBytes { machine.frameReceived(header, $0) }
    }

    @Test("ids are odd and count up; a call has no flags, and a stream says that the client sends nothing more")
    mutating func ids() {
        #expect(machine.callStarted(.unary, byteCount: 1) == .send(streamID: 1, []))
        #expect(machine.callStarted(.serverStream, byteCount: 1) == .send(streamID: 3, FrameFlags(rawValue: 1)))
        #expect(machine.cancellationStarted() == 5)
        #expect(machine.openStreamCount == 2)
    }

    @Test("a request that is too large is refused unsent, and uses no id")
    mutating func requestTooLarge() {
        guard case .refuse(let status) = machine.callStarted(.unary, byteCount: 101) else {
            Issue.record("the request was not refused")
            return
        }
        #expect(status.code == .resourceExhausted)
        #expect(machine.callStarted(.unary, byteCount: 100) == .send(streamID: 1, []))
    }

    @Test("a call over the limit is refused, and a cancellation never is")
    mutating func tooManyStreams() {
        _ = machine.callStarted(.unary, byteCount: 1)
        _ = machine.callStarted(.serverStream, byteCount: 1)
        guard case .refuse(let status) = machine.callStarted(.unary, byteCount: 1) else {
            Issue.record("the call was not refused")
            return
        }
        #expect(status.code == .resourceExhausted)
        #expect(machine.cancellationStarted() == 5)
    }

    @Test("when all ids are used, new calls fail as on a lost connection")
    mutating func idsUsedUp() {
        machine = ClientConnectionStateMachine(limits: ConnectionLimits(), firstStreamID: .max - 2)
        #expect(machine.callStarted(.unary, byteCount: 1) == .send(streamID: .max - 2, []))
        #expect(machine.callStarted(.unary, byteCount: 1) == .send(streamID: .max, []))
        #expect(machine.callStarted(.unary, byteCount: 1) == .connectionLost)
        #expect(machine.cancellationStarted() == nil)
        #expect(receive(.response, .max) == .succeed([]))
    }

    // MARK: Calls

    @Test("a response ends a call, and a second one is dropped")
    mutating func success() {
        _ = machine.callStarted(.unary, byteCount: 1)
        #expect(receive(.response, 1, [], [0x12, 0x01, 0x07]) == .succeed([7]))
        #expect(receive(.response, 1, [], [0x12, 0x01, 0x07]) == .drop)
    }

    @Test("a response with an error status fails its call or stream", arguments: MethodKind.allCases)
    mutating func failure(kind: MethodKind) {
        _ = machine.callStarted(kind, byteCount: 1)
        let status = Status(.notFound, "gone")
        #expect(receive(.response, 1, [], ResponseEnvelope(status: status).encoded()) == .fail(status))
        #expect(machine.openStreamCount == 0)
    }

    @Test("a response that can't be decoded breaks only its own call", arguments: MethodKind.allCases)
    mutating func undecodable(kind: MethodKind) {
        _ = machine.callStarted(kind, byteCount: 1)
        _ = machine.callStarted(.unary, byteCount: 1)
        #expect(receive(.response, 1, [], [0x12, 0x05]) == .violate("ttrpc.Response ends in the middle of a field"))
        #expect(receive(.response, 3) == .succeed([]))
    }

    @Test("data on a unary call breaks the call")
    mutating func dataOnCall() {
        _ = machine.callStarted(.unary, byteCount: 1)
        #expect(receive(.data, 1, [], [1]) == .violate("data on the unary call 1"))
        #expect(machine.openStreamCount == 0)
    }

    // MARK: Streams

    @Test("messages arrive until the end of data, including empty ones")
    mutating func messages() {
        _ = machine.callStarted(.serverStream, byteCount: 1)
        #expect(receive(.data, 1, [], [1, 2]) == .deliver([1, 2]))
        #expect(receive(.data, 1) == .deliver([]))
        #expect(receive(.data, 1, .noData) == .drop)
        #expect(receive(.data, 1, .endOfData) == .finish)
        #expect(receive(.data, 1, [], [1]) == .drop)
    }

    @Test("the last message may also end the stream")
    mutating func lastMessage() {
        _ = machine.callStarted(.serverStream, byteCount: 1)
        #expect(receive(.data, 1, .remoteClosed, [1]) == .deliverLast([1]))
        #expect(machine.openStreamCount == 0)
    }

    @Test("a response without a status ends a stream and is its last message, as for other clients")
    mutating func responseOnStream() {
        _ = machine.callStarted(.serverStream, byteCount: 1)
        #expect(receive(.response, 1, [], [0x12, 0x01, 0x07]) == .deliverLast([7]))
        #expect(machine.openStreamCount == 0)
    }

    // MARK: Frames of other kinds

    @Test("frames on streams that are not open are dropped, of whatever type and size")
    mutating func notOpen() {
        for type: FrameType in [.request, .response, .data, .unknown(7)] {
            #expect(receive(type, 1, [], [1]) == .drop)
            #expect(receive(type, 2, [], [1]) == .drop)
            #expect(machine.frameTooLarge(FrameHeader(length: .max, streamID: 1, type: type)) == .drop)
        }
    }

    @Test("requests and unknown frames on open streams are dropped", arguments: MethodKind.allCases)
    mutating func ignoredTypes(kind: MethodKind) {
        _ = machine.callStarted(kind, byteCount: 1)
        for type: FrameType in [.request, .unknown(0), .unknown(255)] {
            #expect(receive(type, 1, [], [1]) == .drop)
            #expect(machine.frameTooLarge(FrameHeader(length: 101, streamID: 1, type: type)) == .drop)
        }
        #expect(machine.openStreamCount == 1)
    }

    @Test("a frame that is too large fails only its stream, and the server is told if more could come")
    mutating func tooLarge() {
        _ = machine.callStarted(.unary, byteCount: 1)
        _ = machine.callStarted(.serverStream, byteCount: 1)
        let status = Status(.resourceExhausted, "a frame of 101 bytes is over the limit of 100 bytes")
        #expect(machine.frameTooLarge(FrameHeader(length: 101, streamID: 1, type: .response)) == .fail(status))
        #expect(machine.frameTooLarge(FrameHeader(length: 101, streamID: 3, type: .data)) == .abandon(status))
        #expect(machine.openStreamCount == 0)
    }

    // MARK: Ends

    @Test(
        "a call that its caller gives up is cancelled at the server once, and late answers are dropped",
        arguments: MethodKind.allCases)
    mutating func givenUp(kind: MethodKind) {
        _ = machine.callStarted(kind, byteCount: 1)
        #expect(machine.givenUp(1) == true)
        #expect(machine.givenUp(1) == false)
        #expect(receive(.response, 1) == .drop)
        #expect(receive(.data, 1, .endOfData) == .drop)
    }

    @Test("the end of the connection ends its streams in order, and after it nothing happens")
    mutating func connectionClosed() {
        _ = machine.callStarted(.serverStream, byteCount: 1)
        _ = machine.callStarted(.unary, byteCount: 1)
        #expect(machine.connectionClosed() == [1, 3])
        #expect(machine.connectionClosed() == [])
        #expect(machine.openStreamCount == 0)
        #expect(machine.callStarted(.unary, byteCount: 1) == .connectionLost)
        #expect(machine.cancellationStarted() == nil)
        #expect(receive(.response, 3) == .drop)
        #expect(machine.frameTooLarge(FrameHeader(length: 101, streamID: 1, type: .data)) == .drop)
        #expect(machine.givenUp(1) == false)
    }
}
