/// The limits of one connection.
public struct ConnectionLimits: Hashable, Sendable {
    /// The most that the protocol allows: 4 MiB of data in one frame.
    public static let protocolFrameBytes = 4 << 20

    /// Data of one frame that we send, and of one that a client accepts; in bytes.
    public var maximumFrameBytes: Int
    /// Data of one request frame that a server accepts, in bytes. Past it: discarded, `RESOURCE_EXHAUSTED`.
    public var maximumRequestBytes: Int
    /// Calls and streams open at the same time. Past it: `RESOURCE_EXHAUSTED`.
    public var maximumStreams: Int
    /// Bytes queued to a peer that does not read, from which on a server's service should conflate, and from which on
    /// the server reads nothing more from that peer.
    public var backlogBytes: Int
    /// Bytes queued to a peer, past which a server closes its connection.
    public var maximumQueuedBytes: Int
    /// Bytes of stream messages that a client keeps for a reader who is slow. Past it the client stops reading from the
    /// socket, unless a call waits for its answer.
    public var streamBufferBytes: Int
    /// Bytes of stream messages past which the slow reader's stream fails.
    public var maximumStreamBufferBytes: Int
    /// Refused connections that a server keeps, for at most a second, to answer their first request.
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
