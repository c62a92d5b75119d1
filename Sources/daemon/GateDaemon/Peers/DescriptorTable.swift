import Glibc

/// The table of this process's file descriptors. Every connection takes one.
enum DescriptorTable {
    /// How many descriptors the store, the event loop, the journal and short-lived files need.
    private static let others = 256

    /// Raises the limit of descriptors as far as possible (the soft limit is often 1,024), and makes the kernel's table
    /// large enough for these connections. Call this while there is one thread: the table begins with room for 64 and
    /// doubles when it is full, and in a process with several threads the kernel then waits until all processors have
    /// passed through the scheduler. For 10 to 25 ms nothing would be served.
    static func prepare(for connections: Int) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let last = CInt(min(limit.rlim_cur, rlim_t(connections + others))) - 1
        make(roomFor: last)
    }

    /// If this fails, the table grows later as it would have.
    private static func make(roomFor descriptor: CInt) {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard nothing >= 0 else { return }
        let copy = fcntl(nothing, F_DUPFD_CLOEXEC, descriptor)
        if copy >= 0 { close(copy) }
        close(nothing)
    }
}
