import Glibc

/// What the signal wakes. Made once and never closed: a handler may still run when another thread no longer catches it.
private let resize = Wakeup()
/// Where the handler writes.
private let resizeDescriptor = resize?.signalDescriptor ?? -1

/// While it catches, a change of the terminal's size wakes `wakeup`. One at a time.
final class ResizeSignal: Sendable {
    let wakeup: Wakeup

    /// `nil` where the process has no descriptors left.
    init?() {
        guard let wakeup = resize, resizeDescriptor >= 0 else { return nil }
        self.wakeup = wakeup
        wakeup.settle()
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
    }
}
