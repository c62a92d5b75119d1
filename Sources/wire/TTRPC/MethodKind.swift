/// How a method is called. Servers ask their service, and ignore the flags of requests, which differ between clients.
public enum MethodKind: Hashable, Sendable, CaseIterable {
    /// One request, one response.
    case unary
    /// One request, then messages until the server ends the stream.
    case serverStream

    /// The flags that our clients set. They never send more on a stream after its request.
    public var requestFlags: FrameFlags {
        switch self {
        case .unary: []
        case .serverStream: .remoteClosed
        }
    }
}
