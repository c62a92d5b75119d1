import Glibc

/// Woken by SIGWINCH. It is never closed, since a handler may still run after another thread stopped catching.
private let resize = Wakeup()

/// As long as it exists, a change of the terminal's size wakes `wakeup`. Only one may exist at a time.
final class ResizeSignal: Sendable {
    let wakeup: Wakeup

    /// `nil` if the process has no descriptors left.
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
