public import Epoll
import NIOCore
import Synchronization
public import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Serves ttrpc on a Unix socket. Listener, connections and service share one event loop, so that a frame is answered
/// on the thread that read it.
public final class TTRPCServer: Sendable {
    private let core: ServerCore
    private let listener: Listener
    private let file: SocketFile?
    private let hasRemovedFile = Atomic<Bool>(false)

    private init(core: ServerCore, listener: Listener, file: SocketFile?) {
        self.core = core
        self.listener = listener
        self.file = file
    }

    /// How many peers may wait to be accepted. The kernel's own limit, `net.core.somaxconn`, is 4,096 on most systems.
    private static let backlog: CInt = 4096

    /// - Parameters:
    ///   - work: the queue for long work on that loop. Share it with everything else on the loop that takes long.
    ///   - writeDeadline: the longest time that a peer may take nothing of what is queued for it. Then its connection
    ///     is closed.
    ///   - closingDeadline: how long a closing connection waits for its peer to take what is queued.
    /// - Throws: `ListeningError`.
    public static func start(
        on socket: ListeningSocket, loop: EpollLoop, work: PacedWork, limits: ConnectionLimits, writeDeadline: Duration,
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
            refuseDescriptors(at: descriptor)
            let listener = Listener(descriptor, of: core, on: loop)
            try await loop.submit { try listener.start(backlog: backlog) }.get()
            return TTRPCServer(core: core, listener: listener, file: file)
        } catch {
            file?.remove()
            closeDescriptor(descriptor)
            let error = error as? IOError
            throw ListeningError.failed(
                path: file?.path ?? "inherited socket", call: "listen", errno: error?.errnoCode ?? EINVAL)
        }
    }

    /// SO_PASSRIGHTS from <asm-generic/socket.h>, since Linux 6.16.
    private static let passRightsOption: CInt = 83

    /// Refuses descriptors that peers send along (SCM_RIGHTS). Nothing here uses them, so the kernel would close them
    /// on the event loop, and closing some, such as a lingering TCP socket, takes as long as the sender likes. Accepted
    /// connections inherit the option. For kernels before 6.16, which lack it, see docs/security.md.
    private static func refuseDescriptors(at descriptor: CInt) {
        var isAllowed: CInt = 0
        _ = setsockopt(
            descriptor, SOL_SOCKET, passRightsOption, &isAllowed, socklen_t(MemoryLayout.size(ofValue: isAllowed)))
    }

    /// How many connections are open, including refused ones.
    public var connectionCount: Int { core.connectionCount }

    /// Stops accepting peers and removes the socket file. Open connections stay open.
    public func stopListening() async throws {
        // Before the descriptor is closed: later another server could have made a file with this path and inode.
        if !hasRemovedFile.exchange(true, ordering: .relaxed) { file?.remove() }
        try await core.eventLoop.submit { self.listener.stop() }.get()
    }

    /// Stops listening, sends what is queued, and closes all connections, at the latest after the closing deadline.
    public func close() async throws {
        try await stopListening()
        try await core.eventLoop.flatSubmit { self.core.closeAll() }.get()
    }
}
