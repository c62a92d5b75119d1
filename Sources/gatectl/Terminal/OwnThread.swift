import Glibc

/// A thread for what blocks, so that it holds none of those that Swift's tasks run on.
enum OwnThread {
    /// `nil` where the process can have no more threads; then the body never runs.
    static func run<Success: Sendable>(_ body: @escaping @Sendable () -> Success) async -> Success? {
        await withCheckedContinuation { continuation in
            let hasBegun = start { continuation.resume(returning: body()) }
            if !hasBegun { continuation.resume(returning: nil) }
        }
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
