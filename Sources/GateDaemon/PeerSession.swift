public import GateModel
import GateProtocol
import TTRPC
public import TTRPCTransport

/// Who a connection's peer is: what the kernel says of it, or, in tests, what its socket stands for.
public struct PeerIdentity: Hashable, Sendable {
    public var credentials: PeerCredentials
    /// Roles given by the socket rather than by the rules. Never set in `gated`.
    public var givenRoles: Roles?

    public init(credentials: PeerCredentials, givenRoles: Roles? = nil) {
        self.credentials = credentials
        self.givenRoles = givenRoles
    }

    func roles(by rules: RoleRules) -> Roles {
        givenRoles ?? rules.roles(of: credentials)
    }
}

/// One connected peer, for as long as its connection lasts. Used on the event loop alone, by the authority.
final class PeerSession {
    /// What a stream of it is for.
    enum Stream {
        case watch
        case audit
    }

    let connection: TTRPCServerConnection
    let identity: PeerIdentity
    var peer: Peer
    var streams: [UInt32: Stream] = [:]

    init(connection: TTRPCServerConnection, identity: PeerIdentity, peer: Peer) {
        self.connection = connection
        self.identity = identity
        self.peer = peer
    }
}

/// Names one stream of one connection.
struct StreamKey: Hashable {
    let connection: UInt64
    let stream: UInt32
}

extension GateError {
    static let stopping = GateError(
        .unavailable, .stopping, "gated is stopping. Try again when it is back.")

    static func storeFailed(_ error: any Error) -> GateError {
        GateError(
            .unavailable, .storeFailed,
            "The state can't be written: \(error).")
    }

    /// As it travels.
    var status: Status {
        Status(
            StatusCode(rawValue: code.rawValue), message,
            details: [TypedValue(typeURL: Self.detailTypeURL, value: detailBytes)])
    }
}
