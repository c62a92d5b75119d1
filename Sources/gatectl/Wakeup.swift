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

    func wake() {
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
    }

    /// The descriptor to write to, for a signal handler.
    var signalDescriptor: CInt { writeEnd }
}
