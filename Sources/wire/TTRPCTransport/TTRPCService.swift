public import NIOCore
public import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

public struct IncomingRequest: Sendable {
    /// Identifies the call or stream on its connection until it has ended.
    public var streamID: UInt32
    /// The full name, for example "gate.v1.Mode".
    public var service: String
    public var method: String
    /// The method as `find` returned it.
    public var found: ServiceMethod
    /// The method's input message, encoded.
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

    /// Finds the account that a new peer is billed to. Nothing is read from the peer before the answer is known.
    ///
    /// - Returns: `nil` for the account of the peer's own uid. If the future fails, the connection is closed.
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

/// Why a server's connection has closed.
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
