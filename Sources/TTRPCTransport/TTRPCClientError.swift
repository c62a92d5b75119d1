public import TTRPC

/// Why a call, a stream or a connection of a client's failed.
public enum TTRPCClientError: Error, Hashable, Sendable {
    /// The server can't be reached. The text is "path: reason".
    case unreachable(String)
    /// The server runs as a user who is not trusted. Nothing was sent to it.
    case untrustedServer(uid: UInt32)
    /// The server runs as a user that the user namespace of this process does not know: the kernel gives this uid for all of
    /// them. Nothing was sent to it.
    case unmappedServer(uid: UInt32)
    /// The server, or a limit on this side, has refused the call or ended the stream.
    case status(Status)
    /// The connection ended before the answer came. The call may have been carried out.
    case connectionLost
    /// The timeout of the call has passed on this side.
    case timedOut
    /// The task was cancelled. The server has been told.
    case cancelled
    /// The server sent something that the protocol does not allow.
    case protocolViolation(String)
}

extension TTRPCClientError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreachable(let why): why
        case .untrustedServer(let uid): "the server runs as the untrusted user \(uid)"
        case .unmappedServer(let uid): "the user of the server is not known in this user namespace (uid \(uid))"
        case .status(let status): status.description
        case .connectionLost: "the connection to the server was lost"
        case .timedOut: "the server did not answer in time"
        case .cancelled: "the call was cancelled"
        case .protocolViolation(let what): "the server broke the protocol: \(what)"
        }
    }
}

/// A unary call that tells the server that a stream is no longer wanted. ttrpc itself has no cancellation.
public struct CancellationMethod: Sendable {
    public var service: String
    public var method: String
    /// The request message for the stream with this id, encoded.
    public var payload: @Sendable (_ streamID: UInt32) -> [UInt8]

    public init(service: String, method: String, payload: @escaping @Sendable (_ streamID: UInt32) -> [UInt8]) {
        self.service = service
        self.method = method
        self.payload = payload
    }
}

extension TTRPCClientError {
    /// The error for a server with this uid, which is not trusted.
    static func notBelieved(uid: UInt32) -> TTRPCClientError {
        UserNamespace.hides(uid) ? .unmappedServer(uid: uid) : .untrustedServer(uid: uid)
    }
}
