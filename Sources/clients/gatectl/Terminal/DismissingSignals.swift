import Glibc

/// The wakeup for signals. Made once and never closed: a handler may still run when another thread no longer catches them.
private let dismissal = Wakeup()

/// While it catches, what takes a question off a person (Ctrl-C, Ctrl-\\, a hang-up, being asked to end) wakes `wakeup`
/// and does nothing else: the dismissal is still to be told to the daemon. One at a time.
final class DismissingSignals: Sendable {
    let wakeup: Wakeup
    private let before: [Handled]

    private struct Handled: @unchecked Sendable {
        let number: CInt
        let action: sigaction
    }

    /// Catches from now on; `nil` where the process has no descriptors left.
    init?() {
        guard let wakeup = dismissal else { return nil }
        self.wakeup = wakeup
        wakeup.settle()
        before = [SIGINT, SIGQUIT, SIGHUP, SIGTERM].map { number in
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in dismissal?.wake() }
            var before = sigaction()
            sigaction(number, &action, &before)
            return Handled(number: number, action: before)
        }
    }

    /// Leaves hang-ups ignored: a terminal that goes away says so more than once, and the exit status is still to tell
    /// what became of the question.
    func stopCatching() {
        for handled in before {
            if handled.number == SIGHUP {
                signal(SIGHUP, SIG_IGN)
            } else {
                withUnsafePointer(to: handled.action) { _ = sigaction(handled.number, $0, nil) }
            }
        }
    }
}
