import ProtobufScan

/// A server's side of one connection: which streams are open, what a frame means, and what an answer may do.
///
/// Every stream is in one of three conditions: not open (never opened, or ended: the two are not told apart, since any
/// odd id not in use may be opened, in any order), open for a unary call, open as a server stream. A stream ends
/// exactly once: by the service's answer, by an error that the machine finds, by its deadline, or with the connection.
///
/// Three kinds of wrong:
/// - *The service's mistake*, such as a message on a unary call: trapped, since it is a bug of ours.
/// - *The peer's mistake*: the stream it was made on is answered with a status, and the connection lives.
/// - *Late and harmless*, dropped without a word: a bare end of data (no message in it) on any stream, open or not,
///   since no method of ours takes data from the client; a response frame from a client; a frame of an unknown type, of
///   whatever size; the service's answer to a stream that has ended meanwhile; any event after the connection's end.
public struct ServerConnectionStateMachine: Sendable {
    private enum Stream: Hashable, Sendable {
        /// A call waits for its response. Ends with one response frame.
        case unary
        /// Messages may follow. Ends with an end of data, or with a response frame that holds a status.
        case serverStream
    }

    private enum State: Sendable {
        /// Frames come and answers go. Goes to `closed`.
        case open(streams: StreamTable<Stream>)
        /// The connection is gone. Goes nowhere.
        case closed
    }

    private var state = State.open(streams: StreamTable())
    private let limits: ConnectionLimits
    /// Data of one request frame of this peer, in bytes. At first what the limits say.
    public var maximumRequestBytes: Int

    public init(limits: ConnectionLimits) {
        self.limits = limits
        maximumRequestBytes = min(limits.maximumRequestBytes, limits.maximumFrameBytes)
    }

    /// Calls and streams that are open.
    public var openStreamCount: Int {
        switch state {
        case .open(let streams): streams.count
        case .closed: 0
        }
    }

    public func isOpen(_ streamID: UInt32) -> Bool {
        switch state {
        case .open(let streams): streams[streamID] != nil
        case .closed: false
        }
    }

    // MARK: Frames

    /// The next step for a frame.
    public enum FrameAction: Hashable, Sendable {
        /// A request, not yet open: look up its method, then say `requestRouted`, before any other event.
        case route(RequestEnvelope)
        /// A request that is known already; the stream is open, and the service takes it from here.
        case deliver
        /// Answer with a response that holds this status. The service has never heard of the stream.
        case refuse(Status)
        /// Answer with a response that holds this status, and tell the service that the stream has ended.
        case end(Status)
        /// Late and harmless.
        case drop
    }

    /// A whole frame has come; `data` is what follows the header, and is not kept.
    public mutating func frameReceived(_ header: FrameHeader, _ data: UnsafeRawBufferPointer) -> FrameAction {
        switch state {
        case .open(let streams):
            switch header.type {
            case .request: return requestReceived(header.streamID, data, streams)
            case .data: return dataReceived(header, streams)
            case .response, .unknown: return .drop
            }
        case .closed: return .drop
        }
    }

    /// A request has come whose bytes are those of an earlier one of this connection, to a method of this kind. That one was read and its
    /// method found.
    public mutating func knownRequestReceived(_ streamID: UInt32, to kind: MethodKind) -> FrameAction {
        switch state {
        case .open(let streams):
            if let action = refusal(toOpen: streamID, streams) { return action }
            open(streamID, kind)
            return .deliver
        case .closed: return .drop
        }
    }

    /// The header of a frame has come whose data is over the limit, and will be discarded.
    public mutating func frameTooLarge(_ header: FrameHeader) -> FrameAction {
        switch state {
        case .open(let streams):
            switch header.type {
            case .request, .data:
                let status = Status(
                    .resourceExhausted,
                    "a frame of \(header.length) bytes is over the limit of \(maximumRequestBytes) bytes")
                return endOrRefuse(header.streamID, status, isOpen: streams[header.streamID] != nil)
            case .response, .unknown: return .drop
            }
        case .closed: return .drop
        }
    }

    private mutating func requestReceived(
        _ streamID: UInt32, _ data: UnsafeRawBufferPointer, _ streams: StreamTable<Stream>
    ) -> FrameAction {
        if let action = refusal(toOpen: streamID, streams) { return action }
        do {
            let request = try RequestEnvelope(decoding: data)
            if let timeout = request.timeout, timeout <= .zero {
                return .refuse(Status(.deadlineExceeded, "the deadline had passed before the request came"))
            }
            return .route(request)
        } catch {
            return .refuse(Status(.invalidArgument, error.description))
        }
    }

    /// `nil`: the peer may open it.
    private mutating func refusal(toOpen streamID: UInt32, _ streams: StreamTable<Stream>) -> FrameAction? {
        guard streamID % 2 == 1 else {
            return .refuse(Status(.invalidArgument, "stream id \(streamID) is even; a client's are odd"))
        }
        guard streams[streamID] == nil else {
            // Two answers on one id could not be told apart, so both calls end with this one.
            return endOrRefuse(
                streamID, Status(.invalidArgument, "stream id \(streamID) is in use; both calls have ended"),
                isOpen: true)
        }
        guard streams.count < limits.maximumStreams else {
            return .refuse(
                Status(.resourceExhausted, "\(limits.maximumStreams) calls and streams are open on this connection"))
        }
        return nil
    }

