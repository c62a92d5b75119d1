import GateModel

/// Whether RevenueCat can be heard, put together from what became of the last question about each user, and told to the
/// daemon when it changes.
struct HealthReport: Hashable, Sendable {
    /// The health that the daemon is told.
    struct Health: Hashable, Sendable {
        var isReachable: Bool
        /// Empty where it is reachable. One line.
        var detail: String

        /// The most bytes that the daemon takes.
        static let maximumDetailByteCount = 200

        /// - Parameter detail: is cut where it is too long.
        init(isReachable: Bool, detail: String) {
            self.isReachable = isReachable
            var kept = detail
            while kept.utf8.count > Self.maximumDetailByteCount { kept.removeLast() }
            self.detail = kept
        }
    }

    private enum State: Hashable {
        /// Nothing is known, or the daemon knows it. Can transition to: pending.
        case told(Health?)
        /// A verdict that is to be told at that time. Can transition to: telling.
        case pending(until: BootTime)
        /// Can transition to: told, pending.
        case telling(Health)
    }

    private var state = State.told(nil)
    /// The faults of the last question by user; `nil`: it was answered.
    private var verdicts: [String: String?] = [:]
    /// In a row.
    private var failures = 0
    /// It is told once more, also where it has not changed.
    private var isDueAgain = false

    init() {}

    /// `nil`: nobody was asked about yet.
    var current: Health? {
        guard !verdicts.isEmpty else { return nil }
        let wrong = verdicts.sorted { $0.key < $1.key }.compactMap(\.value).first
        return Health(isReachable: wrong == nil, detail: wrong ?? "")
    }

    /// When `timePassed` has something to do; `nil`: nothing is to be told.
    var deadline: BootTime? {
        switch state {
        case .pending(let until): until
        case .told, .telling: nil
        }
    }

    /// - Parameter detail: what went wrong; `nil`: the question was answered.
    /// - Returns: what has changed by it; `nil`: nothing.
    mutating func questionEnded(about user: String, detail: String?, at now: BootTime) -> Health? {
        let before = current
        verdicts[user] = .some(detail)
        switch state {
        case .told(let health) where health != current: state = .pending(until: now)
        case .told, .pending, .telling: break
        }
        return before == current ? nil : current
    }

    /// Somebody has said that they have paid, and each user was asked about since then. The daemon is told once more, so that a screen can say
    /// that nothing was found.
    mutating func lookedAgain(at now: BootTime) {
        guard current != nil else { return }
        switch state {
        case .told: state = .pending(until: now)
        case .telling: isDueAgain = true
        case .pending: break
        }
    }

    /// - Returns: what to tell; the next event is how that ended. `nil`: nothing.
    mutating func timePassed(at now: BootTime) -> Health? {
        switch state {
        case .pending(let until) where until <= now:
            guard let current else { return nil }
            state = .telling(current)
            return current
        case .told, .pending, .telling:
            return nil
        }
    }

    mutating func told(at now: BootTime) {
        switch state {
        case .telling(let health):
            failures = 0
            state = health == current && !isDueAgain ? .told(health) : .pending(until: now)
            isDueAgain = false
        case .told, .pending:
            break
        }
    }

    /// The daemon could not be told.
    ///
    /// - Parameter jitter: by chance, from 0 to 1.
    mutating func failed(at now: BootTime, jitter: Double) {
        switch state {
        case .telling:
            failures += 1
            state = .pending(until: now.advanced(by: Backoff.delay(after: failures, jitter: jitter)))
        case .told, .pending:
            break
        }
    }

    /// The daemon was away, or was never seen before: it may have forgotten.
    mutating func daemonReturned(at now: BootTime) {
        switch state {
        case .told, .pending:
            failures = 0
            if current != nil { state = .pending(until: now) }
        case .telling:
            break
        }
    }
}
