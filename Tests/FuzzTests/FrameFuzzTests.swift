import GateScripting
import TTRPC
import Testing

extension FuzzTests {
    @Suite("Frames")
    struct FrameFuzzTests {
        /// Small, so that much is over them.
        static let limits = ConnectionLimits(maximumFrameBytes: 200, maximumRequestBytes: 200, maximumStreams: 4)

        @Test("a server takes any bytes, cut in any way, and knows which streams are open")
        func server() throws {
            try FuzzRun.run("server", iterations: 1000) { fuzzCase in
                let input = fuzzCase.random.frames()
                fuzzCase.trying(input)
                var whole = ServerPlay(seed: fuzzCase.random.next())
                var cut = whole
                whole.feed(input, "\(fuzzCase)")
                var rest = input[...]
                while !rest.isEmpty {
                    let piece = rest.prefix(Int.random(in: 1...30, using: &fuzzCase.random))
                    cut.feed(Array(piece), "\(fuzzCase)")
                    rest = rest.dropFirst(piece.count)
                }
                #expect(whole.log == cut.log, "\(fuzzCase)")
                #expect(whole.machine.connectionClosed() == whole.open.keys.sorted(), "\(fuzzCase)")
                #expect(whole.machine.openStreamCount == 0, "\(fuzzCase)")
            }
        }

        @Test("a client takes any bytes, cut in any way, and knows which calls are open")
        func client() throws {
            try FuzzRun.run("client", iterations: 1000) { fuzzCase in
                let input = fuzzCase.random.frames()
                fuzzCase.trying(input)
                var whole = ClientPlay(seed: fuzzCase.random.next())
                var cut = whole
                whole.feed(input, "\(fuzzCase)")
                var rest = input[...]
                while !rest.isEmpty {
                    let piece = rest.prefix(Int.random(in: 1...30, using: &fuzzCase.random))
                    cut.feed(Array(piece), "\(fuzzCase)")
                    rest = rest.dropFirst(piece.count)
                }
                #expect(whole.log == cut.log, "\(fuzzCase)")
                #expect(whole.machine.connectionClosed() == whole.open.keys.sorted(), "\(fuzzCase)")
            }
        }
    }
}

/// Cuts bytes into frames as a transport does, and checks what the decoder promises.
struct FrameFeed {
    private var decoder = FrameDecoder(maximumFrameBytes: FuzzTests.FrameFuzzTests.limits.maximumFrameBytes)
    private var buffer: [UInt8] = []

    enum Event {
        case frame(FrameHeader, [UInt8])
        case tooLarge(FrameHeader)
    }

    mutating func take(_ bytes: [UInt8], _ comment: String) -> [Event] {
        buffer += bytes
        var events: [Event] = []
        while true {
            let step = buffer.withUnsafeBytes { decoder.next($0) }
            let consumed: Int
            switch step {
            case .needMore(let byteCount):
                #expect(byteCount > buffer.count, "\(comment)")
                return events
            case .frame(let header, let byteCount):
                consumed = byteCount
                #expect(byteCount == FrameHeader.byteCount + Int(header.length), "\(comment)")
                events.append(.frame(header, Array(buffer.prefix(byteCount).dropFirst(FrameHeader.byteCount))))
            case .tooLarge(let header, let byteCount):
                consumed = byteCount
                events.append(.tooLarge(header))
            case .discarded(let byteCount):
                consumed = byteCount
            }
            guard consumed > 0, consumed <= buffer.count else {
                Issue.record("the decoder consumed \(consumed) of \(buffer.count) bytes: \(comment)")
                return events
            }
            buffer.removeFirst(consumed)
        }
    }
}

/// A server's machine with a service that makes no mistakes, and a list of what is open that is kept beside it.
struct ServerPlay {
    var machine = ServerConnectionStateMachine(limits: FuzzTests.FrameFuzzTests.limits)
    private(set) var open: [UInt32: MethodKind] = [:]
    private(set) var log: [String] = []
    private var feed = FrameFeed()
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func feed(_ bytes: [UInt8], _ comment: String) {
        for event in feed.take(bytes, comment) {
            switch event {
            case .frame(let header, let data):
                let action = data.withUnsafeBytes { machine.frameReceived(header, $0) }
                received(action, header.streamID, comment)
            case .tooLarge(let header):
                received(machine.frameTooLarge(header), header.streamID, comment)
            }
            serve(comment)
            #expect(machine.openStreamCount == open.count, "\(comment)")
            #expect(machine.openStreamCount <= FuzzTests.FrameFuzzTests.limits.maximumStreams, "\(comment)")
        }
    }

    private mutating func received(
        _ action: ServerConnectionStateMachine.FrameAction, _ streamID: UInt32, _ comment: String
    ) {
        log.append("\(streamID) \(action)")
        switch action {
        case .route(let request):
            let kinds: [String: MethodKind] = ["Get": .unary, "Toggle": .unary, "Watch": .serverStream]
            let kind = kinds[request.method]
            switch machine.requestRouted(streamID, request, to: kind) {
            case .deliver:
                #expect(open.updateValue(kind ?? .unary, forKey: streamID) == nil, "\(comment)")
                #expect(machine.isOpen(streamID), "\(comment)")
            case .refuse: #expect(kind == nil, "\(comment)")
            case .drop: Issue.record("a request was dropped: \(comment)")
            }
        case .end:
            #expect(open.removeValue(forKey: streamID) != nil, "\(comment)")
        case .refuse, .drop:
            break
        }
    }

