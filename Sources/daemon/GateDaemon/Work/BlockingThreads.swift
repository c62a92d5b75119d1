import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Threads that may block, for a disk or a hash, so that the event loop doesn't.
protocol BlockingThreads: Sendable {
    /// Does the work as soon as a thread is free. The threads start with the first work. After `end`, work is dropped.
    func submit(_ work: @escaping @Sendable () -> Void)
    /// Returns when no thread works any more. Work that had not begun is dropped.
    func end() async
}

extension BlockingThreads {
    /// Called on the event loop. Does the work as soon as a thread is free, then calls `then` on that loop.
    func submit<Outcome: Sendable>(
        on eventLoop: any EventLoop, _ work: @escaping @Sendable () -> Outcome, then: @escaping (Outcome) -> Void
    ) {
        let then = NIOLoopBound(then, eventLoop: eventLoop)
        submit {
            let outcome = work()
            eventLoop.execute { then.value(outcome) }
        }
    }
}

/// Runs tasks on threads that may block, if they prefer this executor.
final class ThreadExecutor: TaskExecutor {
    private let threads: any BlockingThreads

    init(_ threads: any BlockingThreads) {
        self.threads = threads
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        threads.submit { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

final class SystemThreads: BlockingThreads {
    private let pool: NIOThreadPool
    private let niceness: CInt
    private let hasEnded = NIOLockedValueBox(false)

    /// - Parameter niceness: of these threads alone, as for nice(1); 0 is normal.
    init(count: Int, niceness: CInt) {
        self.niceness = niceness
        pool = NIOThreadPool(numberOfThreads: count)
    }

    func submit(_ work: @escaping @Sendable () -> Void) {
        hasEnded.withLockedValue { hasEnded in
            // A pool that was shut down would start again and never be ended.
            guard !hasEnded else { return }
            pool.start()
            pool.submit { [niceness] state in
                guard case .active = state else { return }
                if niceness != 0 { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness) }
                work()
            }
        }
    }

    func end() async {
        hasEnded.withLockedValue { $0 = true }
        try? await pool.shutdownGracefully()
    }
}
