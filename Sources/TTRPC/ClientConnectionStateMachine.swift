import ProtobufScan

/// A client's side of one connection: ids for new streams, and what the server's frames mean for them.
///
/// Stream ids are 1, 3, 5, … in the order in which requests are sent. A stream is open from its request until it ends:
/// by the server (a response, an end of data), because the caller gave it up, because the server broke the protocol on
/// it, or with the connection.
///
/// Late and harmless, dropped without a word: whatever comes on a stream that is not open, since the caller may have
/// given it up while the frame was on its way; a request frame from the server, which the protocol keeps for later; a
/// frame of an unknown type, of whatever size; any event after the connection's end.
public struct ClientConnectionStateMachine: Sendable {
    private enum State: Sendable {
        /// Requests go and answers come; `nextStreamID` is odd, and `nil` once all ids are used. Goes to `closed`.
        case open(nextStreamID: UInt32?, streams: StreamTable<MethodKind>)
        /// The connection is gone. Goes nowhere.
        case closed
    }

    private var state: State
    private let limits: ConnectionLimits

    public init(limits: ConnectionLimits) {
        self.init(limits: limits, firstStreamID: 1)
    }

    /// Starts at another id than 1, which must be odd. For tests.
    init(limits: ConnectionLimits, firstStreamID: UInt32) {
        precondition(firstStreamID % 2 == 1, "a client's stream ids are odd")
        state = .open(nextStreamID: firstStreamID, streams: StreamTable())
        self.limits = limits
    }

    /// Calls and streams that wait for something from the server.
    public var openStreamCount: Int {
        switch state {
        case .open(_, let streams): streams.count
        case .closed: 0
        }
    }

    // MARK: Requests

    /// The next step for a call that is to start.
    public enum StartAction: Hashable, Sendable {
        /// Send the request with this id and these flags.
        case send(streamID: UInt32, FrameFlags)
        /// Don't send it; it fails with this status, here and now.
        case refuse(Status)
        /// The connection is gone, or has used up its ids.
        case connectionLost
    }

    /// A call is to start; the request envelope takes `byteCount` bytes.
    public mutating func callStarted(_ kind: MethodKind, byteCount: Int) -> StartAction {
        switch state {
        case .open(let next, var streams):
            guard byteCount <= limits.maximumFrameBytes else {
                return .refuse(
                    Status(
                        .resourceExhausted,
                        "the request takes \(byteCount) bytes, over the limit of \(limits.maximumFrameBytes) bytes"))
            }
            guard streams.count < limits.maximumStreams else {
                return .refuse(
                    Status(
                        .resourceExhausted, "\(limits.maximumStreams) calls and streams are open on this connection"))
            }
            guard let streamID = next else { return .connectionLost }
            state = .closed  // so that the table is changed in place
            let wasFree = streams.insert(kind, for: streamID)
            precondition(wasFree, "stream \(streamID) was opened twice")
            state = .open(nextStreamID: ClientConnectionStateMachine.after(streamID), streams: streams)
            return .send(streamID: streamID, kind.requestFlags)
        case .closed: return .connectionLost
        }
    }

    /// A cancellation is to be sent: an ordinary unary call, whose answer nobody waits for. Returns its id, or `nil`
    /// where it can't be sent.
    public mutating func cancellationStarted() -> UInt32? {
        switch state {
        case .open(let next, let streams):
            guard let streamID = next else { return nil }
            state = .open(nextStreamID: ClientConnectionStateMachine.after(streamID), streams: streams)
            return streamID
        case .closed: return nil
        }
    }

    private static func after(_ streamID: UInt32) -> UInt32? {
        let (next, isUsedUp) = streamID.addingReportingOverflow(2)
        return isUsedUp ? nil : next
    }

    // MARK: Frames

    /// The meaning of a frame for the stream that it names.
    public enum FrameAction: Hashable, Sendable {
        /// The unary call has succeeded with this payload.
        case succeed([UInt8])
        /// One message of a server stream.
        case deliver([UInt8])
        /// The last message of a server stream.
        case deliverLast([UInt8])
        /// The server stream is at its end.
        case finish
        /// The server has ended the call or stream with this status.
        case fail(Status)
        /// A message was too large for us; the stream has ended here, and must be cancelled at the server.
        case abandon(Status)
        /// The server broke the protocol; the stream has ended here, and must be cancelled at the server.
        case violate(String)
        /// Late and harmless.
        case drop
    }

    /// A whole frame has come; `data` is what follows the header, and is not kept.
    public mutating func frameReceived(_ header: FrameHeader, _ data: UnsafeRawBufferPointer) -> FrameAction {
        guard let kind = kind(of: header.streamID) else { return .drop }
        switch header.type {
        case .response: return responseReceived(header.streamID, data, kind)
        case .data: return dataReceived(header, data, kind)
        case .request, .unknown: return .drop
        }
    }

    /// The header of a frame has come whose data is over the limit, and will be discarded.
    public mutating func frameTooLarge(_ header: FrameHeader) -> FrameAction {
        guard kind(of: header.streamID) != nil else { return .drop }
        let status = Status(
            .resourceExhausted,
            "a frame of \(header.length) bytes is over the limit of \(limits.maximumFrameBytes) bytes")
        switch header.type {
        case .response:
            remove(header.streamID)
            return .fail(status)
        case .data:
            remove(header.streamID)
            return .abandon(status)
        case .request, .unknown: return .drop
        }
    }

    private mutating func responseReceived(
        _ streamID: UInt32, _ data: UnsafeRawBufferPointer, _ kind: MethodKind
    ) -> FrameAction {
        remove(streamID)
        do {
            let response = try ResponseEnvelope(decoding: data)
            if let status = response.status { return .fail(status) }
            switch kind {
            case .unary: return .succeed(response.payload)
            case .serverStream: return .deliverLast(response.payload)
            }
        } catch {
            return .violate(error.description)
        }
    }

    private mutating func dataReceived(
        _ header: FrameHeader, _ data: UnsafeRawBufferPointer, _ kind: MethodKind
    ) -> FrameAction {
        switch kind {
        case .unary:
            remove(header.streamID)
            return .violate("data on the unary call \(header.streamID)")
        case .serverStream:
            let isLast = header.flags.contains(.remoteClosed)
            if isLast { remove(header.streamID) }
            switch (header.flags.contains(.noData), isLast) {
            case (true, true): return .finish
            case (true, false): return .drop
            case (false, true): return .deliverLast([UInt8](data))
            case (false, false): return .deliver([UInt8](data))
            }
        }
    }

    // MARK: Ends

    /// The caller no longer wants a stream. Returns whether the server should be told.
    public mutating func givenUp(_ streamID: UInt32) -> Bool {
        guard kind(of: streamID) != nil else { return false }
        remove(streamID)
        return true
    }

    /// The connection is gone, no matter which side closed it. Returns the streams that ended with it, in order of
    /// their ids.
    public mutating func connectionClosed() -> [UInt32] {
        switch state {
        case .open(_, let streams):
            state = .closed
            return streams.streamIDs
        case .closed: return []
        }
    }

    /// `nil` where the stream is not open.
    private func kind(of streamID: UInt32) -> MethodKind? {
        switch state {
        case .open(_, let streams): streams[streamID]
        case .closed: nil
        }
    }

    private mutating func remove(_ streamID: UInt32) {
        switch state {
        case .open(let next, var streams):
            state = .closed  // so that the table is changed in place
            _ = streams.remove(streamID)
            state = .open(nextStreamID: next, streams: streams)
        case .closed: break
        }
    }
}
