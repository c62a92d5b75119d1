import GateModel

/// The kinds of calls to gated. At most one call of each kind is under way.
package enum DaemonCall: Hashable, Sendable, CaseIterable {
    /// Asks for this device's challenge, and what gated knows of the household.
    case household
    case command
    case result
    case guardians
    case policy
    case report
    case homeAssistant
    case collect
    /// Waits until this device's questions for guardians have changed.
    case asked
    /// Passes on the questions of other devices.
    case heard
    /// Waits until the receipts that this device shares have changed.
    case shared
    /// Passes on another device's receipt.
    case receipt
    /// Passes on a guardian's answer to an ask of this device.
    case answer
    /// Waits until the answers of this device's guardian to asks of other devices have changed.
    case answers
    /// Waits until this device's report about used time has changed.
    case usage
    /// Passes on another device's report about used time.
    case usageElsewhere
}

package enum DaemonFailure: Hashable, Sendable {
    /// gated is away, or can't serve now: the same call may succeed later.
    case later
    /// gated refuses the call, however often it is made.
    case never
}

extension GateError {
    package var daemonFailure: DaemonFailure {
        // A closed question never opens again.
        if reason == .closed, parameters["what"] == "question" { return .never }
        return switch code {
        case .unavailable, .deadlineExceeded, .resourceExhausted, .cancelled, .aborted, .internal, .unknown: .later
        case .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition, .outOfRange,
            .unimplemented, .dataLoss, .unauthenticated:
            .never
        }
    }
}

/// One kind of call: whether one is under way, and when the next may be made. After failures it waits longer each time.
struct DaemonLane: Hashable, Sendable {
    private enum State: Hashable {
        /// The next call may be made. Can go to `underWay`.
        case free
        /// A call was made to the gated with this number. Can go to `free` or `waiting`.
        case underWay(daemon: UInt64)
        /// The last call has failed. Can go to `free`.
        case waiting(until: BootTime)
    }

    private var state = State.free
    private var failures = 0

    var isFree: Bool {
        switch state {
        case .free: true
        case .underWay, .waiting: false
        }
    }

    /// When `timePassed` has something to do; `nil` if nothing waits.
    var deadline: BootTime? {
        switch state {
        case .waiting(let until): until
        case .free, .underWay: nil
        }
    }

    /// Traps unless the lane is free.
    /// - Parameter daemon: how often gated has come back.
    mutating func begin(daemon: UInt64) {
        switch state {
        case .free: state = .underWay(daemon: daemon)
        case .underWay, .waiting: preconditionFailure("one call of a kind at a time")
        }
    }

    /// - Returns: whether the answer came from the gated that runs now.
    mutating func succeeded(daemon: UInt64) -> Bool {
        switch state {
        case .underWay(let asked):
            (state, failures) = (.free, 0)
            return asked == daemon
        case .free, .waiting:
            return false
        }
    }

    /// - Returns: whether a call was under way.
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

    /// A gated that has come back may accept what failed before.
    mutating func daemonReturned() {
        failures = 0
        switch state {
        case .waiting: state = .free
        case .free, .underWay: break
        }
    }
}
