public struct ConnectionLimits: Hashable, Sendable {
    /// The protocol's own limit for the data of one frame.
    public static let protocolFrameBytes = 4 << 20

    /// The most data in a frame that we send, and in a frame that a client accepts; in bytes.
    public var maximumFrameBytes: Int
    /// The most data in a request frame that a server accepts, in bytes. A longer one gets `RESOURCE_EXHAUSTED`.
    public var maximumRequestBytes: Int
    /// The most calls and streams that may be open at once. One more is refused with `RESOURCE_EXHAUSTED`.
    public var maximumStreams: Int
    /// With more bytes queued for a peer, the server does not read from it, and services should send only the newest.
    public var backlogBytes: Int
    /// When more bytes than this are queued for a peer, the server closes its connection.
    public var maximumQueuedBytes: Int
    /// With more bytes than this unread by its slow readers, a client stops reading from the socket, unless a call
    /// waits for its answer.
    public var streamBufferBytes: Int
    /// With more bytes than this unread by its slow readers, a client ends the stream that gets the next message.
    public var maximumStreamBufferBytes: Int
    /// The most refused peers that a server keeps connected, for up to a second, to answer their first request.
    public var maximumRefusedConnections: Int

    public init(
        maximumFrameBytes: Int = ConnectionLimits.protocolFrameBytes,
        maximumRequestBytes: Int = ConnectionLimits.protocolFrameBytes,
        maximumStreams: Int = 256,
        backlogBytes: Int = 64 << 10,
        maximumQueuedBytes: Int = 32 << 20,
        streamBufferBytes: Int = 1 << 20,
        maximumStreamBufferBytes: Int = 16 << 20,
        maximumRefusedConnections: Int = 64
    ) {
        self.maximumFrameBytes = maximumFrameBytes
        self.maximumRequestBytes = maximumRequestBytes
        self.maximumStreams = maximumStreams
        self.backlogBytes = backlogBytes
        self.maximumQueuedBytes = maximumQueuedBytes
        self.streamBufferBytes = streamBufferBytes
        self.maximumStreamBufferBytes = maximumStreamBufferBytes
        self.maximumRefusedConnections = maximumRefusedConnections
    }
}
