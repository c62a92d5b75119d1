import Glibc
import Synchronization

/// A thread for what blocks, so that it holds none of those that Swift's tasks run on.
enum OwnThread {
    /// `nil` where the process can have no more threads; then the body never runs.
    static func run<Success: Sendable>(_ body: @escaping @Sendable () -> Success) async -> Success? {
        // Under a lock: the thread sanitizer does not see how a continuation that is resumed before it is awaited hands over.
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
