public import NIOCore
import NIOPosix
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

    /// Connects, and checks who the server is before anything is sent to it.
    ///
    /// - Parameters:
    ///   - serverUIDs: the users that the server may run as, judged by the process that called `listen`; `nil`: any
    ///     user.
    ///   - connectTimeout: how long to retry while the server's queue of new connections is full.
    ///   - cancellation: how to tell the server that a call or stream was given up; `nil`: it is not told.
    /// - Throws: `unreachable`, `untrustedServer`, `unmappedServer`, `connectionLost`, `cancelled`.
    public static func connect(
        to path: String, eventLoop: any EventLoop, limits: ConnectionLimits, serverUIDs: Set<UInt32>?,
        connectTimeout: Duration, cancellation: CancellationMethod?
    ) async throws(TTRPCClientError) -> TTRPCClientConnection {
        guard sockaddr_un(path: path) != nil else {
            let limit = sockaddr_un.maximumPathBytes
            throw .unreachable("\(path): a socket's path has 1 to \(limit) bytes")
        }
        let core = ClientCore(eventLoop: eventLoop, limits: limits, cancellation: cancellation)
        let channel = try await openChannel(to: path, core, timeout: connectTimeout)
        guard let serverUIDs else { return TTRPCClientConnection(core: core, channel: channel) }
        let credentials = try? await eventLoop.submit { PeerCredentials(ofPeerOf: channel) }.get()
        guard let credentials else {
            // The server died while it accepted the connection, so there is nobody to identify.
            guard channel.isActive else { throw .connectionLost }
            channel.close(promise: nil)
            throw .unreachable("\(path): who the server is can't be read")
        }
        guard serverUIDs.contains(credentials.uid) else {
            channel.close(promise: nil)
            throw .notBelieved(uid: credentials.uid)
        }
        return TTRPCClientConnection(core: core, channel: channel)
    }

    private static func openChannel(
        to path: String, _ core: ClientCore, timeout: Duration
    ) async throws(TTRPCClientError) -> any Channel {
        let deadline = ContinuousClock.now + timeout
        while true {
            if Task.isCancelled { throw .cancelled }
            do {
                return try await ClientBootstrap(group: core.eventLoop)
                    .connectTimeout(max(TimeAmount(deadline - .now), .milliseconds(1)))
                    .channelOption(.maxMessagesPerRead, value: 1)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(core)
                        }
                    }
                    .connect(unixDomainSocketPath: path)
                    .get()
            } catch {
                // EAGAIN: a server listens, but its queue of new connections is full.
                let code = (error as? IOError)?.errnoCode
                guard code == EAGAIN, ContinuousClock.now < deadline else {
                    throw .unreachable("\(path): \(code.map { String(cString: strerror($0)) } ?? "\(error)")")
                }
                _ = try? await core.eventLoop.scheduleTask(in: .milliseconds(5)) {}.futureResult.get()
            }
        }
    }

    /// Calls a unary method.
    ///
    /// - Parameter timeout: sent to the server, which then fails the call with `DEADLINE_EXCEEDED`. This side gives up
    ///   a little later. `nil`: no limit.
    /// - Returns: the encoded response message.
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

    /// Opens a server stream. Returns when the request is on its way; the server's errors come from the stream.
    ///
    /// - Parameter timeout: for the whole stream, as in `call`.
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
