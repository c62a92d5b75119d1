import NIOPosix

/// Threads that may wait, for a disk or for a hash, so that the event loop need not.
protocol BlockingThreads: Sendable {
    /// Does the work as soon as one of them is free. Begun with the first work.
    func submit(_ work: @escaping @Sendable () -> Void)
    /// Returns when none of them works any more. What had not begun is not done.
    func end() async
}

/// Those of the system.
final class SystemThreads: BlockingThreads {
    private let pool: NIOThreadPool

    init(count: Int) {
        pool = NIOThreadPool(numberOfThreads: count)
    }

    func submit(_ work: @escaping @Sendable () -> Void) {
        pool.start()
        pool.submit { state in
            guard case .active = state else { return }
            work()
        }
    }

    func end() async {
        try? await pool.shutdownGracefully()
    }
}
