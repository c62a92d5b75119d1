public import Epoll
public import NIOCore
import Synchronization
public import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

public struct IncomingRequest: Sendable {
    /// Identifies the call or stream on its connection until it has ended.
    public var streamID: UInt32
    public var service: String
    public var method: String
    /// The method as `find` returned it.
    public var found: ServiceMethod
    public var payload: [UInt8]
    /// How long the call may take; the server enforces it. `nil`: no limit.
    public var timeout: Duration?
    /// What the caller says about itself. It must not be trusted.
    public var metadata: [Metadata]

    init(_ request: RequestEnvelope, to method: ServiceMethod, on streamID: UInt32) {
        (self.streamID, service, self.method, found) = (streamID, request.service, request.method, method)
        (payload, timeout, metadata) = (request.payload, request.timeout, request.metadata)
    }
}

/// A method that a service has found by name.
public struct ServiceMethod: Hashable, Sendable {
    public var kind: MethodKind
    /// The service's own number for the method, so that it need not compare names again.
    public var number: Int
    /// Whether its requests carry a secret. Their bytes are then not kept.
    public var isSecret: Bool

    public init(_ kind: MethodKind, number: Int = 0, isSecret: Bool = false) {
        self.kind = kind
        self.number = number
        self.isSecret = isSecret
    }
}

/// What a server serves. All functions are called on the server's event loop, and must not block.
public protocol TTRPCService: AnyObject, Sendable {
    /// Finds a method by name. If it returns `nil`, the caller gets `UNIMPLEMENTED`.
    func find(service: String, method: String) -> ServiceMethod?

    /// Finds the account that a new peer is billed to; `nil` for that of its own uid. Nothing is read from the peer
    /// before the answer is known. If the future fails, the connection is closed.
    func account(of credentials: PeerCredentials) -> EventLoopFuture<BillingAccount>?

    /// A peer has connected. To refuse it, return a status: its first request is answered with that status, and the
    /// connection closes within a second. The service then hears nothing more of it.
    func connectionOpened(_ connection: TTRPCServerConnection) -> Status?

    /// A request has arrived. Answer it on `connection`, now or later, on this event loop.
    func requestReceived(_ request: IncomingRequest, on connection: TTRPCServerConnection)

    /// A call or stream has ended other than by the service's answer: its timeout passed, the peer misused it, the
    /// service's message was too large, or the connection is gone.
    func streamEnded(_ streamID: UInt32, on connection: TTRPCServerConnection)

    /// The kernel has taken everything that was queued, after `isBacklogged` was true.
    func connectionDrained(_ connection: TTRPCServerConnection)

    /// The connection has closed; `closeReason` says why. `streamEnded` was called before for each open stream.
    func connectionClosed(_ connection: TTRPCServerConnection)
}

extension TTRPCService {
    public func account(of credentials: PeerCredentials) -> EventLoopFuture<BillingAccount>? { nil }
}

/// Whom a peer is billed to. Peers with the same number share one user's limits and turns.
public struct BillingAccount: Hashable, Sendable {
    public var number: UInt32

    public init(number: UInt32) {
        self.number = number
    }
}

public enum CloseReason: Hashable, Sendable {
    /// The peer closed it, or died.
    case peerLeft
    case truncatedFrame
    /// For the length of the write deadline the peer took nothing of what was queued for it.
    case writeDeadline
    /// More was queued for the peer than the limit allows.
    case queueLimit
    /// The server closed it.
    case closedHere
    case failed(String)

    init(errno code: CInt) {
        switch code {
        case ECONNRESET, EPIPE: self = .peerLeft
        default: self = .failed(String(cString: strerror(code)))
        }
    }
}

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

    /// Listens on a socket, and serves its connections on `loop`. `work` is the loop's queue for everything that takes
    /// long. If bytes are queued for a peer, and for the time of `writeDeadline` it takes none of them, its connection
    /// is closed. A closing connection waits for its peer no longer than `closingDeadline`.
    ///
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

/// What connections share. Used only on the event loop, except `connectionCount`, so it is `Sendable` unchecked.
final class ServerCore: @unchecked Sendable {
    let eventLoop: any EventLoop
    let limits: ConnectionLimits
    let writeDeadline: Duration
    let closingDeadline: Duration
    let service: any TTRPCService
    let turns: FairScheduler

    private var connections: [UInt64: TTRPCServerConnection] = [:]
    private let openConnections = Atomic<Int>(0)
    private var lastConnectionID: UInt64 = 0
    private var refusedConnections = 0
    private var awaitingFlush: [TTRPCServerConnection] = []
    private var emptied: EventLoopPromise<Void>?

    init(
        work: PacedWork, limits: ConnectionLimits, writeDeadline: Duration, closingDeadline: Duration,
        service: any TTRPCService
    ) {
        eventLoop = work.eventLoop
        self.limits = limits
        self.writeDeadline = writeDeadline
        self.closingDeadline = closingDeadline
        self.service = service
        turns = FairScheduler(work)
    }

    /// How many connections are open. May be read from any thread.
    var connectionCount: Int { openConnections.load(ordering: .relaxed) }

    func makeConnection(
        _ credentials: PeerCredentials, _ account: BillingAccount, over socket: PeerSocket
    ) -> TTRPCServerConnection {
        eventLoop.assertInEventLoop()
        lastConnectionID += 1
        return TTRPCServerConnection(
            id: lastConnectionID, credentials: credentials, account: account, socket: socket, server: self)
    }

    func add(_ connection: TTRPCServerConnection) {
        connections[connection.id] = connection
        openConnections.store(connections.count, ordering: .relaxed)
        // This peer was accepted just before the listener was closed.
        if emptied != nil { connection.close() }
    }

    func remove(_ connection: TTRPCServerConnection) {
        connections[connection.id] = nil
        openConnections.store(connections.count, ordering: .relaxed)
        if connections.isEmpty { emptied?.succeed() }
    }

    /// A refused peer stays connected to be told why. Returns false if too many do already: then close the connection.
    func refusalBegan() -> Bool {
        refusedConnections += 1
        return refusedConnections <= limits.maximumRefusedConnections
    }

    func refusalEnded() {
        refusedConnections -= 1
    }

    /// Flushes the connection at the end of this tick of the event loop, together with others.
    func flushLater(_ connection: TTRPCServerConnection) {
        awaitingFlush.append(connection)
        guard awaitingFlush.count == 1 else { return }
        eventLoop.execute {
            let connections = self.awaitingFlush
            self.awaitingFlush = []
            for connection in connections { connection.flush() }
        }
    }

    /// Flushes and closes all connections. Close the listener first.
    func closeAll() -> EventLoopFuture<Void> {
        eventLoop.assertInEventLoop()
        if let emptied { return emptied.futureResult }
        let promise = eventLoop.makePromise(of: Void.self)
        emptied = promise
        for connection in connections.values { connection.close() }
        if connections.isEmpty { promise.succeed() }
        return promise.futureResult
    }
}
