/// How a method is called. The service's descriptor says which it is; the flags of a request do not (clients differ).
public enum MethodKind: Hashable, Sendable, CaseIterable {
    /// One request, one response.
    case unary
    /// One request, then messages from the server until it ends the stream.
    case serverStream

    /// The flags of a request for such a method. A client of ours never sends more after its request.
    public var requestFlags: FrameFlags {
        switch self {
        case .unary: []
        case .serverStream: .remoteClosed
        }
    }
}
