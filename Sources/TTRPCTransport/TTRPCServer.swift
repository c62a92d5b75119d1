import NIOCore
import NIOPosix
import Synchronization
public import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Serves ttrpc on one Unix socket. Listener, connections and service share one event loop, so that a frame is answered on the
/// thread that read it.
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

    /// Peers that may wait to be accepted: as many as the kernel allows (`net.core.somaxconn` is 4,096 on most systems).
    private static let backlog: CInt = 4096
    /// Sizes of the read buffer. It begins small and grows with what a peer sends, so that an idle peer costs little. It does
    /// not grow large, because frames that a user's turn does not reach are kept until its next one, for each of its
    /// connections.
    private static let readBufferBytes = (minimum: 512, initial: 1024, maximum: 16 << 10)
    /// Peers that are accepted before the others are read from again. Refusing a peer costs as much as admitting it.
    private static let acceptedAtOnce: UInt = 4

    /// Listens, and serves from then on.
    ///
    /// - Parameters:
    /// - work: the long work of the event loop to serve on; share it with everything else that takes long there.
    /// - writeDeadline: how long a queue may make no progress before its connection is closed.
    /// - closingDeadline: how long a connection that closes waits for its peer to take what is queued.
    /// - Throws: `ListeningError`, or an error of SwiftNIO.
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
                        // Refused: the kernel does not say who this is.
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

    /// Refuses descriptors that peers send along (SCM_RIGHTS). Nothing here takes one, so the kernel would close it on the
    /// event loop while a frame is read; and closing some of them, such as a TCP socket that lingers, takes as long as their
    /// sender likes. Connections inherit the option. Kernels before 6.16 do not have it: docs/security.md says what that means.
    private static func refuseDescriptors(at descriptor: CInt) {
        var isAllowed: CInt = 0
        _ = setsockopt(
            descriptor, SOL_SOCKET, passRightsOption, &isAllowed, socklen_t(MemoryLayout.size(ofValue: isAllowed)))
    }

    /// The connections that are open now, refused ones included.
    public var connectionCount: Int { core.connectionCount }

    /// Stops accepting peers, and removes the socket file. Open connections go on.
    public func stopListening() async throws {
        // Before the descriptor is closed, so that no other server can have made a file with the same name and inode.
        if !hasRemovedFile.exchange(true, ordering: .relaxed) { file?.remove() }
        do {
            try await listener.close()
        } catch ChannelError.alreadyClosed {
            // Stopped before.
        }
    }

    /// Stops listening, sends what is queued, and closes all connections. Returns when they are gone. It waits for a peer that
    /// does not read no longer than the closing deadline.
    public func close() async throws {
        try await stopListening()
        try await core.eventLoop.flatSubmit { self.core.closeAll() }.get()
    }
}
