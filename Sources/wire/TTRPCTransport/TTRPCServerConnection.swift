import CPrefetch
import NIOCore
public import TTRPC

/// A server's connection to one peer. Everything but `id` and `credentials` is used only on the server's event loop,
/// which debug builds assert. So it is `Sendable` unchecked, and a service on that loop can store it.
public final class TTRPCServerConnection: @unchecked Sendable {
    // These fields come first so that a message to a watcher needs a single access to memory.
    private(set) var sendQueue: SendQueue
    private let socket: PeerSocket
    /// Whether a flush follows anyway: after the current read, or at the end of `together`.
    private var isGathering = false
    /// Whether it is on the server's list of connections to flush at the end of this tick.
    private var isAwaitingFlush = false
    /// Whether frames may wait for earlier answers to be taken, or for the user's turn. Nothing is read meanwhile.
    private var hasUnhandledFrames = false
    let turn: ConnectionTurn
    private var isRefused = false
    private var machine: ServerConnectionStateMachine
    private var known: KnownRequest?

    /// Counts from 1 on each server.
    public let id: UInt64
    public let credentials: PeerCredentials
    public let account: BillingAccount
    /// An object that the service may attach.
    public var companion: AnyObject?
    /// Why the connection is closing or has closed; `nil` while it is open.
    public private(set) var closeReason: CloseReason?

    private let server: ServerCore
    private let eventLoop: any EventLoop
    private var phase = ServerConnectionPhase.open
    private var assembler: FrameAssembler
    private var deadlines = CallDeadlines()
    private var closeDeadline: Scheduled<Void>?
    /// Checks, one write deadline after the kernel had no room, whether it has taken anything since.
    private var progressWatch: Scheduled<Void>?

    init(id: UInt64, credentials: PeerCredentials, account: BillingAccount, socket: PeerSocket, server: ServerCore) {
        (self.id, self.credentials, self.account) = (id, credentials, account)
        self.server = server
        eventLoop = server.eventLoop
        machine = ServerConnectionStateMachine(limits: server.limits)
        assembler = FrameAssembler(maximumFrameBytes: machine.maximumRequestBytes)
        self.socket = socket
        sendQueue = SendQueue(to: socket, limits: server.limits)
        turn = ConnectionTurn(of: server.turns.joined(account))
    }

    /// The most data in a request frame of this peer, in bytes. At first the server's limit; a service may change it.
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

    /// Answers a unary call. If the response is over the limit, the call fails with `RESOURCE_EXHAUSTED` instead.
    public func respond(_ streamID: UInt32, payload: [UInt8]) {
        eventLoop.assertInEventLoop()
        let byteCount = ResponseEnvelope.byteCount(ofSuccess: payload)
        switch machine.responded(streamID, byteCount: byteCount) {
        case .send:
            deadlines.forget(streamID)
            let fits = sendQueue.append {
                $0.writeFrame(.response, streamID: streamID, byteCount: byteCount) {
                    ResponseEnvelope.encodeSuccess(payload, into: $0)
                }
            }
            queued(fits)
        case .replace(let status):
            deadlines.forget(streamID)
            writeStatus(status, on: streamID)
        case .drop: break
        }
    }

    public func fail(_ streamID: UInt32, _ status: Status) {
        eventLoop.assertInEventLoop()
        guard machine.failed(streamID) else { return }
        deadlines.forget(streamID)
        writeStatus(status, on: streamID)
    }

    public func send(_ streamID: UInt32, message: [UInt8]) {
        eventLoop.assertInEventLoop()
        guard mayQueueMessage(streamID, byteCount: message.count) else { return }
        queued(sendQueue.append { $0.writeFrame(.data, streamID: streamID, data: message) })
    }

    public func send(_ streamID: UInt32, shared message: SharedMessage) {
        eventLoop.assertInEventLoop()
        guard mayQueueMessage(streamID, byteCount: message.byteCount) else { return }
        queued(sendQueue.append(shared: message.frame(for: streamID)))
    }

    /// Sends a small message right away, much cheaper than `send`, and without calling the service back. Returns false
    /// and does nothing if frames are queued or gathered, the kernel has no room, or the message is large. The stream
    /// must be open, which only debug builds check: a service knows it, because it is told of every end.
    public func sendAtOnce(_ streamID: UInt32, shared message: SharedMessage) -> Bool {
        eventLoop.assertInEventLoop()
        guard !isGathering, message.isSmall else { return false }
        let outcome = sendQueue.sendAtOnce(message.frame(for: streamID))
        if outcome == .notSent { return false }
        assert(machine.isOpen(streamID), "stream \(streamID) is not open")
        if outcome == .sentPart { flushSoon() }
        return true
    }

