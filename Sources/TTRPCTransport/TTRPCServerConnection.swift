import NIOCore
public import TTRPC

/// One peer of a server.
///
/// Everything but `id` and `credentials` is confined to the server's event loop, which debug builds assert; that is why
/// it can be `Sendable` unchecked, and be kept by a service whose executor is that event loop.
public final class TTRPCServerConnection: @unchecked Sendable {
    private enum Phase {
        /// Requests are served. Goes to `refused`, `closing`, `closed`.
        case open
        /// The service did not want this peer; its first request will be answered with the status. Goes to `closing`
        /// with that, or a second later.
        case refused(Status)
        /// No frame is looked at; the connection closes when the kernel has taken what is queued. Goes to `closed`.
        case closing
        /// Gone. Goes nowhere.
        case closed

        /// Whether frames are looked at.
        var isServing: Bool {
            switch self {
            case .open, .refused: true
            case .closing, .closed: false
            }
        }
    }

    /// Counts from 1 per server.
    public let id: UInt64
    public let credentials: PeerCredentials
    /// Why the connection closes or has closed; `nil` while it is open.
    public private(set) var closeReason: CloseReason?

    private let server: ServerCore
    private let eventLoop: any EventLoop
    /// `nil` before the connection is open and after it is closed.
    private var context: ChannelHandlerContext?
    private var phase = Phase.open
    private var isRefused = false
    private var machine: ServerConnectionStateMachine
    private var assembler: FrameAssembler
    private let sendQueue: SendQueue
    /// Whole frames wait until the peer has taken the answers to those before them; meanwhile nothing is read.
    private var hasUnhandledFrames = false
    /// Frames are being handled: what is written is flushed at the end of the read.
    private var isReading = false
    /// On the server's list of connections to flush at the end of this tick of the loop.
    private var isAwaitingFlush = false
    /// Deadlines of calls that came with this read: scheduled at its end, for those not yet answered.
    private var newTimeouts: [UInt32: Duration] = [:]
    private var deadlines: [UInt32: Scheduled<Void>] = [:]
    private var closeDeadline: Scheduled<Void>?

    init(id: UInt64, credentials: PeerCredentials, server: ServerCore) {
        self.id = id
        self.credentials = credentials
        self.server = server
        eventLoop = server.eventLoop
        machine = ServerConnectionStateMachine(limits: server.limits)
        assembler = FrameAssembler(maximumFrameBytes: machine.maximumRequestBytes)
        sendQueue = SendQueue(limits: server.limits)
    }

    /// Data of one request frame of this peer, in bytes. At first what the server's limits say; a service that knows the
    /// peer may allow more, or less.
    public var maximumRequestBytes: Int {
        get {
            eventLoop.assertInEventLoop()
            return machine.maximumRequestBytes
        }
        set {
            eventLoop.assertInEventLoop()
            machine.maximumRequestBytes = min(newValue, server.limits.maximumFrameBytes)
            assembler.maximumFrameBytes = machine.maximumRequestBytes
        }
    }

    // MARK: Answers

    /// A unary call has succeeded. Where the response is too large, the call fails with `RESOURCE_EXHAUSTED` instead.
    public func respond(_ streamID: UInt32, payload: [UInt8]) {
        eventLoop.assertInEventLoop()
        let byteCount = ResponseEnvelope.byteCount(ofSuccess: payload)
        switch machine.responded(streamID, byteCount: byteCount) {
        case .send:
            forgetDeadline(of: streamID)
            sendQueue.frames.writeFrame(.response, streamID: streamID, byteCount: byteCount) {
                ResponseEnvelope.encodeSuccess(payload, into: $0)
            }
            queued()
        case .replace(let status):
            forgetDeadline(of: streamID)
            writeStatus(status, on: streamID)
        case .drop: break
        }
    }

    /// A call or stream has failed.
    public func fail(_ streamID: UInt32, _ status: Status) {
        eventLoop.assertInEventLoop()
        guard machine.failed(streamID) else { return }
        forgetDeadline(of: streamID)
        writeStatus(status, on: streamID)
    }

    /// One message on a server stream.
    public func send(_ streamID: UInt32, message: [UInt8]) {
        eventLoop.assertInEventLoop()
        guard mayQueueMessage(streamID, byteCount: message.count) else { return }
        sendQueue.frames.writeFrame(.data, streamID: streamID, data: message)
        queued()
    }

    /// One message on a server stream, encoded once for many connections.
    public func send(_ streamID: UInt32, shared message: SharedMessage) {
        eventLoop.assertInEventLoop()
        guard mayQueueMessage(streamID, byteCount: message.byteCount), let context else { return }
        sendQueue.append(message.frame(for: streamID), context)
        queued()
    }

