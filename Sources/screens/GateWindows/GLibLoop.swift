import CGTK

/// The thread of GTK as an actor: its jobs run in GLib's main loop, between the events of the screen.
@globalActor
package actor GLibLoop {
    package static let shared = GLibLoop()
    private static let executor = GLibExecutor()

    package nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }

    /// Runs a callback of GTK, which is on GTK's thread already. Traps on any other thread.
    package static func assumeIsolated<Result>(_ operation: @GLibLoop () -> Result) -> Result {
        precondition(g_main_context_is_owner(nil) != 0, "GTK called from another thread than its own")
        return withoutActuallyEscaping(operation) { unsafeBitCast($0, to: (() -> Result).self)() }
    }
}

/// Puts each job into the queue of GLib's main loop.
private final class GLibExecutor: SerialExecutor {
    private final class Job {
        let job: UnownedJob
        let executor: GLibExecutor

        init(_ job: UnownedJob, on executor: GLibExecutor) {
            self.job = job
            self.executor = executor
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = Unmanaged.passRetained(Job(UnownedJob(job), on: self)).toOpaque()
        // After input that has come already, and before drawing.
        g_idle_add_full(
            G_PRIORITY_DEFAULT,
            { pointer in
                guard let pointer else { return 0 }
                let job = Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue()
                job.job.runSynchronously(on: job.executor.asUnownedSerialExecutor())
                return 0
            }, job, nil)
    }

    func checkIsolated() {
        precondition(g_main_context_is_owner(nil) != 0, "a job of the screen's on another thread")
    }
}
