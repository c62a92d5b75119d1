import CGTK
import CSwiftJobs
import CTimerFD
package import GateModel
import Glibc

extension GLibLoop {
    /// Runs all jobs of the program in this loop, including those of tasks without an actor, so that there is no other
    /// thread that could wake the program. Has to be called before the first task.
    package nonisolated static func takeAllJobs() {
        swift_jobs_hand_to { job in
            g_idle_add_full(
                G_PRIORITY_DEFAULT,
                { job in
                    swift_jobs_run(job)
                    return 0
                }, job, nil)
        }
    }

    /// Returns after this duration or a little later, not counting the time that the device sleeps.
    /// - Throws: `CancellationError`.
    package static func sleep(for duration: Duration) async throws {
        let milliseconds = max(0, duration.millisecondsRoundedUp)
        try await Sleep().last { sleep in
            g_timeout_add_full(
                G_PRIORITY_DEFAULT, guint(clamping: milliseconds),
                { data in
                    Sleep.wake(data)
                    return 0
                }, Unmanaged.passRetained(sleep).toOpaque(), Sleep.release)
        }
    }

    /// Returns at this moment of the boot clock, which also runs while the device sleeps, or a little later; after a
    /// second if the kernel has no timer left.
    /// - Throws: `CancellationError`.
    package static func sleep(until moment: BootTime) async throws {
        let timer = boot_timer_create()
        // Zero would disarm the timer.
        guard timer >= 0, boot_timer_set(timer, max(1, moment.nanoseconds)) == 0 else {
            if timer >= 0 { close(timer) }
            return try await sleep(for: .seconds(1))
        }
        defer { close(timer) }
        try await Sleep().last { sleep in
            g_unix_fd_add_full(
                G_PRIORITY_DEFAULT, timer, G_IO_IN,
                { _, _, data in
                    Sleep.wake(data)
                    return 0
                }, Unmanaged.passRetained(sleep).toOpaque(), Sleep.release)
        }
    }
}

/// Redraws something at the moment at which it changes by itself. Without such a moment there is no timer.
@GLibLoop
package final class RedrawTimer {
    private var task: Task<Void, Never>?
    private var end: BootTime?

    package init() {}

    /// Calls the body at this moment, and drops the moment that was set before; `nil`: never.
    package func set(to time: BootTime?, _ draw: @escaping @GLibLoop () -> Void) {
        guard time != end else { return }
        task?.cancel()
        end = time
        task = time.map { time in
            Task {
                try? await GLibLoop.sleep(until: time)
                guard !Task.isCancelled else { return }
                end = nil
                draw()
            }
        }
    }
}

/// A task that waits for a GLib source. The source owns this object.
@GLibLoop
private final class Sleep {
    private var sleeper: CheckedContinuation<Void, any Error>?
    private var source: guint = 0

    /// Returns when the source that `begin` attaches, and whose id it returns, has called `wake`.
    /// - Throws: `CancellationError`; the source is removed.
    func last(_ begin: @GLibLoop (Sleep) -> guint) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sleeper in
                self.sleeper = sleeper
                source = begin(self)
            }
        } onCancel: {
            Task { @GLibLoop in cancel() }
        }
    }

    private func cancel() {
        guard let sleeper else { return }
        self.sleeper = nil
        g_source_remove(source)
        sleeper.resume(throwing: CancellationError())
    }

    nonisolated static func wake(_ data: gpointer?) {
        guard let data else { return }
        let sleep = Unmanaged<Sleep>.fromOpaque(data).takeUnretainedValue()
        GLibLoop.assumeIsolated {
            sleep.sleeper?.resume()
            sleep.sleeper = nil
        }
    }

    static let release: GDestroyNotify = { data in
        guard let data else { return }
        Unmanaged<Sleep>.fromOpaque(data).release()
    }
}
