import Glibc
import Synchronization

/// Runs blocking work on a thread of its own, so that it does not occupy one of the threads that Swift's tasks share.
enum OwnThread {
    /// Runs the body and returns its result. `nil` if no thread could be created: then the body did not run.
    static func run<Success: Sendable>(_ body: @escaping @Sendable () -> Success) async -> Success? {
        // The result is behind a lock only for the thread sanitizer, which does not see the hand-over by a continuation
        // that is resumed before it is awaited.
        let outcome = Outcome<Success>()
        await withCheckedContinuation { continuation in
            let hasBegun = start {
                let success = body()
                outcome.success.withLock { $0 = success }
                continuation.resume()
            }
            if !hasBegun { continuation.resume() }
        }
        return outcome.success.withLock { $0 }
    }

    private final class Outcome<Success: Sendable>: Sendable {
        let success = Mutex<Success?>(nil)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { box in
                guard let box else { return nil }
                Unmanaged<Body>.fromOpaque(box).takeRetainedValue().run()
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            box.release()
            return false
        }
        pthread_detach(thread)
        return true
    }
}
