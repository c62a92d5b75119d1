import NIOCore
import Synchronization
public import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A client's connection to a ttrpc server on a Unix socket. Any task may make calls and open streams, all on this one
/// connection. It closes with `close`, or when neither it nor any of its streams is referenced any more.
public final class TTRPCClientConnection: Sendable {
    private let core: ClientCore
    private let channel: any Channel

    init(core: ClientCore, channel: any Channel) {
        self.core = core
        self.channel = channel
    }

    deinit {
        if channel.isActive { channel.close(promise: nil) }
    }

    /// Calls a unary method, and returns the encoded response. The timeout (`nil`: no limit) is sent to the server,
    /// which then fails the call with `DEADLINE_EXCEEDED`. This side gives up a little later.
    /// - Throws: `status`, `connectionLost`, `timedOut`, `cancelled`, `protocolViolation`.
    public func call(
        service: String, method: String, payload: [UInt8], timeout: Duration?, metadata: [Metadata] = []
    ) async throws(TTRPCClientError) -> [UInt8] {
        let envelope = RequestEnvelope(
            service: service, method: method, payload: payload, timeout: timeout, metadata: metadata
        ).encoded()
        let call = ClientCall()
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<ClientCore.Outcome, Never>) in
                core.eventLoop.execute {
                    self.core.start(call, envelope, timeout: timeout) { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            core.eventLoop.execute { self.core.cancel(call) }
        }
        return try outcome.get()
    }

    /// Returns when the request is on its way; the server's errors come from the stream. The timeout, as in `call`, is
    /// for the whole stream.
    /// - Throws: `connectionLost`, `timedOut`, `cancelled`, or `status` if a limit on this side refuses it.
    public func openStream(
        service: String, method: String, payload: [UInt8], timeout: Duration?, metadata: [Metadata] = []
    ) async throws(TTRPCClientError) -> TTRPCClientStream {
        let envelope = RequestEnvelope(
            service: service, method: method, payload: payload, timeout: timeout, metadata: metadata
        ).encoded()
        if Task.isCancelled { throw .cancelled }
        // The buffer is made here and not on the event loop: the thread sanitizer would report a race, because it does
        // not understand a continuation that is resumed before it is awaited.
        let core = core
        let buffer = StreamBuffer { core.messageTaken($0) }
        let opened = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<UInt32, TTRPCClientError>, Never>) in
            core.eventLoop.execute {
                continuation.resume(returning: core.openStream(envelope, timeout: timeout, into: buffer))
            }
        }
        let streamID = try opened.get()
        let reader = StreamReader(connection: self, buffer: buffer) {
            core.eventLoop.execute { core.giveUp(streamID, .cancelled) }
        }
        return TTRPCClientStream(streamID: streamID, reader: reader)
    }

    /// Closes the connection, which ends all calls and streams. Returns when it is closed.
    public func close() async {
        core.eventLoop.execute { self.core.close() }
        try? await channel.closeFuture.get()
    }

    /// Waits until the connection is closed, or the task is cancelled.
    public func waitUntilClosed() async {
        let (closed, continuation) = AsyncStream.makeStream(of: Void.self)
        channel.closeFuture.whenComplete { _ in continuation.finish() }
        for await _ in closed {}
    }
}

/// Lets a task cancel its call, even before the request is sent. Used only on the event loop, as `ClientCore` is.
final class ClientCall: @unchecked Sendable {
    /// `nil` until the request is sent.
    fileprivate var streamID: UInt32?
    /// Whether the caller has given up. If it did before the request was sent, the request is never sent.
    fileprivate var isCancelled = false
}

/// A client's side of a connection, as the handler of its channel. Everything but the atomics is used only on its event
/// loop, so it can be `Sendable` unchecked.
final class ClientCore: @unchecked Sendable {
    typealias Outcome = Result<[UInt8], TTRPCClientError>

    private enum Waiting {
        case call((Outcome) -> Void)
        case stream(StreamBuffer)
    }

    private struct OpenStream {
        var waiting: Waiting
        var deadline: Scheduled<Void>?
    }

