/// The encoded messages of a server stream.
///
/// It ends at the end of data, and throws at an error or a lost connection. Cancelling the task that reads, or dropping
/// the stream and its iterators, cancels it at the server. Each message is delivered once, even where several tasks
/// iterate.
public struct TTRPCClientStream: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = TTRPCClientError

    /// Its id on the connection.
    public let streamID: UInt32
    private let reader: StreamReader

    init(streamID: UInt32, reader: StreamReader) {
        self.streamID = streamID
        self.reader = reader
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(reader: reader)
    }

    /// Gives the stream up: who reads it gets `cancelled`, and messages that nobody has taken are gone.
    public func cancel() {
        reader.cancel()
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: StreamReader

        /// Whether `next` returns at once: a message is here, or the end. Messages that the server sent before it answered a
        /// call are here before the answer.
        public var hasNext: Bool { reader.hasNext }

        /// The next message; `nil` at the end of data.
        public mutating func next() async throws(TTRPCClientError) -> [UInt8]? {
            try await reader.next(isolation: nil)
        }

        /// The next message; `nil` at the end of data.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(TTRPCClientError) -> [UInt8]? {
            try await reader.next(isolation: actor)
        }
    }
}

/// The reader that the stream and its iterators share. When the last of them is gone, the stream is given up.
final class StreamReader: Sendable {
    /// A connection closes when nobody holds it any more.
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
