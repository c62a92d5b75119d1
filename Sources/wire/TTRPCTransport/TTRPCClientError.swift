public import TTRPC

/// Why a client's connection, call or stream failed.
public enum TTRPCClientError: Error, Hashable, Sendable {
    /// No connection could be made. The text is "path: reason".
    case unreachable(String)
    /// The server runs as a user who is not trusted. Nothing was sent to it.
    case untrustedServer(uid: UInt32)
    /// This user namespace does not map the server's user, whose uid stands for all such users. Nothing was sent.
    case unmappedServer(uid: UInt32)
    /// The server, or a limit on this side, refused the call or ended the stream.
    case status(Status)
    /// The connection ended before the answer arrived. The call may have been carried out.
    case connectionLost
    /// The call's timeout passed on this side.
    case timedOut
    /// The task or the stream was cancelled. If the request had been sent, and a `CancellationMethod` was given, the
    /// server was told.
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

/// The unary call that tells a server that a call or stream was given up. ttrpc itself has no cancellation.
public struct CancellationMethod: Sendable {
    public var service: String
    public var method: String
    /// Encodes the request for the stream with this id.
    public var payload: @Sendable (_ streamID: UInt32) -> [UInt8]

    public init(service: String, method: String, payload: @escaping @Sendable (_ streamID: UInt32) -> [UInt8]) {
        self.service = service
        self.method = method
        self.payload = payload
    }
}

extension TTRPCClientError {
    /// Why a server that runs as this user is not believed; `nil` if it is. The number that stands for all unmapped
    /// users is never believed, even if it is among the trusted ones: nobody can tell which of those users it is.
    static func distrust(ofServer uid: UInt32, unlessIn trusted: Set<UInt32>) -> TTRPCClientError? {
        if UserNamespace.hides(uid) { return .unmappedServer(uid: uid) }
        return trusted.contains(uid) ? nil : .untrustedServer(uid: uid)
    }
}
