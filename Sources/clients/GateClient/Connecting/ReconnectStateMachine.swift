/// When to try again after the daemon was lost: at once at first, then ever more rarely, so that a thousand watchers do
/// not all knock in the same moment.
///
/// Only having caught up counts as success. A daemon that accepts a connection and drops it again is not there yet, and
/// the wait grows on.
struct ReconnectStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// An attempt is under way, after so many failures in a row. Can go to: attached, waiting.
        case attempting(failures: Int)
        /// Caught up with the daemon. Can go to: waiting.
        case attached
        /// The next attempt comes after a wait. Can go to: attempting.
        case waiting(failures: Int)
    }

    /// The longest first wait.
    static let shortestWait = Duration.milliseconds(10)
    /// The longest wait of all.
    static let longestWait = Duration.seconds(1)

    private var state = State.attempting(failures: 0)

    /// The attempt failed, or the daemon was lost. Returns how long to wait before the next attempt; `nil` where the
    /// wait has begun already (a loss told twice, dropped).
    ///
    /// - Parameter jitter: chance, from 0 up to 1. The wait is spread over the upper half of its length.
    mutating func failed(jitter: Double) -> Duration? {
        switch state {
        case .attempting(let failures):
            state = .waiting(failures: failures + 1)
            return Self.wait(afterFailures: failures, jitter: jitter)
        case .attached:
            state = .waiting(failures: 1)
            return Self.wait(afterFailures: 0, jitter: jitter)
        case .waiting:
            return nil
        }
    }

    /// The wait is over. Elsewhere late and harmless.
    mutating func waited() {
        switch state {
        case .waiting(let failures): state = .attempting(failures: failures)
        case .attempting, .attached: break
        }
    }

    /// The client knows what the daemon knows: the next failure is the first one again. In a wait late and harmless.
    mutating func caughtUp() {
        switch state {
        case .attempting: state = .attached
        case .attached, .waiting: break
        }
    }

    private static func wait(afterFailures failures: Int, jitter: Double) -> Duration {
        // 2^7 × 10 ms is past the longest wait.
        let full = min(shortestWait * (1 << min(failures, 7)), longestWait)
        return full * (0.5 + min(max(jitter, 0), 1) / 2)
    }
}