    /// A server stream is at its end.
    public func finish(_ streamID: UInt32) {
        eventLoop.assertInEventLoop()
        guard machine.finished(streamID) else { return }
        forgetDeadline(of: streamID)
        sendQueue.frames.writeFrame(.data, .endOfData, streamID: streamID, data: [])
        queued()
    }

    /// Whether a call or stream still waits for something from the service.
    public func isOpen(_ streamID: UInt32) -> Bool {
        eventLoop.assertInEventLoop()
        return machine.isOpen(streamID)
    }

    /// Past the high-water mark: conflate instead of sending, until `connectionDrained`.
    public var isBacklogged: Bool {
        eventLoop.assertInEventLoop()
        guard let context else { return false }
        return sendQueue.noteBacklog(context)
    }

    /// Reads nothing more, has what is queued taken by the kernel for as long as the write deadline allows, and closes.
    public func close() {
        eventLoop.assertInEventLoop()
        closeAfterFlush(.closedHere)
    }

    private func mayQueueMessage(_ streamID: UInt32, byteCount: Int) -> Bool {
        switch machine.messageSent(streamID, byteCount: byteCount) {
        case .send: return true
        case .replace(let status):
            end(streamID, status)
            return false
        case .drop: return false
        }
    }

    private func writeStatus(_ status: Status, on streamID: UInt32) {
        var envelope = ResponseEnvelope(status: status).encoded()
        if envelope.count > server.limits.maximumFrameBytes {
            envelope = ResponseEnvelope(status: Status(status.code, "the status was too large to send")).encoded()
        }
        sendQueue.frames.writeFrame(.response, streamID: streamID, data: envelope)
        queued()
    }

    /// Ends a stream by an answer that is not the service's, and tells the service.
    private func end(_ streamID: UInt32, _ status: Status) {
        forgetDeadline(of: streamID)
        writeStatus(status, on: streamID)
        server.service.streamEnded(streamID, on: self)
    }

    // MARK: Frames

    func bytesReceived(_ bytes: ByteBuffer) {
        guard phase.isServing else { return assembler.settle(after: bytes) }
        isReading = true
        assembler.append(bytes)
        handleFrames()
        assembler.settle(after: bytes)
    }

    /// Handles whole frames, for as long as their answers don't pile up: a peer may ask much faster than it reads.
    private func handleFrames() {
        guard let context else { return }
        hasUnhandledFrames = false
        while let found = assembler.next() {
            handle(found)
            guard phase.isServing else { return }
            if sendQueue.noteBacklog(context) {
                hasUnhandledFrames = true
                return
            }
        }
    }

    /// The kernel has taken the answers so far. In a tick of its own, so that others get their turn.
    private func handleFramesLater() {
        eventLoop.execute { [self] in
            guard let context, case .open = phase, hasUnhandledFrames else { return }
            isReading = true
            handleFrames()
            assembler.settle(after: ByteBuffer())
            readCompleted()
            if !hasUnhandledFrames { context.read() }
        }
    }

    private func handle(_ found: FrameAssembler.Found) {
        let header: FrameHeader
        let action: ServerConnectionStateMachine.FrameAction
        switch found {
        case .frame(let frameHeader, let data):
            header = frameHeader
            action = data.withUnsafeReadableBytes { machine.frameReceived(frameHeader, $0) }
        case .tooLarge(let frameHeader):
            header = frameHeader
            action = machine.frameTooLarge(frameHeader)
        }
        if case .refused(let status) = phase {
            if header.type == .request {
                writeStatus(status, on: header.streamID)
                closeAfterFlush(.closedHere)
            }
            return
        }
        switch action {
        case .route(let request): route(request, on: header.streamID)
        case .refuse(let status): writeStatus(status, on: header.streamID)
        case .end(let status): end(header.streamID, status)
        case .drop: break
        }
    }

    private func route(_ request: RequestEnvelope, on streamID: UInt32) {
        let kind = server.service.methodKind(service: request.service, method: request.method)
        switch machine.requestRouted(streamID, request, to: kind) {
        case .deliver:
            guard let kind else { preconditionFailure("a request without a method was delivered") }
            if let timeout = request.timeout { newTimeouts[streamID] = timeout }
            let incoming = IncomingRequest(
                streamID: streamID, service: request.service, method: request.method, kind: kind,
                payload: request.payload, timeout: request.timeout, metadata: request.metadata)
            server.service.requestReceived(incoming, on: self)
        case .refuse(let status): writeStatus(status, on: streamID)
        case .drop: break
        }
    }

    func readCompleted() {
        isReading = false
        if !newTimeouts.isEmpty {
            for (streamID, timeout) in newTimeouts { schedule(timeout, for: streamID) }
            newTimeouts = [:]
        }
        flush()
    }