    /// Starts loading what `sendAtOnce` needs into the processor's cache.
    public func prefetchForSending() {
        prefetch(UnsafeRawPointer(Unmanaged.passUnretained(socket).toOpaque()))
    }

    /// Sends everything that `body` queues on this connection in one system call, as far as the kernel takes it. The
    /// service is not called back, so this may be used while it tells many peers.
    public func together(_ body: () -> Void) {
        eventLoop.assertInEventLoop()
        guard !isGathering, !isAwaitingFlush else { return body() }
        isGathering = true
        body()
        isGathering = false
        sendQueue.flush()
        if !sendQueue.isSettled { flushSoon() }
    }

    public func finish(_ streamID: UInt32) {
        eventLoop.assertInEventLoop()
        guard machine.finished(streamID) else { return }
        deadlines.forget(streamID)
        queued(sendQueue.append { $0.writeFrame(.data, .endOfData, streamID: streamID, data: []) })
    }

    /// Whether the service still owes this call or stream an answer or messages.
    public func isOpen(_ streamID: UInt32) -> Bool {
        eventLoop.assertInEventLoop()
        return machine.isOpen(streamID)
    }

    /// Whether more than `backlogBytes` are queued. If so, send only the newest state, until `connectionDrained`.
    public var isBacklogged: Bool {
        eventLoop.assertInEventLoop()
        return sendQueue.noteBacklog()
    }

