import Glibc
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// Threads that may wait, for a disk or for a hash, so that the event loop need not.
protocol BlockingThreads: Sendable {
    /// Does the work as soon as one of them is free. Begun with the first work; after `end` nothing is done.
    func submit(_ work: @escaping @Sendable () -> Void)
    /// Returns when none of them works any more. What had not begun is not done.
    func end() async
}

extension BlockingThreads {
    /// Does the work as soon as one of them is free, and then calls `then` on the event loop, where this is called too.
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

/// Runs the tasks that prefer it on threads that may wait.
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

/// The threads of the system.
final class SystemThreads: BlockingThreads {
    private let pool: NIOThreadPool
    private let niceness: CInt
    private let hasEnded = NIOLockedValueBox(false)

    /// - Parameter niceness: of the threads alone, as nice(1) has it: 0 is as everybody else.
    init(count: Int, niceness: CInt) {
        self.niceness = niceness
        pool = NIOThreadPool(numberOfThreads: count)
    }

    func submit(_ work: @escaping @Sendable () -> Void) {
        hasEnded.withLockedValue { hasEnded in
            // A pool that has ended would begin again, and nobody would end it.
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
