import GateModel
import GateProtocol
import GateScripting
import TTRPC

extension FuzzTarget {
    static let frameTargets = [frames, server, client, envelope]

    /// The decoder alone: any bytes, cut in any way.
    private static let frames = FuzzTarget("frames", maximumBytes: 2048) { random in
        Choices.join(random.frames(), using: &random)
    } check: { input in
        var (choices, stream) = Choices.split(input)
        var whole = FrameFeed()
        let events = try whole.take(stream)
        var cut = FrameFeed()
        var cutEvents: [FrameFeed.Event] = []
        for piece in stream.pieces(&choices) { cutEvents += try cut.take(piece) }
        try promise(events == cutEvents, "other frames where the bytes come in pieces")
        try promise(whole.consumed == cut.consumed, "other bytes are consumed where they come in pieces")
        try promise(whole.consumed + whole.waitingByteCount == stream.count, "bytes got lost")
    }

    /// A server's connection knows which streams are open, whatever comes, in whatever pieces; and what is called is
    /// decoded.
    private static let server = FuzzTarget("server", maximumBytes: 2048, dictionary: "methods") { random in
        Choices.join(random.frames(), using: &random)
    } check: { input in
        var (choices, stream) = Choices.split(input)
        var whole = ServerPlay(choices)
        var cut = whole
        try whole.feed(stream)
        for piece in stream.pieces(&choices) { try cut.feed(piece) }
        try promise(whole.log == cut.log, "something else happens where the bytes come in pieces")
        let open = whole.open.keys.sorted()
        try promise(whole.machine.connectionClosed() == open, "other streams end with the connection than were open")
        try promise(whole.machine.openStreamCount == 0, "streams are open after the connection")
    }

    /// A client's connection knows which calls are open, whatever comes.
    private static let client = FuzzTarget("client", maximumBytes: 2048) { random in
        Choices.join(random.frames(), using: &random)
    } check: { input in
        var (choices, stream) = Choices.split(input)
        var whole = try ClientPlay(choices)
        var cut = whole
        try whole.feed(stream)
        for piece in stream.pieces(&choices) { try cut.feed(piece) }
        try promise(whole.log == cut.log, "something else happens where the bytes come in pieces")
        let open = whole.open.keys.sorted()
        try promise(whole.machine.connectionClosed() == open, "other calls fail with the connection than were open")
    }

    /// What an envelope says means the same when it is sent on.
    private static let envelope = FuzzTarget("envelope", dictionary: "methods") { random in
        var bytes = random.envelope()
        if random.chance(2, in: 3) { random.mutate(&bytes) }
        return bytes
    } check: { input in
        try input.withUnsafeBytes { raw in
            if let request = try? RequestEnvelope(decoding: raw) {
                let again = try request.encoded().withUnsafeBytes { try RequestEnvelope(decoding: $0) }
                try promise(again == request, "\(request) became \(again)")
            }
            if let response = try? ResponseEnvelope(decoding: raw) {
                let again = try response.encoded().withUnsafeBytes { try ResponseEnvelope(decoding: $0) }
                try promise(again == response, "\(response) became \(again)")
            }
        }
    }
}

extension ArraySlice<UInt8> {
    /// All bytes, in pieces of 1 to 30.
    fileprivate func pieces(_ choices: inout Choices) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = self
        while !rest.isEmpty {
            let piece = rest.prefix(1 + choices.next(below: 30))
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}

extension SeededGenerator {
    /// One of a few ids, so that frames meet on the same stream.
    private mutating func streamID() -> UInt32 {
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

    /// A request or a response, as an honest peer sends it.
    mutating func envelope() -> [UInt8] {
        chance(1, in: 2) ? requestEnvelope() : responseEnvelope()
    }

    private mutating func requestEnvelope() -> [UInt8] {
        let timeouts: [Duration?] = [nil, .nanoseconds(1), .seconds(5), .nanoseconds(Int64.max), .nanoseconds(-1)]
        return RequestEnvelope(
            service: element(of: ["gate.v1.Mode", "gate.v1.Watch", "", "x.Y"]),
            method: element(of: ["GetMode", "Toggle", "Watch", "", "Nope"]), payload: bytes(upTo: 40),
            timeout: element(of: timeouts),
            metadata: (0..<Int.random(in: 0..<3, using: &self)).map { Metadata(key: "k\($0)", value: "v") }
        ).encoded()
    }

    private mutating func responseEnvelope() -> [UInt8] {
        if chance(1, in: 2) { return ResponseEnvelope(payload: bytes(upTo: 40)).encoded() }
        let detail = TypedValue(typeURL: GateError.detailTypeURL, value: bytes(upTo: 8))
        return ResponseEnvelope(
            status: Status(
                StatusCode(rawValue: .random(in: 0..<18, using: &self)), "why",
                details: chance(1, in: 2) ? [detail] : [])
        ).encoded()
    }
}