    /// Stops reading, and closes when the kernel has taken what is queued, at the latest after the closing deadline.
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
        queued(sendQueue.append { $0.writeFrame(.response, streamID: streamID, data: envelope) })
    }

    /// Ends a call or stream with an error that is not the service's, and tells the service.
    private func end(_ streamID: UInt32, _ status: Status) {
        deadlines.forget(streamID)
        writeStatus(status, on: streamID)
        server.service.streamEnded(streamID, on: self)
    }

    // MARK: Frames

    /// Handles bytes that `mayRead` allowed to read, and does not keep a reference to them. Then call `readCompleted`.
    func bytesReceived(_ bytes: UnsafeRawBufferPointer) {
        isGathering = true
        let mayGoOn = turn.mayGoOn(self)
        assembler.append(bytes)
        if mayGoOn { handleFrames() } else { hasUnhandledFrames = true }
        assembler.settle()
    }

    /// How many frames are handled before their answers are sent. A peer that sends many at once gets the first answers
    /// while the rest is handled, so that neither side goes to sleep and has to be woken.
    private static let framesPerFlush = 4

    /// Handles whole frames until the turn is over or answers pile up. The first frame's step was taken already.
    private func handleFrames() {
        hasUnhandledFrames = false
        var handled = 0
        repeat {
            guard let found = assembler.next() else { return turn.look() }
            handle(found)
            handled += 1
            if handled % Self.framesPerFlush == 0 { sendQueue.flush() }
            guard phase.isServing else { return }
            hasUnhandledFrames = sendQueue.noteBacklog()
            if hasUnhandledFrames || assembler.isEmpty { return turn.look() }
        } while turn.mayStep(self)
        hasUnhandledFrames = true
    }

    /// The user's turn has come, and a step was taken for this connection.
    func turnCame() {
        turn.came()
        guard phase.isServing, !sendQueue.noteBacklog() else { return }
        if hasUnhandledFrames { handleWaitingFrames() } else { socket.readOn() }
    }

    /// Continues with waiting frames, because the kernel has taken the answers so far.
    private func goOn() {
        guard phase.isServing, hasUnhandledFrames, !turn.isAwaited, turn.mayGoOn(self) else { return }
        handleWaitingFrames()
    }

    private func handleWaitingFrames() {
        isGathering = true
        handleFrames()
        assembler.settle()
        readCompleted()
        if !hasUnhandledFrames { socket.readOn() }
    }

    private func handle(_ found: FrameAssembler.Found) {
        let (header, action) = machine.found(found, known: known)
        if case .refused(let status) = phase {
            if header.type == .request {
                writeStatus(status, on: header.streamID)
                closeAfterFlush(.closedHere)
            }
            return
        }
        switch action {
        case .route(let request): route(request, on: header.streamID, found)
        case .deliver: known.map { deliver($0.again(on: header.streamID)) }
        case .refuse(let status): writeStatus(status, on: header.streamID)
        case .end(let status): end(header.streamID, status)
        case .drop: break
        }
    }

    private func route(_ request: RequestEnvelope, on streamID: UInt32, _ frame: FrameAssembler.Found) {
        let method = server.service.find(service: request.service, method: request.method)
        switch machine.requestRouted(streamID, request, to: method?.kind) {
        case .deliver:
            guard let method else { preconditionFailure("a request without a method was delivered") }
            let incoming = IncomingRequest(request, to: method, on: streamID)
            known = KnownRequest(incoming, found: frame)
            deliver(incoming)
        case .refuse(let status): writeStatus(status, on: streamID)
        case .drop: break
        }
    }

    private func deliver(_ request: IncomingRequest) {
        if let timeout = request.timeout { deadlines.add(timeout, of: request.streamID) }
        server.service.requestReceived(request, on: self)
    }

    func readCompleted() {
        isGathering = false
        deadlines.schedule(on: eventLoop) { streamID in
            if let status = self.machine.deadlinePassed(streamID) { self.end(streamID, status) }
        }
        flush()
    }

    // MARK: Sending

    /// - Parameter fits: whether the queue is still within its limit.
    private func queued(_ fits: Bool) {
        guard !fits else { return flushSoon() }
        // Not now: the caller may be in the middle of telling many peers.
        eventLoop.execute { self.close(.queueLimit) }
    }

    /// Flushes once for everything that is queued during a read, or otherwise during a tick of the event loop.
    private func flushSoon() {
        guard !isGathering, !isAwaitingFlush else { return }
        isAwaitingFlush = true
        server.flushLater(self)
    }

    func flush() {
        isAwaitingFlush = false
        guard phase != .closed else { return }
        sendQueue.flush()
        switch sendQueue.settle() {
        case .empty(let owesDrained):
            if phase == .closing { return close(.closedHere) }
            if hasUnhandledFrames {
                eventLoop.execute { self.goOn() }
            } else if !turn.isAwaited {
                socket.readOn()
            }
            if owesDrained, !isRefused { server.service.connectionDrained(self) }
        case .waiting: watchProgress()
        case .failed(let code): close(CloseReason(errno: code))
        }
    }

    func roomCame() {
        sendQueue.roomCame()
        flush()
    }

    private func watchProgress() {
        guard progressWatch == nil else { return }
        let taken = sendQueue.taken
        progressWatch = eventLoop.scheduleTask(in: TimeAmount(server.writeDeadline)) {
            self.progressWatch = nil
            guard !self.sendQueue.isEmpty else { return }
            if self.sendQueue.taken > taken { self.watchProgress() } else { self.close(.writeDeadline) }
        }
    }

    // MARK: Life

    /// Registers the connection, asks the service whether to refuse it, and starts reading.
    func opened() {
        server.add(self)
        if let status = server.service.connectionOpened(self) { refuse(status) }
        if phase != .closed, let code = socket.opened(by: self) { close(CloseReason(errno: code)) }
    }

    private func refuse(_ status: Status) {
        isRefused = true
        guard server.refusalBegan() else { return close(.closedHere) }
        // A server that is closing has already closed this connection.
        guard phase == .open else { return }
        phase = .refused(status)
        closeDeadline = eventLoop.scheduleTask(in: .seconds(1)) { self.close(.closedHere) }
    }

    /// Whether the socket may be read. If not, `socket.readOn` is called when it may.
    func mayRead() -> Bool {
        phase.isServing && !hasUnhandledFrames && !turn.isAwaited && !sendQueue.isBacklogged && turn.mayRead(self)
    }

    private func closeAfterFlush(_ reason: CloseReason) {
        guard phase.isServing else { return }
        phase = .closing
        closeReason = closeReason ?? reason
        closeDeadline?.cancel()
        closeDeadline = eventLoop.scheduleTask(in: TimeAmount(server.closingDeadline)) { self.close(.writeDeadline) }
        flushSoon()
    }

    /// The peer has closed the connection (`nil`), or the socket failed with this errno.
    func ended(_ code: CInt?) {
        close(code.map { CloseReason(errno: $0) } ?? (assembler.isWithinFrame ? .truncatedFrame : .peerLeft))
    }

    /// Closes the socket now. The service is told in the next tick, since this may be during one of its calls.
    private func close(_ reason: CloseReason) {
        guard phase != .closed else { return }
        phase = .closed
        closeReason = closeReason ?? reason
        socket.close()
        sendQueue.closed()
        eventLoop.execute { self.closed() }
    }

    private func closed() {
        assembler.discard()
        closeDeadline?.cancel()
        progressWatch?.cancel()
        deadlines.forgetAll()
        let endedStreams = machine.connectionClosed()
        if isRefused {
            server.refusalEnded()
        } else {
            for streamID in endedStreams { server.service.streamEnded(streamID, on: self) }
            server.service.connectionClosed(self)
        }
        server.turns.left(account)
        server.remove(self)
    }
}
