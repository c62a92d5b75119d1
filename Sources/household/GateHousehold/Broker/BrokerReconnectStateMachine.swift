package import GateModel

/// When the broker is connected to, and when an attempt is given up.
package struct BrokerReconnectStateMachine: Hashable, Sendable {
    private enum State: Hashable {
        /// The next attempt begins then. Can transition to: connecting.
        case waiting(until: BootTime)
        /// The attempt is given up then. Can transition to: connected, waiting.
        case connecting(until: BootTime)
        /// Can transition to: waiting.
        case connected(since: BootTime)
    }

    /// Something that the caller does.
    package enum Action: Hashable, Sendable {
        /// Begin an attempt.
        case open
        /// Close the attempt that is under way, and begin none.
        case giveUp
    }

    /// The longest that an attempt may take.
    package static let patience = Duration.seconds(30)
    /// A connection that has lasted so long was a good one: the next failure is the first one again.
    package static let goodAfter = Duration.seconds(60)

    /// The longest wait between two attempts: nobody likes to wait after the cable is back.
    package static let longestWait = Duration.seconds(60)

    private var state: State
    /// In a row.
    private var failures = 0

    /// Begins at once.
    package init(at now: BootTime) {
        state = .waiting(until: now)
    }

    /// When `timePassed` has something to do; `nil`: only another event changes something.
    package var deadline: BootTime? {
        switch state {
        case .waiting(let until), .connecting(let until): until
        case .connected: nil
        }
    }

    /// - Parameter jitter: by chance, from 0 to 1.
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

    /// The attempt has failed, or the connection has ended.
    ///
    /// - Parameter jitter: by chance, from 0 to 1.
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
        // From the second step on chance has a say: otherwise all devices would come back at once after a broker's restart.
        let delay = min(Backoff.delay(after: failures + 1, jitter: jitter), Self.longestWait)
        state = .waiting(until: now.advanced(by: delay))
    }
}