    // MARK: Deadlines of calls

    private func schedule(_ timeout: Duration, for streamID: UInt32) {
        // Nobody waits for longer than a year; and what is added to now must not overflow.
        guard timeout < .seconds(365 * 86400) else { return }
        deadlines[streamID] = eventLoop.scheduleTask(in: TimeAmount(timeout)) { self.deadlinePassed(streamID) }
    }

    private func deadlinePassed(_ streamID: UInt32) {
        deadlines[streamID] = nil
        guard let status = machine.deadlinePassed(streamID) else { return }
        end(streamID, status)
    }

    private func forgetDeadline(of streamID: UInt32) {
        if !newTimeouts.isEmpty { newTimeouts[streamID] = nil }
        if !deadlines.isEmpty { deadlines.removeValue(forKey: streamID)?.cancel() }
    }

    // MARK: Sending

    private func queued() {
        guard let context else { return }
        if sendQueue.isOverLimit(context) {
            // Not from within the call that queues: whoever made it may be in the middle of telling many peers.
            eventLoop.execute { self.close(.queueLimit) }
        } else {
            flushSoon()
        }
    }

    /// Once for all that is written within a read, or else within a tick of the loop.
    private func flushSoon() {
        guard !isReading, !isAwaitingFlush else { return }
        isAwaitingFlush = true
        server.flushLater(self)
    }

    func flush() {
        isAwaitingFlush = false
        guard let context else { return }
        sendQueue.flush(context)
        settleQueue()
    }

    /// The kernel has taken everything, or the channel was given something.
    func writabilityChanged() {
        guard let context, context.channel.isWritable, !sendQueue.isFlushing else { return }
        settleQueue()
    }

    /// Looks at what a flush, or the kernel, has left in the queue. A flush may have closed the connection.
    private func settleQueue() {
        guard let context else { return }
        switch sendQueue.settle(context) {
        case .empty(let owesDrained, let owesRead):
            if case .closing = phase { return context.close(promise: nil) }
            if hasUnhandledFrames { handleFramesLater() } else if owesRead { context.read() }
            if owesDrained, !isRefused { server.service.connectionDrained(self) }
        case .waiting(let watch):
            if let watch { watchProgress(watch) }
        }
    }

    private func watchProgress(_ watch: SendQueue.ProgressWatch) {
        sendQueue.progressTask = eventLoop.scheduleTask(in: TimeAmount(server.writeDeadline)) {
            guard let context = self.context else { return }
            switch self.sendQueue.progressDue(watch, context) {
            case .done: break
            case .watchOn(let next): self.watchProgress(next)
            case .stuck: self.close(.writeDeadline)
            }
        }
    }

    // MARK: Life

    func opened(_ context: ChannelHandlerContext) {
        self.context = context
        server.add(self)
        guard let status = server.service.connectionOpened(self) else { return }
        isRefused = true
        guard server.refusalBegan() else { return close(.closedHere) }
        // A server that closes has closed it already.
        guard case .open = phase else { return }
        phase = .refused(status)
        closeDeadline = eventLoop.scheduleTask(in: .seconds(1)) { self.close(.closedHere) }
    }

    /// Whether the channel may read on. Where it may not, `settleQueue` reads when the peer has taken its answers.
    func mayRead() -> Bool {
        phase.isServing && !hasUnhandledFrames && sendQueue.mayRead()
    }

    private func closeAfterFlush(_ reason: CloseReason) {
        guard phase.isServing else { return }
        phase = .closing
        closeReason = closeReason ?? reason
        closeDeadline?.cancel()
        closeDeadline = eventLoop.scheduleTask(in: TimeAmount(server.closingDeadline)) { self.close(.writeDeadline) }
        flushSoon()
    }

    private func close(_ reason: CloseReason) {
        guard let context else { return }
        phase = .closing
        closeReason = closeReason ?? reason
        context.close(promise: nil)
    }

    func failed(_ error: any Error) {
        close(CloseReason(error))
    }

    func becameInactive() {
        guard context != nil else { return }
        context = nil
        phase = .closed
        closeReason = closeReason ?? (assembler.isWithinFrame ? .truncatedFrame : .peerLeft)
        assembler.discard()
        closeDeadline?.cancel()
        sendQueue.progressTask?.cancel()
        for deadline in deadlines.values { deadline.cancel() }
        deadlines = [:]
        newTimeouts = [:]
        let endedStreams = machine.connectionClosed()
        if isRefused {
            server.refusalEnded()
        } else {
            for streamID in endedStreams { server.service.streamEnded(streamID, on: self) }
            server.service.connectionClosed(self)
        }
        server.remove(self)
    }
}