    /// The service does something, or not, with a stream that is open, or not.
    private mutating func serve(_ comment: String) {
        let streamID = random.chance(1, in: 2) ? random.streamID() : open.keys.min() ?? 1
        let kind = open[streamID]
        switch Int.random(in: 0..<6, using: &random) {
        case 0 where kind != .serverStream:
            let isDropped = machine.responded(streamID, byteCount: Int.random(in: 0..<300, using: &random)) == .drop
            #expect(isDropped == (kind == nil), "\(comment)")
            open[streamID] = nil
        case 1 where kind != .unary:
            switch machine.messageSent(streamID, byteCount: Int.random(in: 0..<300, using: &random)) {
            case .send: #expect(kind == .serverStream, "\(comment)")
            case .replace: #expect(open.removeValue(forKey: streamID) != nil, "\(comment)")
            case .drop: #expect(kind == nil, "\(comment)")
            }
        case 2 where kind != .unary:
            #expect(machine.finished(streamID) == (kind != nil), "\(comment)")
            open[streamID] = nil
        case 3:
            #expect(machine.failed(streamID) == (kind != nil), "\(comment)")
            open[streamID] = nil
        case 4:
            #expect((machine.deadlinePassed(streamID) != nil) == (kind != nil), "\(comment)")
            open[streamID] = nil
        default:
            break
        }
    }
}

/// A client's machine with calls under way, and a list of them that is kept beside it.
struct ClientPlay {
    var machine = ClientConnectionStateMachine(limits: FuzzTests.FrameFuzzTests.limits)
    private(set) var open: [UInt32: MethodKind] = [:]
    private(set) var log: [String] = []
    private var feed = FrameFeed()
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        for _ in 0..<4 { call() }
    }

    mutating func feed(_ bytes: [UInt8], _ comment: String) {
        for event in feed.take(bytes, comment) {
            let action: ClientConnectionStateMachine.FrameAction
            let streamID: UInt32
            switch event {
            case .frame(let header, let data):
                streamID = header.streamID
                action = data.withUnsafeBytes { machine.frameReceived(header, $0) }
            case .tooLarge(let header):
                streamID = header.streamID
                action = machine.frameTooLarge(header)
            }
            log.append("\(streamID) \(action)")
            switch action {
            case .succeed, .deliverLast, .finish, .fail, .abandon, .violate:
                #expect(open.removeValue(forKey: streamID) != nil, "\(comment)")
            case .deliver:
                #expect(open[streamID] == .serverStream, "\(comment)")
            case .drop:
                break
            }
            act(comment)
        }
    }

    private mutating func act(_ comment: String) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
            call()
        case 2:
            let streamID = random.streamID()
            #expect(machine.givenUp(streamID) == (open.removeValue(forKey: streamID) != nil), "\(comment)")
            _ = machine.cancellationStarted()
        default:
            break
        }
    }

    private mutating func call() {
        let kind: MethodKind = random.chance(1, in: 2) ? .unary : .serverStream
        switch machine.callStarted(kind, byteCount: Int.random(in: 0..<250, using: &random)) {
        case .send(let streamID, _): open[streamID] = kind
        case .refuse: break
        case .connectionLost: Issue.record("the connection is open")
        }
    }
}

extension SeededGenerator {
    /// One of few, so that they meet.
    mutating func streamID() -> UInt32 {
        chance(1, in: 20) ? UInt32(truncatingIfNeeded: integer()) : .random(in: 0..<12, using: &self)
    }

    /// A conversation's worth of frames, with faults in it.
    mutating func frames() -> [UInt8] {
        if chance(1, in: 10) { return bytes(upTo: 400) }
        var frames: [UInt8] = []
        for _ in 0..<Int.random(in: 1..<16, using: &self) {
            var data: [UInt8]
            let type: FrameType
            switch Int.random(in: 0..<8, using: &self) {
            case 0, 1, 2: (type, data) = (.request, requestEnvelope())
            case 3, 4: (type, data) = (.response, responseEnvelope())
            case 5, 6: (type, data) = (.data, bytes(upTo: 20))
            default: (type, data) = (FrameType(rawValue: .random(in: .min ... .max, using: &self)), bytes(upTo: 300))
            }
            if chance(1, in: 6) { mutate(&data) }
            let flags = FrameFlags(rawValue: chance(1, in: 4) ? .random(in: 0..<8, using: &self) : 0)
            let length = chance(1, in: 40) ? UInt32(truncatingIfNeeded: integer()) : UInt32(data.count)
            frames += FrameHeader(length: length, streamID: streamID(), type: type, flags: flags).encoded() + data
        }
        if chance(1, in: 10) { mutate(&frames) }
        return frames
    }
}
