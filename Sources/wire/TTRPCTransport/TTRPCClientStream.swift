/// The messages of a server stream, encoded. Iterating ends at the end of data, and throws on an error or a lost
/// connection. The stream is cancelled at the server when a reading task is cancelled, or when the stream and its
/// iterators are no longer referenced. Each message is delivered once, even if several tasks iterate.
public struct TTRPCClientStream: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = TTRPCClientError

    public let streamID: UInt32
    private let reader: StreamReader

    init(streamID: UInt32, reader: StreamReader) {
        self.streamID = streamID
        self.reader = reader
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader)
    }

    /// Cancels the stream at the server. Its readers get `cancelled`, and messages that were not read are dropped.
    public func cancel() {
        reader.cancel()
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: StreamReader

        /// Whether `next` returns at once, because a message or the end is here. When a call returns, all messages that
        /// the server sent before its answer are here.
        public var hasNext: Bool { reader.hasNext }

        public mutating func next() async throws(TTRPCClientError) -> [UInt8]? {
            try await reader.next(isolation: nil)
        }

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TTRPCClientError) -> [UInt8]? {
            try await reader.next(isolation: actor)
        }
    }
}

/// The reader that a stream and its iterators share. The stream is given up when the last of them is gone.
final class StreamReader: Sendable {
    /// Keeps the connection open, since it closes when nothing references it any more.
    private let connection: TTRPCClientConnection
    private let buffer: StreamBuffer
    private let giveUp: @Sendable () -> Void

    init(connection: TTRPCClientConnection, buffer: StreamBuffer, giveUp: @escaping @Sendable () -> Void) {
        self.connection = connection
        self.buffer = buffer
        self.giveUp = giveUp
    }

    deinit {
        cancel()
    }

    var hasNext: Bool { buffer.hasNext }

    func next(isolation: isolated (any Actor)?) async throws(TTRPCClientError) -> [UInt8]? {
        try await buffer.next(isolation: isolation) { [buffer, giveUp] in
            if buffer.abandon() { giveUp() }
        }
    }

    func cancel() {
        if buffer.abandon() { giveUp() }
    }
}
