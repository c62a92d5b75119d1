import Glibc

/// The wakeup for the signal. Made once and never closed: a handler may still run when another thread no longer catches it.
private let resize = Wakeup()

/// While it catches, a change of the terminal's size wakes `wakeup`. One at a time.
final class ResizeSignal: Sendable {
    let wakeup: Wakeup

    /// `nil` where the process has no descriptors left.
    init?() {
        guard let wakeup = resize else { return nil }
        self.wakeup = wakeup
        wakeup.settle()
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in resize?.wake() }
        sigaction(SIGWINCH, &action, nil)
    }

    deinit {
        signal(SIGWINCH, SIG_DFL)
    }
}
