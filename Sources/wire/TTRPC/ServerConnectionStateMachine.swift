import ProtobufScan

/// The server's side of one connection: which streams are open, what a frame means, and which answers may be sent. A
/// stream is not open, open for a unary call, or open as a server stream. The peer may open any odd id that is not in
/// use, in any order, even one that it used before. A stream ends exactly once: with the service's answer, with an
/// error found here, at its deadline, or with the connection. Three kinds of mistakes:
/// - Our own service's, such as a message on a unary call: a trap.
/// - The peer's: the stream is answered with a status, and the connection stays open.
/// - Late or harmless, dropped silently: an end of data without a message on any stream, since no method takes data
///   from the client; a response frame; a frame of an unknown type; an answer to a stream that has already ended; every
///   event after the connection has closed.
public struct ServerConnectionStateMachine: Sendable {
    private enum Stream: Hashable, Sendable {
        /// The service owes one response.
        case unary
        /// The service may send messages. The stream ends with an end of data, or with a response that holds a status.
        case serverStream
    }

    private enum State: Sendable {
        /// Frames are handled. Can go to `closed`.
        case open(streams: StreamTable<Stream>)
        /// The connection is gone. This is the last state.
        case closed
    }

    private var state = State.open(streams: StreamTable())
    private let limits: ConnectionLimits
    /// The peer's limit for the data of a request frame, in bytes. The frame decoder enforces it; see `frameTooLarge`.
    public var maximumRequestBytes: Int

    public init(limits: ConnectionLimits) {
        self.limits = limits
        maximumRequestBytes = min(limits.maximumRequestBytes, limits.maximumFrameBytes)
    }

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

    public enum FrameAction: Hashable, Sendable {
        /// A request that may be opened. Look up its method and call `requestRouted` before any other function.
        case route(RequestEnvelope)
        /// The stream is open: give the known request to the service.
        case deliver
        /// Send a response with this status. The service knows nothing of the stream.
        case refuse(Status)
        /// Send a response with this status, and tell the service that the stream has ended.
        case end(Status)
        case drop
    }

    /// A whole frame has arrived. `data` is what follows its header, and is valid only during the call.
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

    /// A request has the same bytes as an earlier one, whose method had this kind. It is not decoded again.
    public mutating func knownRequestReceived(_ streamID: UInt32, to kind: MethodKind) -> FrameAction {
        switch state {
        case .open(let streams):
            if let action = refusal(toOpen: streamID, streams) { return action }
            open(streamID, kind)
            return .deliver
        case .closed: return .drop
        }
    }

    /// A frame's header announced more data than the limit allows. The data will be discarded.
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

    /// The reason why the peer may not open this stream; `nil` if it may.
    private mutating func refusal(toOpen streamID: UInt32, _ streams: StreamTable<Stream>) -> FrameAction? {
        guard streamID % 2 == 1 else {
            return .refuse(Status(.invalidArgument, "stream id \(streamID) is even; a client's are odd"))
        }
        guard streams[streamID] == nil else {
            // Two answers with one id could not be told apart, so the earlier call ends too.
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

    public enum RoutedAction: Hashable, Sendable {
        case deliver
        case refuse(Status)
        case drop
    }

    /// The method of the last `.route` was looked up. `kind` is `nil` if there is no such method.
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
            state = .closed  // so that the table is changed in place, not copied
            let wasFree = streams.insert(kind == .unary ? .unary : .serverStream, for: streamID)
            precondition(wasFree, "stream \(streamID) was opened twice")
            state = .open(streams: streams)
        case .closed: preconditionFailure("a stream of a connection that is gone")
        }
    }

    // MARK: Answers

    public enum AnswerAction: Hashable, Sendable {
        case send
        /// The answer is over the limit: send a response with this status instead. The stream has ended.
        case replace(Status)
        case drop
    }

    /// The service answers a unary call. The response envelope has `byteCount` bytes.
    public mutating func responded(_ streamID: UInt32, byteCount: Int) -> AnswerAction {
        switch remove(streamID) {
        case nil: return .drop
        case .unary: return byteCount <= limits.maximumFrameBytes ? .send : .replace(tooLarge(byteCount))
        case .serverStream:
            preconditionFailure("a server stream ends with `finish`: clients read a response as one more message")
        }
    }

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

    /// The service ends a call or stream with an error. Returns whether to send it.
    public mutating func failed(_ streamID: UInt32) -> Bool {
        remove(streamID) != nil
    }

    /// The service ends a server stream. Returns whether to send the end of data.
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

    /// A stream's timeout has passed. Returns the status to answer with before the service is told; `nil` if the stream
    /// has ended already.
    public mutating func deadlinePassed(_ streamID: UInt32) -> Status? {
        guard remove(streamID) != nil else { return nil }
        return Status(.deadlineExceeded, "the call's own deadline has passed")
    }

    /// The connection was closed by either side. Returns the streams that end with it, in ascending order.
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
            state = .closed  // so that the table is changed in place, not copied
            let stream = streams.remove(streamID)
            state = .open(streams: streams)
            return stream
        case .closed: return nil
        }
    }
}

extension String {
    /// A peer's text, fit for a terminal: at most 100 characters, without control or direction characters.
    fileprivate var shownInMessage: String {
        let shown = unicodeScalars.prefix(100).map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.isBidiControl ? "\u{FFFD}" : scalar
        }
        return String(String.UnicodeScalarView(shown)) + (unicodeScalars.count > 100 ? "…" : "")
    }
}
