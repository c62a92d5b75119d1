import GateModel
import GateReceipts

/// Decides when to ask RevenueCat about one user, and judges the answers. It keeps the etag of the last whole answer,
/// so that an unchanged answer need not be sent again.
struct SubscriberPoll: Hashable, Sendable {
    enum Verdict: Hashable {
        /// A whole answer, for the daemon.
        case news(CustomerInfoResponse)
        /// The last whole answer still holds.
        case unchanged
        /// There is no answer, or none that can be believed; with a sentence for people.
        case unreachable(String)
    }

    private enum Wait: Hashable {
        /// The last question was answered, or there was none yet.
        case answered
        /// The last question failed.
        case failed
        /// RevenueCat has said how long to wait.
        case ordered
        /// RevenueCat refuses to answer until a person changes something.
        case refused
    }

    private enum State: Hashable {
        /// No question is open. Can go to `asking`.
        case waiting(until: BootTime, Wait)
        /// A question with this etag is open. Can go to `waiting`.
        case asking(etag: String?)
    }

    /// While a paywall is open, somebody may be paying: RevenueCat is asked at `quickInterval` for the time `quickFor`,
    /// then at `slowerInterval`.
    static let quickInterval: Duration = .seconds(5)
    static let quickFor: Duration = .seconds(2 * 60)
    static let slowerInterval: Duration = .seconds(15)
    static let refusedInterval: Duration = .seconds(60 * 60)
    /// The longest time for which RevenueCat's wish to get no questions is respected.
    static let longestOrder: Duration = .seconds(60 * 60)

    private let interval: Duration
    private var state: State
    private var etag: String?
    private var failures = 0
    private var paywallOpenedAt: BootTime?
    /// When a paywall last caused a question at once.
    private var hurriedAt: BootTime?
    /// Whether RevenueCat was asked again because the daemon refused an answer, and the daemon has taken none since.
    private var hasAskedAgain = false

    /// Asks at once. The time between two questions varies by a tenth.
    init(interval: Duration, at now: BootTime) {
        self.interval = interval
        state = .waiting(until: now, .answered)
    }

    /// When to call `timePassed`; `nil` while a question is open.
    var deadline: BootTime? {
        switch state {
        case .waiting(let until, _): until
        case .asking: nil
        }
    }

    /// What to do now. After a question, its answer is the next event.
    enum Due: Hashable {
        /// Ask RevenueCat. `etag`: of the last answer; `nil` to get a whole one.
        case ask(etag: String?)
        case nothing
    }

    mutating func timePassed(at now: BootTime) -> Due {
        switch state {
        case .waiting(let until, _) where until <= now:
            state = .asking(etag: etag)
            return .ask(etag: etag)
        case .waiting, .asking:
            return .nothing
        }
    }

    /// Returns `nil` if no question was open: then the answer is dropped.
    mutating func answered(_ outcome: PollOutcome, at now: BootTime, jitter: Double) -> Verdict? {
        guard case .asking(let askedETag) = state else { return nil }
        switch outcome {
        case .answer(let response, let etag):
            self.etag = etag
            waitAsUsual(now, jitter)
            return .news(response)
        case .notModified where askedETag == nil:
            waitAfterFailure(now, jitter)
            return .unreachable("RevenueCat says that nothing has changed, without having been told since when.")
        case .notModified:
            // If the etag was dropped meanwhile, a whole answer is needed.
            if etag == nil { state = .waiting(until: now, .answered) } else { waitAsUsual(now, jitter) }
            return .unchanged
        case .busy(let retryAfter, let detail):
            guard let retryAfter else {
                waitAfterFailure(now, jitter)
                return .unreachable(detail)
            }
            failures += 1
            let ordered = min(max(retryAfter, Backoff.shortest), Self.longestOrder)
            state = .waiting(until: now.advanced(by: ordered * (1 + jitter / 10)), .ordered)
            return .unreachable(detail)
        case .failed(let detail):
            waitAfterFailure(now, jitter)
            return .unreachable(detail)
        case .refused(let detail):
            failures += 1
            state = .waiting(until: now.advanced(by: Self.refusedInterval * (0.9 + jitter / 5)), .refused)
            return .unreachable(detail)
        }
    }

    /// A paywall is open, so somebody may be paying. Asks at once, unless RevenueCat wants no questions now.
    mutating func paywallOpened(at now: BootTime) {
        guard paywallOpenedAt == nil else { return }
        paywallOpenedAt = now
        // Opening one paywall after another must not cause more questions.
        if let hurriedAt, hurriedAt.duration(to: now) < Self.quickInterval { return }
        hurriedAt = now
        switch state {
        case .waiting(let until, .answered), .waiting(let until, .failed):
            failures = 0
            state = .waiting(until: min(until, now), .answered)
        case .waiting(_, .ordered), .waiting(_, .refused), .asking:
            break
        }
    }

    /// A person said that they have paid already. Asks at once, and often for a while, unless it did so just now, or
    /// RevenueCat wants no questions now.
    mutating func restoreAsked(at now: BootTime) {
        paywallOpenedAt = nil
        paywallOpened(at: now)
    }

    /// The next question keeps its time, so that a payment at the last moment is seen.
    mutating func paywallClosed() {
        paywallOpenedAt = nil
    }

    mutating func answerTaken() {
        hasAskedAgain = false
    }

    /// The daemon refused the last answer. The next is asked for as a whole and, once, soon: the daemon may be about to
    /// read a configuration that this program has read already.
    mutating func answerRefused(at now: BootTime, jitter: Double) {
        etag = nil
        guard !hasAskedAgain, case .waiting(let until, .answered) = state else { return }
        hasAskedAgain = true
        state = .waiting(until: min(until, now.advanced(by: Backoff.delay(after: 1, jitter: jitter))), .answered)
    }

    private mutating func waitAsUsual(_ now: BootTime, _ jitter: Double) {
        failures = 0
        let delay =
            switch paywallOpenedAt {
            case nil: interval * (0.9 + jitter / 5)
            case .some(let opened): opened.duration(to: now) < Self.quickFor ? Self.quickInterval : Self.slowerInterval
            }
        state = .waiting(until: now.advanced(by: delay), .answered)
    }

    private mutating func waitAfterFailure(_ now: BootTime, _ jitter: Double) {
        failures += 1
        var delay = Backoff.delay(after: failures, jitter: jitter)
        if paywallOpenedAt != nil { delay = min(delay, Self.slowerInterval) }
        state = .waiting(until: now.advanced(by: delay), .failed)
    }
}
