import Glibc

/// Ends a `poll` from another thread, or from a signal handler.
final class Wakeup: Sendable {
    /// It becomes readable when `wake` is called.
    let descriptor: CInt
    private let writeEnd: CInt

    /// `nil` if the process has no descriptors left.
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

    /// May be called from a signal handler: it allocates nothing and keeps `errno`.
    func wake() {
        let errorBefore = errno
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
        errno = errorBefore
    }

    /// Forgets all calls of `wake` so far.
    func settle() {
        var bytes: (UInt64, UInt64) = (0, 0)
        while read(descriptor, &bytes, 16) > 0 {}
    }

    /// Returns when `wake` was called, or the task was cancelled.
    func awoken() async {
        guard let stop = Wakeup() else { return }
        _ = await stop.wokenByCancellation { [descriptor] in
            var descriptors = [descriptor, stop.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            while poll(&descriptors, 2, -1) < 0 {}
        }
    }

    /// Runs blocking work on a thread of its own. If the task is cancelled, this is woken, and the body has to return.
    /// `nil` if no thread could be created.
    func wokenByCancellation<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result? {
        await withTaskCancellationHandler {
            await OwnThread.run(body)
        } onCancel: {
            wake()
        }
    }
}
