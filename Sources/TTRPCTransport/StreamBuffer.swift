import NIOConcurrencyHelpers
import NIOCore

/// Messages of one stream between the event loop that receives them and the task that reads them.
final class StreamBuffer: Sendable {
    typealias Next = Result<[UInt8]?, TTRPCClientError>

    private struct State: Sendable {
        var messages = CircularBuffer<[UInt8]>()
        var byteCount = 0
        /// The end that a reader gets after the last message; `.success(nil)` is the end of data.
        var end: Next?
        /// Tasks that wait for a message, in order. Only while there are neither messages nor an end.
        var readers: [(id: UInt64, continuation: CheckedContinuation<Next, Never>)] = []
        var lastReader: UInt64 = 0
        var cancelledReaders: Set<UInt64> = []
    }

    // Not `Mutex`: the thread sanitizer doesn't see its futex, and reports a race.
    private let state = NIOLockedValueBox(State())
    /// Called, on the reader's side, with the length of every message that was taken.
    private let messageTaken: @Sendable (_ byteCount: Int) -> Void

    init(messageTaken: @escaping @Sendable (_ byteCount: Int) -> Void) {
        self.messageTaken = messageTaken
    }

    /// Adds a message, from the event loop. Returns whether it was kept; otherwise a reader has it already, or nobody wants it.
    func deliver(_ message: [UInt8]) -> Bool {
        let (reader, isKept) = state.withLockedValue { state -> (CheckedContinuation<Next, Never>?, Bool) in
            guard state.end == nil else { return (nil, false) }
            guard state.readers.isEmpty else { return (state.readers.removeFirst().continuation, false) }
            state.messages.append(message)
            state.byteCount += message.count
            return (nil, true)
        }
        reader?.resume(returning: .success(message))
        return isKept
    }

    /// Ends the stream, from the event loop. Only the first end counts.
    func end(_ end: Next) {
        let readers = state.withLockedValue { state in
            guard state.end == nil else { return [] as [CheckedContinuation<Next, Never>] }
            state.end = end
            defer { state.readers = [] }
            return state.readers.map(\.continuation)
        }
        for reader in readers { reader.resume(returning: end) }
    }

    /// Gives the stream up, since nobody reads it any more. Returns whether it was open until now.
    func abandon() -> Bool {
        let (wasOpen, byteCount, readers) = state.withLockedValue { state in
            defer {
                state.end = state.end ?? .failure(.cancelled)
                state.messages = []
                state.byteCount = 0
                state.readers = []
            }
            return (state.end == nil, state.byteCount, state.readers.map(\.continuation))
        }
        for reader in readers { reader.resume(returning: .failure(.cancelled)) }
        if byteCount > 0 { messageTaken(byteCount) }
        return wasOpen
    }

    /// Whether `next` returns at once: a message is here, or the end.
    var hasNext: Bool {
        state.withLockedValue { !$0.messages.isEmpty || $0.end != nil }
    }

    /// The next message, `nil` at the end of data. `cancelled` is called when the reading task is cancelled meanwhile.
    func next(
        isolation: isolated (any Actor)?, cancelled: @escaping @Sendable () -> Void
    ) async throws(TTRPCClientError) -> [UInt8]? {
        let id = state.withLockedValue { state in
            state.lastReader += 1
            return state.lastReader
        }
        let next = await withTaskCancellationHandler(
            operation: {
                await withCheckedContinuation(isolation: isolation) { continuation in
                    let (next, taken) = self.takeOrWait(id, continuation)
                    if let taken { self.messageTaken(taken) }
                    if let next { continuation.resume(returning: next) }
                }
            },
            onCancel: {
                let reader = self.cancelReader(id)
                reader?.resume(returning: .failure(.cancelled))
                cancelled()
            }, isolation: isolation)
        state.withLockedValue { _ = $0.cancelledReaders.remove(id) }
        return try next.get()
    }

    private func takeOrWait(
        _ id: UInt64, _ continuation: CheckedContinuation<Next, Never>
    ) -> (next: Next?, taken: Int?) {
        state.withLockedValue { state in
            if state.cancelledReaders.contains(id) { return (.failure(.cancelled), nil) }
            if let message = state.messages.popFirst() {
                state.byteCount -= message.count
                return (.success(message), message.count)
            }
            if let end = state.end { return (end, nil) }
            state.readers.append((id, continuation))
            return (nil, nil)
        }
    }

    /// The continuation of the reader; `nil` if it does not wait yet, and will find itself cancelled.
    private func cancelReader(_ id: UInt64) -> CheckedContinuation<Next, Never>? {
        state.withLockedValue { state in
            if let index = state.readers.firstIndex(where: { $0.id == id }) {
                return state.readers.remove(at: index).continuation
            }
            state.cancelledReaders.insert(id)
            return nil
        }
    }
}
