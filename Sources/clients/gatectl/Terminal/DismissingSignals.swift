import Glibc

/// Woken by the signals. It is never closed, since a handler may still run after another thread stopped catching.
private let dismissal = Wakeup()

/// As long as it catches them, the signals that take a question away from a person (Ctrl-C, Ctrl-\\, a hang-up,
/// SIGTERM) only wake `wakeup`, so that the daemon can be told about the dismissal. Only one may catch at a time.
final class DismissingSignals: Sendable {
    let wakeup: Wakeup
    private let before: [Handled]

    private struct Handled: @unchecked Sendable {
        let number: CInt
        let action: sigaction
    }

    /// Begins to catch; `nil` if the process has no descriptors left.
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

    /// Stops catching. Hang-ups are ignored from then on: a terminal that goes away sends several, and the exit status
    /// still has to say how the question ended.
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
