public import NIOCore
public import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// One request as it reached the server.
public struct IncomingRequest: Sendable {
    /// The id of the call or stream on its connection until it has ended.
    public var streamID: UInt32
    /// The full name, for example "gate.v1.Mode".
    public var service: String
    public var method: String
    /// The method as the service has found it.
    public var found: ServiceMethod
    /// The method's input message, encoded.
    public var payload: [UInt8]
    /// The time that the call may take; the server enforces it. `nil`: no limit.
    public var timeout: Duration?
    /// The metadata that the caller sent. Never trusted.
    public var metadata: [Metadata]

    public init(
        streamID: UInt32, service: String, method: String, found: ServiceMethod, payload: [UInt8],
        timeout: Duration? = nil, metadata: [Metadata] = []
    ) {
        self.streamID = streamID
        self.service = service
        self.method = method
        self.found = found
        self.payload = payload
        self.timeout = timeout
        self.metadata = metadata
    }
}

extension IncomingRequest {
    init(_ request: RequestEnvelope, to method: ServiceMethod, on streamID: UInt32) {
        self.init(
            streamID: streamID, service: request.service, method: request.method, found: method,
            payload: request.payload, timeout: request.timeout, metadata: request.metadata)
    }
}

/// A method that a service has found by its names.
public struct ServiceMethod: Hashable, Sendable {
    /// Whether it is unary or a stream.
    public var kind: MethodKind
    /// The service's own number for it, so that a request is not looked up by its names again.
    public var number: Int
    /// Whether its requests carry a secret: then the bytes of none are kept.
    public var isSecret: Bool

    public init(_ kind: MethodKind, number: Int = 0, isSecret: Bool = false) {
        self.kind = kind
        self.number = number
        self.isSecret = isSecret
    }
}

/// A service behind a server. Every function is called on the server's event loop, and must not block.
public protocol TTRPCService: AnyObject, Sendable {
    /// Finds a method; `nil` if there is none of these names: then the caller gets `UNIMPLEMENTED`.
    func find(service: String, method: String) -> ServiceMethod?

    /// Finds the account of a peer that has connected: whose turns it takes, and with which peers it is counted. It is read
    /// from as soon as that is known.
    ///
    /// - Returns: `nil`: the account of its uid. A future that fails closes the connection.
    func account(of credentials: PeerCredentials) -> EventLoopFuture<BillingAccount>?

    /// A peer has connected. Return a status to refuse it: its first request is answered with that status, and the connection
    /// closes within a second. The service hears nothing more of a refused connection.
    func connectionOpened(_ connection: TTRPCServerConnection) -> Status?

    /// A request has arrived. Answer it on `connection`, now or later, on this event loop.
    func requestReceived(_ request: IncomingRequest, on connection: TTRPCServerConnection)

    /// A call or stream has ended other than by the service's own answer: its `timeout_nano` has passed, the peer
    /// misused it, the service's message was too large, or the connection is gone.
    func streamEnded(_ streamID: UInt32, on connection: TTRPCServerConnection)

    /// Everything that was queued has been taken by the kernel, after `isBacklogged` was true.
    func connectionDrained(_ connection: TTRPCServerConnection)

    /// The connection is gone; `connection.closeReason` says why. `streamEnded` was called for each open stream before.
    func connectionClosed(_ connection: TTRPCServerConnection)
}

extension TTRPCService {
    public func account(of credentials: PeerCredentials) -> EventLoopFuture<BillingAccount>? { nil }
}

/// The account that a peer is billed to. Peers with the same number share the limits and the turns of one user.
public struct BillingAccount: Hashable, Sendable {
    public var number: UInt32

    public init(number: UInt32) {
        self.number = number
    }
}

/// The reason why a connection of a server has closed.
public enum CloseReason: Hashable, Sendable {
    /// The peer closed it, or died.
    case peerLeft
    /// The peer closed it in the middle of a frame.
    case truncatedFrame
    /// The peer took nothing of what was queued for it within the write deadline.
    case writeDeadline
    /// More was queued for the peer than the limit allows.
    case queueLimit
    /// `close` was called.
    case closedHere
    /// The socket failed.
    case failed(String)

    init(errno code: CInt) {
        switch code {
        case ECONNRESET, EPIPE: self = .peerLeft
        default: self = .failed(String(cString: strerror(code)))
        }
    }
}
