public import GateModel
import TTRPCTransport

/// The encoded messages of a server stream. Ends at end of data. Giving it up ends it on the daemon too.
public struct MessageStream: AsyncSequence, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = GateError

    let stream: TTRPCClientStream
    let options: GateClientOptions

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: stream.makeAsyncIterator(), options: options)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: TTRPCClientStream.AsyncIterator
        let options: GateClientOptions

        /// Whether `next` returns at once. What the daemon sent before it answered a call has come before the answer.
        public var hasNext: Bool { iterator.hasNext }

        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(GateError) -> [UInt8]? {
            do throws(TTRPCClientError) {
                return try await iterator.next(isolation: actor)
            } catch {
                throw GateError(error, options: options)
            }
        }
    }
}
