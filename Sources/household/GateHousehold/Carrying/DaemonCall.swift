import GateModel

/// The calls to gated. Of each kind there is one at a time.
package enum DaemonCall: Hashable, Sendable, CaseIterable {
    /// The challenge of this device.
    case household
    case command
    case result
    case guardians
    case policy
    case report
    case homeAssistant
    case collect
    /// The questions of this device that guardians may answer.
    case asked
    /// The questions of other devices.
    case heard
    /// The purchases on this device, for the others.
    case shared
    /// A purchase on another device.
    case receipt
}

/// How a call to gated failed.
package enum DaemonFailure: Hashable, Sendable {
    /// gated is away, or can't serve now: the same may succeed later.
    case later
    /// gated does not take it, however often it is asked.
    case never
}

extension GateError {
    /// Whether it helps to try again.
    package var daemonFailure: DaemonFailure {
        // A question that is closed stays closed.
        if reason == .closed, parameters["what"] == "question" { return .never }
        return switch code {
        case .unavailable, .deadlineExceeded, .resourceExhausted, .cancelled, .aborted, .internal, .unknown: .later
        case .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition, .outOfRange,
            .unimplemented, .dataLoss, .unauthenticated:
            .never
        }
    }
}

/// One kind of call: whether one is under way, and when the next may be made.
struct DaemonLane: Hashable, Sendable {
    private enum State: Hashable {
        /// The next call may be made. Can transition to: underWay.
        case free
        /// A call to the daemon with that number was made. Can transition to: free, waiting.
        case underWay(daemon: UInt64)
        /// After a failure. Can transition to: free.
        case waiting(until: BootTime)
    }

    private var state = State.free
    /// In a row.
    private var failures = 0

    var isFree: Bool {
        switch state {
        case .free: true
        case .underWay, .waiting: false
        }
    }

    /// When `timePassed` has something to do; `nil`: there is nothing to wait for.
    var deadline: BootTime? {
        switch state {
        case .waiting(let until): until
        case .free, .underWay: nil
        }
    }

    /// - Parameter daemon: counts how often gated came back.
    mutating func begin(daemon: UInt64) {
        switch state {
        case .free: state = .underWay(daemon: daemon)
        case .underWay, .waiting: preconditionFailure("one call of a kind at a time")
        }
    }

    /// - Returns: whether the daemon is still the one that was asked.
    mutating func succeeded(daemon: UInt64) -> Bool {
        switch state {
        case .underWay(let asked):
            (state, failures) = (.free, 0)
            return asked == daemon
        case .free, .waiting:
            return false
        }
    }

    /// - Returns: whether the call was under way.
    mutating func failed(_ failure: DaemonFailure, daemon: UInt64, at now: BootTime, jitter: Double) -> Bool {
        switch (state, failure) {
        case (.underWay(let asked), .later) where asked == daemon:
            failures += 1
            state = .waiting(until: now.advanced(by: Backoff.delay(after: failures, jitter: jitter)))
            return true
        case (.underWay, .later), (.underWay, .never):
            (state, failures) = (.free, 0)
            return true
        case (.free, _), (.waiting, _):
            return false
        }
    }

    mutating func timePassed(at now: BootTime) {
        switch state {
        case .waiting(let until) where until <= now: state = .free
        case .waiting, .free, .underWay: break
        }
    }

    /// Whatever failed before may succeed now.
    mutating func daemonReturned() {
        failures = 0
        switch state {
        case .waiting: state = .free
        case .free, .underWay: break
        }
    }
}
