import ProtobufScan

/// The client's side of one connection: it hands out stream ids and says what each frame from the server means. The ids
/// are 1, 3, 5, … in the order of the requests. A stream is open from its request until the server ends it, the caller
/// gives it up, the server breaks the protocol or a limit on it, or the connection closes.
///
/// Dropped silently, because they are late or harmless: a frame on a stream that is not open (the caller may have given
/// it up meanwhile), a data frame that neither holds a message nor ends its stream, a request frame (the protocol
/// reserves request frames from a server), a frame of an unknown type, and every event after the connection has closed.
public struct ClientConnectionStateMachine: Sendable {
    private enum State: Sendable {
        /// Requests may be sent. `nextStreamID` is odd, and `nil` after the last id was used. Can go to `closed`.
        case open(nextStreamID: UInt32?, streams: StreamTable<MethodKind>)
        /// The connection is gone. This is the last state.
        case closed
    }

    private var state: State
    private let limits: ConnectionLimits

    public init(limits: ConnectionLimits) {
        self.init(limits: limits, firstStreamID: 1)
    }

    /// For tests: starts with an id other than 1. It must be odd.
    init(limits: ConnectionLimits, firstStreamID: UInt32) {
        precondition(firstStreamID % 2 == 1, "a client's stream ids are odd")
        state = .open(nextStreamID: firstStreamID, streams: StreamTable())
        self.limits = limits
    }

    public var openStreamCount: Int {
        switch state {
        case .open(_, let streams): streams.count
        case .closed: 0
        }
    }

    // MARK: Requests

    public enum StartAction: Hashable, Sendable {
        case send(streamID: UInt32, FrameFlags)
        /// Don't send the request: the call fails with this status.
        case refuse(Status)
        /// The connection is gone, or all its stream ids are used.
        case connectionLost
    }

    /// Starts a call whose request envelope has `byteCount` bytes.
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
            state = .closed  // so that the table is changed in place, not copied
            let wasFree = streams.insert(kind, for: streamID)
            precondition(wasFree, "stream \(streamID) was opened twice")
            state = .open(nextStreamID: ClientConnectionStateMachine.after(streamID), streams: streams)
            return .send(streamID: streamID, kind.requestFlags)
        case .closed: return .connectionLost
        }
    }

    /// Allots an id for the unary call that cancels another. `nil` if the connection is gone or all ids are used.
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

    public enum FrameAction: Hashable, Sendable {
        case succeed([UInt8])
        case deliver([UInt8])
        case deliverLast([UInt8])
        case finish
        case fail(Status)
        /// A message was over our limit. The stream has ended here; the server must be told to cancel it.
        case abandon(Status)
        /// The server broke the protocol. The stream has ended here; the server must be told to cancel it.
        case violate(String)
        case drop
    }

    /// A whole frame has arrived. `data` is what follows its header, and is valid only during the call.
    public mutating func frameReceived(_ header: FrameHeader, _ data: UnsafeRawBufferPointer) -> FrameAction {
        guard let kind = kind(of: header.streamID) else { return .drop }
        switch header.type {
        case .response: return responseReceived(header.streamID, data, kind)
        case .data: return dataReceived(header, data, kind)
        case .request, .unknown: return .drop
        }
    }

    /// A frame's header announced more data than the limit allows. The data will be discarded.
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

    /// The caller no longer wants this stream. Returns whether the server must be told.
    public mutating func givenUp(_ streamID: UInt32) -> Bool {
        guard kind(of: streamID) != nil else { return false }
        remove(streamID)
        return true
    }

    /// The connection was closed by either side. Returns the streams that end with it, in ascending order.
    public mutating func connectionClosed() -> [UInt32] {
        switch state {
        case .open(_, let streams):
            state = .closed
            return streams.streamIDs
        case .closed: return []
        }
    }

    /// `nil` if the stream is not open.
    private func kind(of streamID: UInt32) -> MethodKind? {
        switch state {
        case .open(_, let streams): streams[streamID]
        case .closed: nil
        }
    }

    private mutating func remove(_ streamID: UInt32) {
        switch state {
        case .open(let next, var streams):
            state = .closed  // so that the table is changed in place, not copied
            _ = streams.remove(streamID)
            state = .open(nextStreamID: next, streams: streams)
        case .closed: break
        }
    }
}
