import NIOConcurrencyHelpers
import NIOCore

/// Passes the messages of one stream from the event loop to the tasks that read them.
final class StreamBuffer: Sendable {
    typealias Next = Result<[UInt8]?, TTRPCClientError>

    private struct State: Sendable {
        var messages = CircularBuffer<[UInt8]>()
        var byteCount = 0
        /// What readers get after the last message. `.success(nil)` is the end of data.
        var end: Next?
        /// Tasks that wait, the first of them next. Empty while there are messages or an end.
        var readers: [(id: UInt64, continuation: CheckedContinuation<Next, Never>)] = []
        var lastReader: UInt64 = 0
        var cancelledReaders: Set<UInt64> = []
    }

    // Not `Mutex`: the thread sanitizer doesn't understand its futex, and reports a race.
    private let state = NIOLockedValueBox(State())
    /// Called with the length of each message that a reader took from the buffer, and with that of all dropped ones.
    private let messageTaken: @Sendable (_ byteCount: Int) -> Void

    init(messageTaken: @escaping @Sendable (_ byteCount: Int) -> Void) {
        self.messageTaken = messageTaken
    }

    /// Adds a message, on the event loop. Returns false if a waiting reader got it, or the stream has ended.
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

    /// Ends the stream; later calls change nothing. Call it on the event loop.
    func end(_ end: Next) {
        let readers = state.withLockedValue { state in
            guard state.end == nil else { return [] as [CheckedContinuation<Next, Never>] }
            state.end = end
            defer { state.readers = [] }
            return state.readers.map(\.continuation)
        }
        for reader in readers { reader.resume(returning: end) }
    }

    /// Ends the stream because nobody reads it any more, and drops its messages. Returns whether it was open.
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

    /// Whether `next` would return at once, with a message or the end.
    var hasNext: Bool {
        state.withLockedValue { !$0.messages.isEmpty || $0.end != nil }
    }

    /// The next message; `nil` at the end of data. `cancelled` is called if the reading task is cancelled meanwhile.
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

    /// The reader's continuation; `nil` if it does not wait yet. In that case it finds itself cancelled later.
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
