import GateModel

/// Decides from the last question about each user whether RevenueCat can be reached, and when to report that to the
/// daemon.
struct HealthReport: Hashable, Sendable {
    struct Health: Hashable, Sendable {
        var isReachable: Bool
        /// One line; empty if RevenueCat is reachable.
        var detail: String

        /// The most bytes that the daemon takes.
        static let maximumDetailByteCount = 200

        /// - Parameter detail: is cut if it is too long.
        init(isReachable: Bool, detail: String) {
            self.isReachable = isReachable
            var kept = detail
            while kept.utf8.count > Self.maximumDetailByteCount { kept.removeLast() }
            self.detail = kept
        }
    }

    private enum State: Hashable {
        /// The daemon knows this; `nil` if there is nothing to report yet. Can go to `pending`.
        case told(Health?)
        /// The health will be reported at that time. Can go to `telling`.
        case pending(until: BootTime)
        /// The health is being reported. Can go to `told` or `pending`.
        case telling(Health)
    }

    private var state = State.told(nil)
    /// What went wrong with the last question, by user; `nil` if it was answered.
    private var verdicts: [String: String?] = [:]
    private var failures = 0
    /// Whether to report it once more, even if it has not changed.
    private var isDueAgain = false

    init() {}

    /// `nil` if no question has ended yet.
    var current: Health? {
        guard !verdicts.isEmpty else { return nil }
        let wrong = verdicts.sorted { $0.key < $1.key }.compactMap(\.value).first
        return Health(isReachable: wrong == nil, detail: wrong ?? "")
    }

    /// When to call `timePassed`; `nil` if there is nothing to report.
    var deadline: BootTime? {
        switch state {
        case .pending(let until): until
        case .told, .telling: nil
        }
    }

    /// `detail` is what went wrong; `nil` if the question was answered. Returns the health if it has changed.
    mutating func questionEnded(about user: String, detail: String?, at now: BootTime) -> Health? {
        let before = current
        verdicts[user] = .some(detail)
        switch state {
        case .told(let health) where health != current: state = .pending(until: now)
        case .told, .pending, .telling: break
        }
        return before == current ? nil : current
    }

    /// A person said that they have paid, and RevenueCat was asked about every user since then. The health is reported
    /// once more, so that a screen can say that nothing was found.
    mutating func lookedAgain(at now: BootTime) {
        guard current != nil else { return }
        switch state {
        case .told: state = .pending(until: now)
        case .telling: isDueAgain = true
        case .pending: break
        }
    }

    /// - Returns: the health to report, whose outcome is the next event; `nil` if there is nothing to report now.
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

    mutating func failed(at now: BootTime, jitter: Double) {
        switch state {
        case .telling:
            failures += 1
            state = .pending(until: now.advanced(by: Backoff.delay(after: failures, jitter: jitter)))
        case .told, .pending:
            break
        }
    }

    /// The daemon can be reached, for the first time or again. It may have forgotten the health.
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
