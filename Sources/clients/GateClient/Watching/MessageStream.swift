package import GateModel
import TTRPCTransport

/// The encoded messages of a server stream, up to its end of data. Releasing the stream ends it on the daemon too.
package struct MessageStream: AsyncSequence, Sendable {
    package typealias Element = [UInt8]
    package typealias Failure = GateError

    let stream: TTRPCClientStream
    let options: GateClientOptions

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: stream.makeAsyncIterator(), options: options)
    }

    /// Ends the stream. A task that waits for its next message gets `CANCELLED`.
    func cancel() {
        stream.cancel()
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: TTRPCClientStream.AsyncIterator
        let options: GateClientOptions

        /// Whether `next` returns at once. True for each message that the daemon sent before it answered a call.
        package var hasNext: Bool { iterator.hasNext }

        package mutating func next(
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
