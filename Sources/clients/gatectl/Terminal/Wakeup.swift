import Glibc

/// Ends a `poll` from another thread.
final class Wakeup: Sendable {
    /// Readable once `wake` was called.
    let descriptor: CInt
    private let writeEnd: CInt

    /// `nil` where the process has no descriptors left.
    init?() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (descriptor, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writeEnd)
    }

    /// Also from a signal handler: it allocates nothing, and leaves `errno` alone.
    func wake() {
        let errorBefore = errno
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
        errno = errorBefore
    }

    /// Takes the wakes back that there were until now.
    func settle() {
        var bytes: (UInt64, UInt64) = (0, 0)
        while read(descriptor, &bytes, 16) > 0 {}
    }

    /// Returns once `wake` was called, or the task was cancelled.
    func awoken() async {
        guard let stop = Wakeup() else { return }
        _ = await stop.wokenByCancellation { [descriptor] in
            var descriptors = [descriptor, stop.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            while poll(&descriptors, 2, -1) < 0 {}
        }
    }

    /// Runs what blocks on a thread of its own. Cancellation of the task wakes this, and the body is to return then. `nil`
    /// where there was no thread to run it.
    func wokenByCancellation<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result? {
        await withTaskCancellationHandler {
            await OwnThread.run(body)
        } onCancel: {
            wake()
        }
    }
}
