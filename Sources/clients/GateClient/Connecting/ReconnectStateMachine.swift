/// Decides how long a client waits before it tries to reach a lost daemon again. The first wait is at most 10 ms, and
/// each further one may be twice as long, up to 1 s. The waits are random, so that a thousand watchers do not connect
/// at the same moment. After a client has caught up with the daemon, the next wait is the shortest one again; a
/// connection that was only accepted and then dropped does not count.
struct ReconnectStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// An attempt is under way, after so many failures in a row. Can go to `attached` or `waiting`.
        case attempting(failures: Int)
        /// The client has caught up with the daemon. Can go to `waiting`.
        case attached
        /// The next attempt comes after a wait. Can go to `attempting`.
        case waiting(failures: Int)
    }

    static let shortestWait = Duration.milliseconds(10)
    static let longestWait = Duration.seconds(1)

    private var state = State.attempting(failures: 0)

    /// The attempt failed, or the daemon was lost. Returns how long to wait before the next attempt; `nil` if a wait
    /// has already begun, since the same loss may be reported twice. `jitter`, a random number from 0 to 1, chooses the
    /// wait between half and all of its full length.
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

    /// The wait is over. In other states this comes late and is ignored.
    mutating func waited() {
        switch state {
        case .waiting(let failures): state = .attempting(failures: failures)
        case .attempting, .attached: break
        }
    }

    /// The client has caught up with the daemon, so the next failure counts as the first. Ignored during a wait.
    mutating func caughtUp() {
        switch state {
        case .attempting: state = .attached
        case .attached, .waiting: break
        }
    }

    private static func wait(afterFailures failures: Int, jitter: Double) -> Duration {
        // 10 ms × 2^7 is more than the longest wait.
        let full = min(shortestWait * (1 << min(failures, 7)), longestWait)
        return full * (0.5 + min(max(jitter, 0), 1) / 2)
    }
}
