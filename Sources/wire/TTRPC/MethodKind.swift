/// How a method is called. Servers take this from the service's descriptor, since clients' flags differ.
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