    private mutating func dataReceived(_ header: FrameHeader, _ streams: StreamTable<Stream>) -> FrameAction {
        guard !header.flags.contains(.endOfData) || header.length > 0 else { return .drop }
        switch streams[header.streamID] {
        case nil:
            return .refuse(Status(.invalidArgument, "stream \(header.streamID) is not open"))
        case .unary:
            return endOrRefuse(
                header.streamID, Status(.invalidArgument, "data on the unary call \(header.streamID)"), isOpen: true)
        case .serverStream:
            return endOrRefuse(
                header.streamID,
                Status(.invalidArgument, "data from the client on the server's stream \(header.streamID)"),
                isOpen: true)
        }
    }

    private mutating func endOrRefuse(_ streamID: UInt32, _ status: Status, isOpen: Bool) -> FrameAction {
        guard isOpen else { return .refuse(status) }
        _ = remove(streamID)
        return .end(status)
    }

    // MARK: Routing

    /// The next step for a request whose method has been looked up.
    public enum RoutedAction: Hashable, Sendable {
        /// The stream is open; the service takes it from here.
        case deliver
        /// Answer with a response that holds this status. The service has never heard of the stream.
        case refuse(Status)
        /// The connection is gone.
        case drop
    }

    /// The request of the last `.route` has been looked up; `kind` is `nil` where there is no such method.
    public mutating func requestRouted(
        _ streamID: UInt32, _ request: RequestEnvelope, to kind: MethodKind?
    ) -> RoutedAction {
        switch state {
        case .open:
            guard let kind else {
                let name = "\(request.service)/\(request.method)".shownInMessage
                return .refuse(Status(.unimplemented, "There is no method \(name)."))
            }
            open(streamID, kind)
            return .deliver
        case .closed: return .drop
        }
    }

    private mutating func open(_ streamID: UInt32, _ kind: MethodKind) {
        switch state {
        case .open(var streams):
            state = .closed  // so that the table is changed in place
            let wasFree = streams.insert(kind == .unary ? .unary : .serverStream, for: streamID)
            precondition(wasFree, "stream \(streamID) was opened twice")
            state = .open(streams: streams)
        case .closed: preconditionFailure("a stream of a connection that is gone")
        }
    }

    // MARK: Answers

    /// The next step for an answer of the service.
    public enum AnswerAction: Hashable, Sendable {
        /// Send it.
        case send
        /// It is too large. Send a response with this status in its place; the stream has ended.
        case replace(Status)
        /// The stream has ended meanwhile.
        case drop
    }

    /// The service answers a unary call with success; the response envelope takes `byteCount` bytes.
    public mutating func responded(_ streamID: UInt32, byteCount: Int) -> AnswerAction {
        switch remove(streamID) {
        case nil: return .drop
        case .unary: return byteCount <= limits.maximumFrameBytes ? .send : .replace(tooLarge(byteCount))
        case .serverStream:
            preconditionFailure("a server stream ends with `finish`: clients read a response as one more message")
        }
    }

    /// The service sends one message of `byteCount` bytes on a server stream.
    public mutating func messageSent(_ streamID: UInt32, byteCount: Int) -> AnswerAction {
        switch state {
        case .open(let streams):
            switch streams[streamID] {
            case nil: return .drop
            case .unary: preconditionFailure("a message on the unary call \(streamID)")
            case .serverStream:
                guard byteCount > limits.maximumFrameBytes else { return .send }
                _ = remove(streamID)
                return .replace(tooLarge(byteCount))
            }
        case .closed: return .drop
        }
    }

    /// The service ends a call or a stream with a status. Returns whether to send it.
    public mutating func failed(_ streamID: UInt32) -> Bool {
        remove(streamID) != nil
    }

    /// The service has no more messages for a server stream. Returns whether to send the end of data.
    public mutating func finished(_ streamID: UInt32) -> Bool {
        switch remove(streamID) {
        case nil: return false
        case .unary: preconditionFailure("the unary call \(streamID) was finished without a response")
        case .serverStream: return true
        }
    }

    private func tooLarge(_ byteCount: Int) -> Status {
        Status(
            .resourceExhausted,
            "the answer takes \(byteCount) bytes, over the limit of \(limits.maximumFrameBytes) bytes")
    }

    // MARK: Ends

    /// `timeout_nano` of a stream has passed. Returns the status to answer with, before the service is told;
    /// `nil` where the stream has ended before.
    public mutating func deadlinePassed(_ streamID: UInt32) -> Status? {
        guard remove(streamID) != nil else { return nil }
        return Status(.deadlineExceeded, "the call's own deadline has passed")
    }

    /// The connection is gone, no matter which side closed it. Returns the streams that ended with it, in order of
    /// their ids.
    public mutating func connectionClosed() -> [UInt32] {
        switch state {
        case .open(let streams):
            state = .closed
            return streams.streamIDs
        case .closed: return []
        }
    }

    private mutating func remove(_ streamID: UInt32) -> Stream? {
        switch state {
        case .open(var streams):
            state = .closed  // so that the table is changed in place
            let stream = streams.remove(streamID)
            state = .open(streams: streams)
            return stream
        case .closed: return nil
        }
    }
}

extension String {
    /// The text that a peer has sent, fit for a message that a person reads on a terminal: short, and without control
    /// characters.
    fileprivate var shownInMessage: String {
        let shown = unicodeScalars.prefix(100).map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.isBidiControl ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(shown)) + (unicodeScalars.count > 100 ? "…" : "")
    }
}
