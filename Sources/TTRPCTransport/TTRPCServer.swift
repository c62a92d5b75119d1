public import Epoll
import NIOCore
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
    private let listener: Listener
    private let file: SocketFile?
    private let hasRemovedFile = Atomic<Bool>(false)

    private init(core: ServerCore, listener: Listener, file: SocketFile?) {
        self.core = core
        self.listener = listener
        self.file = file
    }

    /// Peers that may wait to be accepted: as many as the kernel allows (`net.core.somaxconn` is 4,096 on most systems).
    private static let backlog: CInt = 4096

    /// Listens, and serves from then on.
    ///
    /// - Parameters:
    /// - loop: the event loop to serve on.
    /// - work: the long work of that event loop; share it with everything else that takes long there.
    /// - writeDeadline: how long a queue may make no progress before its connection is closed.
    /// - closingDeadline: how long a connection that closes waits for its peer to take what is queued.
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
        try await core.eventLoop.submit { self.listener.stop() }.get()
    }

    /// Stops listening, sends what is queued, and closes all connections. Returns when they are gone. It waits for a peer that
    /// does not read no longer than the closing deadline.
    public func close() async throws {
        try await stopListening()
        try await core.eventLoop.flatSubmit { self.core.closeAll() }.get()
    }
}
