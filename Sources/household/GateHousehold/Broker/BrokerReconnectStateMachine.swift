package import GateModel

/// Decides when to connect to the broker, and when to give up an attempt. After each failure it waits longer.
package struct BrokerReconnectStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// There is no connection; the next attempt begins at `until`. Can go to `connecting`.
        case waiting(until: BootTime)
        /// An attempt is under way, and is given up at `until`. Can go to `connected` or `waiting`.
        case connecting(until: BootTime)
        /// Can go to `waiting`.
        case connected(since: BootTime)
    }

    package enum Action: Hashable, Sendable {
        case open
        /// Close the attempt that is under way, and begin none yet.
        case giveUp
    }

    /// The longest that an attempt may take.
    package static let patience = Duration.seconds(30)
    /// After a connection that lasted at least so long, failures are counted from zero again.
    package static let goodAfter = Duration.seconds(60)

    /// The longest wait between two attempts, short enough for a person who has just plugged the cable in.
    package static let longestWait = Duration.seconds(60)

    private var state: State
    /// Failures in a row.
    private var failures = 0

    /// The first attempt is due at once.
    package init(at now: BootTime) {
        state = .waiting(until: now)
    }

    /// When `timePassed` has something to do; `nil` if only another event changes something.
    package var deadline: BootTime? {
        switch state {
        case .waiting(let until), .connecting(let until): until
        case .connected: nil
        }
    }

    /// - Parameter jitter: a random number from 0 to 1.
    package mutating func timePassed(at now: BootTime, jitter: Double) -> Action? {
        switch state {
        case .waiting(let until) where until <= now:
            state = .connecting(until: now.advanced(by: Self.patience))
            return .open
        case .connecting(let until) where until <= now:
            failed(at: now, jitter)
            return .giveUp
        case .waiting, .connecting, .connected:
            return nil
        }
    }

    package mutating func connected(at now: BootTime) {
        switch state {
        case .connecting: state = .connected(since: now)
        case .waiting, .connected: break
        }
    }

    /// - Parameter jitter: a random number from 0 to 1.
    package mutating func lost(at now: BootTime, jitter: Double) {
        switch state {
        case .connecting:
            failed(at: now, jitter)
        case .connected(let since):
            if since.duration(to: now) >= Self.goodAfter { failures = 0 }
            failed(at: now, jitter)
        case .waiting:
            break
        }
    }

    private mutating func failed(at now: BootTime, _ jitter: Double) {
        failures += 1
        // The first wait of `Backoff` is not random, so this begins with the second. Otherwise all devices would come
        // back at the same moment after the broker was restarted.
        let delay = min(Backoff.delay(after: failures + 1, jitter: jitter), Self.longestWait)
        state = .waiting(until: now.advanced(by: delay))
    }
}
