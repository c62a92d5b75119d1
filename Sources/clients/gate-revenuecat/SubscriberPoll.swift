import GateModel
import GateReceipts

/// When to ask RevenueCat for one user, and what its answers come to. It keeps the etag of the last whole answer, so that one
/// which is the same need not come again.
struct SubscriberPoll: Hashable, Sendable {
    /// The verdict on an answer.
    enum Verdict: Hashable {
        /// For the daemon.
        case news(CustomerInfoResponse)
        /// The last whole answer still stands.
        case unchanged
        /// No answer, or none that can be believed. A sentence for people.
        case unreachable(String)
    }

    /// Why it waits.
    private enum Wait: Hashable {
        /// The last question was answered, or there was none yet.
        case answered
        /// The last one failed.
        case failed
        /// RevenueCat has said how long.
        case ordered
        /// RevenueCat does not want to answer this at all: it takes a person to change something.
        case refused
    }

    private enum State: Hashable {
        /// Nothing is under way. Can transition to: asking.
        case waiting(until: BootTime, Wait)
        /// A question is under way, with this etag. Can transition to: waiting.
        case asking(etag: String?)
    }

    /// While a paywall is open somebody may be paying: asked this often at first, and that often later on.
    static let quickInterval: Duration = .seconds(5)
    static let quickFor: Duration = .seconds(2 * 60)
    static let slowerInterval: Duration = .seconds(15)
    static let refusedInterval: Duration = .seconds(60 * 60)
    /// However long RevenueCat wants to be left alone.
    static let longestOrder: Duration = .seconds(60 * 60)

    private let interval: Duration
    private var state: State
    private var etag: String?
    /// In a row.
    private var failures = 0
    private var paywallOpenedAt: BootTime?
    /// When a paywall last made us ask at once.
    private var hurriedAt: BootTime?
    /// Whether it was asked again because the daemon did not take an answer, and has taken none since.
    private var hasAskedAgain = false

    /// Asks at once.
    ///
    /// - Parameter interval: between two questions, give or take a tenth.
    init(interval: Duration, at now: BootTime) {
        self.interval = interval
        state = .waiting(until: now, .answered)
    }

    /// When `timePassed` has something to do; `nil`: a question is under way.
    var deadline: BootTime? {
        switch state {
        case .waiting(let until, _): until
        case .asking: nil
        }
    }

    /// A question, if it is time for one. The next event is its answer.
    enum Due: Hashable {
        /// `etag`: of the answer that is known.
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

    /// - Parameter jitter: by chance, from 0 to 1.
    /// - Returns: `nil`: there was no question. Dropped.
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
            // Forgotten meanwhile: it is needed in whole.
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

    /// Somebody may be paying. Asks at once, unless RevenueCat wants to be left alone.
    mutating func paywallOpened(at now: BootTime) {
        guard paywallOpenedAt == nil else { return }
        paywallOpenedAt = now
        // Anyone who opens one after the other does not make us ask any faster.
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

    /// Somebody says that they have paid already. Asks at once, and often for a while, unless it was made to hurry just now or
    /// RevenueCat wants to be left alone.
    mutating func restoreAsked(at now: BootTime) {
        paywallOpenedAt = nil
        paywallOpened(at: now)
    }

    /// The question that was next is still asked: what was paid at the last moment should be seen.
    mutating func paywallClosed() {
        paywallOpenedAt = nil
    }

    /// The daemon has the last answer.
    mutating func answerTaken() {
        hasAskedAgain = false
    }

    /// The daemon did not take the last answer. The next one is asked for in whole, and soon, once: the daemon may be about to
    /// read a configuration that this program has read already.
    ///
    /// - Parameter jitter: by chance, from 0 to 1.
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