    let eventLoop: any EventLoop
    private let limits: ConnectionLimits
    private let cancellation: CancellationMethod?
    private var machine: ClientConnectionStateMachine
    private var assembler: FrameAssembler
    private var context: ChannelHandlerContext?
    private var streams: [UInt32: OpenStream] = [:]
    private var callCount = 0
    private var frames = ByteBuffer()
    private var isReading = false
    private var isAwaitingFlush = false
    private var isHoldingRead = false
    /// Bytes of messages in the buffers of all streams that readers have not taken yet.
    private let bufferedBytes = Atomic<Int>(0)
    /// Whether reading from the socket is paused because of `bufferedBytes`.
    private let isHolding = Atomic<Bool>(false)

    /// How much longer a client waits than the server, so that the server's own `DEADLINE_EXCEEDED` arrives first.
    private static let grace = Duration.milliseconds(200)

    init(eventLoop: any EventLoop, limits: ConnectionLimits, cancellation: CancellationMethod?) {
        self.eventLoop = eventLoop
        self.limits = limits
        self.cancellation = cancellation
        machine = ClientConnectionStateMachine(limits: limits)
        assembler = FrameAssembler(maximumFrameBytes: limits.maximumFrameBytes)
    }

    // MARK: Calls

    func start(_ call: ClientCall, _ envelope: [UInt8], timeout: Duration?, _ end: @escaping (Outcome) -> Void) {
        guard !call.isCancelled else { return end(.failure(.cancelled)) }
        switch open(.unary, envelope, timeout, .call(end)) {
        case .success(let streamID): call.streamID = streamID
        case .failure(let error): end(.failure(error))
        }
    }

    func cancel(_ call: ClientCall) {
        call.isCancelled = true
        if let streamID = call.streamID { giveUp(streamID, .cancelled) }
    }

    func openStream(
        _ envelope: [UInt8], timeout: Duration?, into buffer: StreamBuffer
    ) -> Result<UInt32, TTRPCClientError> {
        open(.serverStream, envelope, timeout, .stream(buffer))
    }

    private func open(
        _ kind: MethodKind, _ envelope: [UInt8], _ timeout: Duration?, _ waiting: Waiting
    ) -> Result<UInt32, TTRPCClientError> {
        eventLoop.assertInEventLoop()
        if let timeout, timeout <= .zero { return .failure(.timedOut) }
        guard context != nil else { return .failure(.connectionLost) }
        switch machine.callStarted(kind, byteCount: envelope.count) {
        case .send(let streamID, let flags):
            frames.writeFrame(.request, flags, streamID: streamID, data: envelope)
            streams[streamID] = OpenStream(waiting: waiting, deadline: deadline(timeout, streamID))
            if kind == .unary {
                callCount += 1
                readOn()
            }
            flushSoon()
            return .success(streamID)
        case .refuse(let status): return .failure(.status(status))
        case .connectionLost: return .failure(.connectionLost)
        }
    }

    private func deadline(_ timeout: Duration?, _ streamID: UInt32) -> Scheduled<Void>? {
        // A timeout of a year or more needs no timer, and could overflow when added to the current time.
        guard let timeout, timeout < .seconds(365 * 86400) else { return nil }
        return eventLoop.scheduleTask(in: TimeAmount(timeout + ClientCore.grace)) {
            self.giveUp(streamID, .timedOut)
        }
    }

    // MARK: Ends

    /// Ends a call or stream with `error`, because its caller no longer wants it, and tells the server.
    func giveUp(_ streamID: UInt32, _ error: TTRPCClientError) {
        eventLoop.assertInEventLoop()
        guard machine.givenUp(streamID) else { return }
        end(streamID, .failure(error))
        sendCancellation(of: streamID)
    }

    private func sendCancellation(of streamID: UInt32) {
        guard let cancellation, let id = machine.cancellationStarted() else { return }
        let request = RequestEnvelope(
            service: cancellation.service, method: cancellation.method, payload: cancellation.payload(streamID))
        frames.writeFrame(.request, streamID: id, data: request.encoded())
        flushSoon()
    }

    /// Ends a call or stream whose id the machine has closed. A call gets the payload; a stream gets the end of data.
    private func end(_ streamID: UInt32, _ outcome: Outcome) {
        guard let stream = streams.removeValue(forKey: streamID) else { return }
        stream.deadline?.cancel()
        switch stream.waiting {
        case .call(let end):
            callCount -= 1
            end(outcome)
        case .stream(let buffer):
            buffer.end(outcome.map { _ in nil })
        }
    }

    // MARK: Frames

