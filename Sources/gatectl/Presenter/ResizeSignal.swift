import Glibc

/// Where the signal handler writes; -1 while it is not caught.
nonisolated(unsafe) private var resizeDescriptor: CInt = -1

/// While it catches, a change of the terminal's size wakes `wakeup`. One at a time.
final class ResizeSignal: Sendable {
    let wakeup: Wakeup

    /// `nil` where the process has no descriptors left.
    init?() {
        guard let wakeup = Wakeup() else { return nil }
        self.wakeup = wakeup
        resizeDescriptor = wakeup.signalDescriptor
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            let errorBefore = errno
            var byte: UInt8 = 1
            _ = write(resizeDescriptor, &byte, 1)
            errno = errorBefore
        }
        sigaction(SIGWINCH, &action, nil)
    }

    deinit {
        signal(SIGWINCH, SIG_DFL)
        resizeDescriptor = -1
    }
}
