import GateModel

/// Decides when to publish a retained topic: always the newest content, one publication at a time, and not too often.
struct RetainedTopic: Hashable, Sendable {
    private enum State: Hashable {
        /// The broker has the newest content, or has refused it. Can go to `due`.
        case settled
        /// To be published. Can go to `underWay`.
        case due
        /// Published, and not acknowledged yet. `isDue`: the content has changed since. Can go to `settled` or `due`.
        case underWay(isDue: Bool)
    }

    /// The shortest time between two publications.
    let interval: Duration
    private var state = State.settled
    private var next = BootTime(nanoseconds: .min)

    init(interval: Duration) {
        self.interval = interval
    }

    /// When to publish; `nil` if nothing is due.
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

    /// - Returns: whether the caller has to publish now.
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

    /// The broker has acknowledged the content, or has refused it: there is no more to do about it.
    mutating func ended() {
        switch state {
        case .underWay(let isDue): state = isDue ? .due : .settled
        case .settled, .due: break
        }
    }

    /// A broker that was away may have forgotten the content, so it is published at once.
    mutating func brokerConnected() {
        (state, next) = (.due, BootTime(nanoseconds: .min))
    }
}