    private func bytesReceived(_ bytes: ByteBuffer) {
        isReading = true
        bytes.withUnsafeReadableBytes { read in
            assembler.append(read)
            while let found = assembler.next() {
                switch found {
                case .frame(let header, let data): carryOut(machine.frameReceived(header, data), header.streamID)
                case .tooLarge(let header): carryOut(machine.frameTooLarge(header), header.streamID)
                }
            }
            assembler.settle()
        }
        bytes.wipe()
    }

    private func carryOut(_ action: ClientConnectionStateMachine.FrameAction, _ streamID: UInt32) {
        switch action {
        case .succeed(let payload): end(streamID, .success(payload))
        case .deliver(let message): deliver(message, streamID)
        case .deliverLast(let message):
            deliver(message, streamID)
            end(streamID, .success([]))
        case .finish: end(streamID, .success([]))
        case .fail(let status): end(streamID, .failure(.status(status)))
        case .abandon(let status):
            end(streamID, .failure(.status(status)))
            sendCancellation(of: streamID)
        case .violate(let what):
            end(streamID, .failure(.protocolViolation(what)))
            sendCancellation(of: streamID)
        case .drop: break
        }
    }

    private func deliver(_ message: [UInt8], _ streamID: UInt32) {
        guard case .stream(let buffer) = streams[streamID]?.waiting else { return }
        // Count the message before a reader can take it.
        let (_, total) = bufferedBytes.add(message.count, ordering: .sequentiallyConsistent)
        if !buffer.deliver(message) {
            bufferedBytes.subtract(message.count, ordering: .sequentiallyConsistent)
        } else if total > limits.maximumStreamBufferBytes {
            giveUp(
                streamID,
                .status(Status(.resourceExhausted, "messages come faster than this stream's reader takes them")))
        }
    }

    // MARK: Slow readers

    /// Whether to read from the socket now. It returns true while any call waits for its answer, however much is
    /// buffered: otherwise a task that makes a call before it takes the next message would wait for ever.
    private func mayRead() -> Bool {
        guard callCount == 0, bufferedBytes.load(ordering: .sequentiallyConsistent) > limits.streamBufferBytes else {
            return true
        }
        isHolding.store(true, ordering: .sequentiallyConsistent)
        // A reader may have taken everything just before it could see `isHolding`, so look again.
        guard bufferedBytes.load(ordering: .sequentiallyConsistent) > limits.streamBufferBytes else {
            isHolding.store(false, ordering: .sequentiallyConsistent)
            return true
        }
        isHoldingRead = true
        return false
    }

    /// A reader has taken a message. May be called from any thread.
    func messageTaken(_ byteCount: Int) {
        let (_, total) = bufferedBytes.subtract(byteCount, ordering: .sequentiallyConsistent)
        guard total <= limits.streamBufferBytes / 2, isHolding.load(ordering: .sequentiallyConsistent) else { return }
        eventLoop.execute { self.readOn() }
    }

    private func readOn() {
        guard isHoldingRead, let context else { return }
        isHoldingRead = false
        isHolding.store(false, ordering: .sequentiallyConsistent)
        context.read()
    }

    // MARK: Sending

    private func flushSoon() {
        guard !isReading, !isAwaitingFlush else { return }
        isAwaitingFlush = true
        eventLoop.execute { self.flush() }
    }

    private func flush() {
        isAwaitingFlush = false
        guard let context, frames.readableBytes > 0 else { return }
        let written = frames
        frames = ByteBuffer()
        context.writeAndFlush(NIOAny(written), promise: nil)
    }

    func close() {
        context?.close(promise: nil)
    }
}

extension ClientCore: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { self.context = context }
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        bytesReceived(unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        flush()
    }

    func read(context: ChannelHandlerContext) {
        if mayRead() { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.context = nil
        for streamID in machine.connectionClosed() { end(streamID, .failure(.connectionLost)) }
        context.fireChannelInactive()
    }
}

extension ByteBuffer {
    /// Overwrites the bytes of its storage with zeros, even if other buffers share it: a channel reuses its read buffer
    /// and frees it without wiping. The indices stay as they are.
    fileprivate func wipe() {
        withVeryUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            explicit_bzero(UnsafeMutableRawPointer(mutating: start), min(writerIndex, bytes.count))
        }
    }
}
