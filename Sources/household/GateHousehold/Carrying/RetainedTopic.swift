import GateModel

/// A retained topic of this device's: the newest content counts, one publication at a time, and not too often.
struct RetainedTopic: Hashable, Sendable {
    private enum State: Hashable {
        /// The broker has what there is, or does not want it. Can transition to: due.
        case settled
        /// To be published. Can transition to: underWay.
        case due
        /// The broker was given it; `isDue`: it has changed since. Can transition to: settled, due.
        case underWay(isDue: Bool)
    }

    /// The shortest time between two publications.
    let interval: Duration
    private var state = State.settled
    private var next = BootTime(nanoseconds: .min)

    init(interval: Duration) {
        self.interval = interval
    }

    /// When it is to be published; `nil`: nothing is.
    var deadline: BootTime? {
        switch state {
        case .due: next
        case .settled, .underWay: nil
        }
    }

    mutating func changed() {
        switch state {
        case .settled, .due: state = .due
        case .underWay: state = .underWay(isDue: true)
        }
    }

    /// - Returns: whether it is published now.
    mutating func publish(at now: BootTime) -> Bool {
        switch state {
        case .due where next <= now:
            state = .underWay(isDue: false)
            next = now.advanced(by: interval)
            return true
        case .due, .settled, .underWay:
            return false
        }
    }

    /// The broker has it, or has refused it: either way there is nothing more to do about that content.
    mutating func ended() {
        switch state {
        case .underWay(let isDue): state = isDue ? .due : .settled
        case .settled, .due: break
        }
    }

    /// A broker that was away may have forgotten it.
    mutating func brokerConnected() {
        (state, next) = (.due, BootTime(nanoseconds: .min))
    }
}
