import Epoll
import NIOCore
import Synchronization

/// Asks a daemon to stop, from any thread.
public final class StopRequest: Sendable {
    /// What to call when the stop is requested; `nil` once it was.
    private let waiting = Mutex<[@Sendable () -> Void]?>([])

    public init() {}

    public func make() {
        let waiting = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting ?? []
        }
        for resume in waiting { resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in whenMade { continuation.resume() } }
    }

    /// - Returns: whether the stop was requested within that time.
    func wait(atMost time: Duration, on loop: EpollLoop) async -> Bool {
        let ended = loop.makePromise(of: Void.self)
        let tooLate = loop.scheduleTask(in: TimeAmount(time)) { ended.succeed() }
        whenMade { ended.succeed() }
        try? await ended.futureResult.get()
        tooLate.cancel()
        return waiting.withLock { $0 == nil }
    }

    private func whenMade(_ resume: @escaping @Sendable () -> Void) {
        let isMade = waiting.withLock { waiting in
            waiting?.append(resume)
            return waiting == nil
        }
        if isMade { resume() }
    }
}
