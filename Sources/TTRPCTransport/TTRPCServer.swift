import NIOCore
import NIOPosix
import Synchronization
public import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Serves ttrpc on one Unix socket. Listener, connections and service share one event loop, so that no thread is
/// changed between a frame and its answer.
public final class TTRPCServer: Sendable {
    private let core: ServerCore
    private let listener: any Channel
    private let file: SocketFile?
    private let hasRemovedFile = Atomic<Bool>(false)

    private init(core: ServerCore, listener: any Channel, file: SocketFile?) {
        self.core = core
        self.listener = listener
        self.file = file
    }

    /// As many peers as the kernel lets wait to be accepted (`net.core.somaxconn` is 4,096 on most systems).
    private static let backlog: CInt = 4096
    /// Reads begin small and grow with what a peer sends, so that an idle peer costs little. Nor do they grow large: what a
    /// user's turn does not reach is kept until its next one, for each of its connections.
    private static let readBufferBytes = (minimum: 512, initial: 1024, maximum: 16 << 10)
    /// Peers that are let in before those who are in are read from again. One that is refused costs as much as any.
    private static let acceptedAtOnce: UInt = 4

    /// Listens, and serves from then on.
    ///
    /// - Parameters:
    ///   - work: of its event loop, to share with whatever else takes long there.
    ///   - writeDeadline: A connection whose queue makes no progress for so long is closed.
    ///   - closingDeadline: How long a connection that closes waits for its peer to take what is queued.
    /// - Throws: `ListeningError`, or what SwiftNIO throws.
    public static func start(
        on socket: ListeningSocket, work: PacedWork, limits: ConnectionLimits, writeDeadline: Duration,
        closingDeadline: Duration,
        service: any TTRPCService
    ) async throws -> TTRPCServer {
        let core = ServerCore(
            work: work, limits: limits, writeDeadline: writeDeadline, closingDeadline: closingDeadline,
            service: service)
        let file: SocketFile?
        let descriptor: CInt
        switch socket {
        case .path(let path, let mode): (file, descriptor) = try SocketFile.bind(to: path, mode: mode)
        case .inherited(let inherited): (file, descriptor) = (nil, inherited)
        }
        do {
            // The listener survives EMFILE and the like.
            let listener = try await ServerBootstrap(group: work.eventLoop, childGroup: work.eventLoop)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptPause())
                    }
                }
                .serverChannelOption(.maxMessagesPerRead, value: acceptedAtOnce)
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .childChannelOption(.writeBufferWaterMark, value: .init(low: 1, high: 1))
                .childChannelOption(
                    .recvAllocator,
                    value: AdaptiveRecvByteBufferAllocator(
                        minimum: readBufferBytes.minimum, initial: readBufferBytes.initial,
                        maximum: readBufferBytes.maximum)
                )
                .childChannelInitializer { channel in
                    guard let credentials = PeerCredentials(ofPeerOf: channel) else {
                        // Refused: nobody knows who this is.
                        return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
                    }
                    let pipeline = channel.pipeline.syncOperations
                    let admit = { (account: BillingAccount) in
                        try pipeline.addHandler(ServerChannelHandler(core.makeConnection(credentials, account)))
                    }
                    guard let account = core.service.account(of: credentials) else {
                        return channel.eventLoop.makeCompletedFuture {
                            try admit(BillingAccount(number: credentials.uid))
                        }
                    }
                    return account.assumeIsolated().flatMapThrowing(admit).nonisolated()
                }
                .withBoundSocket(descriptor)
                .get()
            // SwiftNIO listens by itself, with a backlog that can't be set for a bound socket.
            guard listen(descriptor, backlog) == 0 else {
                let code = errno
                try await listener.close()
                throw ListeningError.failed(path: file?.path ?? "inherited socket", call: "listen", errno: code)
            }
            refuseDescriptors(at: descriptor)
            return TTRPCServer(core: core, listener: listener, file: file)
        } catch {
            file?.remove()
            throw error
        }
    }

    /// SO_PASSRIGHTS of <asm-generic/socket.h>, since Linux 6.16.
    private static let passRightsOption: CInt = 83

    /// Nobody may send a descriptor along (SCM_RIGHTS). Nothing here takes one, so the kernel would close it while a frame is read, on
    /// the event loop; and there are descriptors whose close waits for as long as their sender likes, such as a TCP socket that
    /// lingers. Connections inherit it. An older kernel does not know it, and stays as it is: docs/security.md says what that means.
    private static func refuseDescriptors(at descriptor: CInt) {
        var isAllowed: CInt = 0
        _ = setsockopt(
            descriptor, SOL_SOCKET, passRightsOption, &isAllowed, socklen_t(MemoryLayout.size(ofValue: isAllowed)))
    }

    /// Connections that are open now, refused ones included.
    public var connectionCount: Int { core.connectionCount }

    /// Accepts nobody any more, and removes the socket file. Connections live on.
    public func stopListening() async throws {
        // Before the descriptor is closed, so that nobody can have bound anew under the same name and inode.
        if !hasRemovedFile.exchange(true, ordering: .relaxed) { file?.remove() }
        do {
            try await listener.close()
        } catch ChannelError.alreadyClosed {
            // Stopped before.
        }
    }

    /// Stops listening, has what is queued taken by the kernel, and closes all connections. Returns when they are gone;
    /// a peer that does not read is waited for no longer than the closing deadline.
    public func close() async throws {
        try await stopListening()
        try await core.eventLoop.flatSubmit { self.core.closeAll() }.get()
    }
}
