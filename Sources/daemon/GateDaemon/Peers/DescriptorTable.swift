import Glibc

/// The descriptors of this process, as the kernel keeps them: every connection takes one.
enum DescriptorTable {
    /// For the store, the event loop, the journal, and what is opened for a moment.
    private static let others = 256

    /// As many descriptors as may be had, the soft limit is often 1,024; and room for these connections from the start on.
    ///
    /// The kernel begins with room for 64, and doubles it when they are taken. In a process of several threads it waits each
    /// time until all processors have been elsewhere: 10 to 25 ms, in which nobody would be served. So this is done while there
    /// is one thread.
    static func prepare(for connections: Int) {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let last = CInt(min(limit.rlim_cur, rlim_t(connections + others))) - 1
        make(roomFor: last)
    }

    /// Where there is no room to be had, the table grows as it would have.
    private static func make(roomFor descriptor: CInt) {
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard nothing >= 0 else { return }
        let copy = fcntl(nothing, F_DUPFD_CLOEXEC, descriptor)
        if copy >= 0 { close(copy) }
        close(nothing)
    }
}
