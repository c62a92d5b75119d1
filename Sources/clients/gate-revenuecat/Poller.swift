import GateModel
import Logging

/// Asks RevenueCat about each configured user, and submits the answers to the daemon. The state machines decide what to
/// do; this type does it, one event after another.
struct Poller {
    private enum Event: Sendable {
        case timePassed
        case answered(String, PollOutcome)
        case submitted(String, GateError?)
        case told(GateError?)
        case daemon(PollEnvironment.DaemonEvent)
    }

    private struct Subscriber {
        var poll: SubscriberPoll
        var submission = AnswerSubmission()
    }

    /// The most questions that may be open at once.
    static let maximumQuestions = 4

    private let settings: RevenueCatSettings
    private let environment: PollEnvironment
    private let logger: Logger
    private var subscribers: [String: Subscriber]
    private var health = HealthReport()
    private var questionCount = 0
    private var paywalls = Paywalls()
    /// The users to ask about since a person said that they have paid.
    private var search: Set<String> = []

    init(_ settings: RevenueCatSettings, environment: PollEnvironment, logger: Logger) {
        self.settings = settings
        self.environment = environment
        self.logger = logger
        let now = environment.now()
        subscribers = settings.users.mapValues { _ in
            Subscriber(poll: SubscriberPoll(interval: settings.pollInterval, at: now))
        }
    }

    /// Runs until its task is cancelled.
    mutating func run() async {
        let (events, feed) = AsyncStream.makeStream(of: Event.self)
        await withDiscardingTaskGroup { group in
            group.addTask { [stream = environment.daemonEvents] in
                for await event in stream { feed.yield(.daemon(event)) }
            }
            var alarm: (at: BootTime, task: Task<Void, Never>)?
            feed.yield(.timePassed)
            for await event in events {
                happened(event)
                startWhatIsDue(&group, feed)
                let deadline = nextDeadline
                if alarm?.at != deadline || isTimePassed(event) {
                    alarm?.task.cancel()
                    alarm = deadline.map { deadline in
                        let task = Task { [environment] in
                            await environment.sleep(deadline)
                            if !Task.isCancelled { feed.yield(.timePassed) }
                        }
                        return (deadline, task)
                    }
                }
            }
            alarm?.task.cancel()
            group.cancelAll()
        }
    }

    private func isTimePassed(_ event: Event) -> Bool {
        switch event {
        case .timePassed: true
        case .answered, .submitted, .told, .daemon: false
        }
    }

    /// `nil` if only an event can change something.
    private var nextDeadline: BootTime? {
        // If the most questions are open, the next one has to wait until one of them ends.
        let polls = questionCount < Self.maximumQuestions ? subscribers.values.compactMap(\.poll.deadline) : []
        return (polls + subscribers.values.compactMap(\.submission.deadline) + [health.deadline].compactMap(\.self))
            .min()
    }

    private mutating func happened(_ event: Event) {
        let now = environment.now()
        switch event {
        case .timePassed:
            break
        case .answered(let user, let outcome):
            questionCount -= 1
            answered(user, outcome, at: now)
        case .submitted(let user, let error):
            submitted(user, error, at: now)
        case .told(nil):
            health.told(at: now)
        case .told(let error?):
            logger.debug("gated could not be told whether RevenueCat can be reached: \(error)")
            health.failed(at: now, jitter: environment.jitter())
        case .daemon(.present(let paywalls)):
            logger.info("connected to gated")
            for user in subscribers.keys { subscribers[user]?.submission.daemonReturned(at: now) }
            health.daemonReturned(at: now)
            paywallsChanged(to: paywalls, at: now)
        case .daemon(.changed(let paywalls)):
            paywallsChanged(to: paywalls, at: now)
        case .daemon(.away):
            logger.warning("gated can't be reached. The last answers are kept until it is back.")
            paywallsChanged(to: Paywalls(), at: now)
        }
    }

    private mutating func answered(_ user: String, _ outcome: PollOutcome, at now: BootTime) {
        let jitter = environment.jitter()
        let verdict = subscribers[user]?.poll.answered(outcome, at: now, jitter: jitter)
        let changed: HealthReport.Health?
        switch verdict {
        case .news(let answer):
            subscribers[user]?.submission.answerReceived(answer, at: now)
            changed = health.questionEnded(about: user, detail: nil, at: now)
        case .unchanged:
            changed = health.questionEnded(about: user, detail: nil, at: now)
            looked(for: user, at: now)
        case .unreachable(let detail):
            changed = health.questionEnded(about: user, detail: detail, at: now)
            looked(for: user, at: now)
        case nil:
            changed = nil
        }
        if let changed {
            if changed.isReachable { logger.notice("RevenueCat answers") } else { logger.warning("\(changed.detail)") }
        }
    }

    /// The search for a payment of this user has ended: the daemon has RevenueCat's answer, or there is none for it.
    /// When it has ended for all users, this is reported to the daemon.
    private mutating func looked(for user: String, at now: BootTime) {
        guard search.remove(user) != nil, search.isEmpty else { return }
        health.lookedAgain(at: now)
    }

    private mutating func submitted(_ user: String, _ error: GateError?, at now: BootTime) {
        guard let error else {
            subscribers[user]?.submission.submitted(at: now)
            subscribers[user]?.poll.answerTaken()
            looked(for: user, at: now)
            return
        }
        switch error.submissionFailure {
        case .alreadyKnown:
            subscribers[user]?.submission.submitted(at: now)
            subscribers[user]?.poll.answerTaken()
            looked(for: user, at: now)
        case .later:
            logger.info("gated can't take an answer of RevenueCat's now: \(error)")
            let jitter = environment.jitter()
            subscribers[user]?.submission.failed(at: now, jitter: jitter)
        case .never:
            logger.error("gated refuses an answer of RevenueCat's: \(error)")
            looked(for: user, at: now)
            subscribers[user]?.submission.refused(at: now)
            let jitter = environment.jitter()
            subscribers[user]?.poll.answerRefused(at: now, jitter: jitter)
        }
    }

    private mutating func paywallsChanged(to changed: Paywalls, at now: BootTime) {
        let isRestoreAsked = changed.isRestoreAsked(since: paywalls)
        paywalls = changed
        if isRestoreAsked {
            logger.info("somebody has paid already: RevenueCat is asked again")
            search = Set(subscribers.keys)
        } else if !changed.isOpen {
            search = []
        }
        for user in subscribers.keys {
            if !changed.isOpen {
                subscribers[user]?.poll.paywallClosed()
            } else if isRestoreAsked {
                subscribers[user]?.poll.restoreAsked(at: now)
            } else {
                subscribers[user]?.poll.paywallOpened(at: now)
            }
        }
    }

    private mutating func startWhatIsDue(_ group: inout DiscardingTaskGroup, _ feed: AsyncStream<Event>.Continuation) {
        let now = environment.now()
        // The user who has waited longest comes first.
        let order = subscribers.sorted {
            ($0.value.poll.deadline ?? now, $0.key) < ($1.value.poll.deadline ?? now, $1.key)
        }
        for (user, _) in order {
            if let answer = subscribers[user]?.submission.timePassed(at: now) {
                group.addTask { [environment] in
                    feed.yield(
                        .submitted(
                            user, await environment.error { gate throws(GateError) in try await gate.submit(answer) }))
                }
            }
            guard questionCount < Self.maximumQuestions else { continue }
            switch subscribers[user]?.poll.timePassed(at: now) {
            case .ask(let etag):
                questionCount += 1
                let request = CustomerInfoRequest(settings, user: user, etag: etag, nonce: environment.nonce())
                group.addTask { [environment] in
                    feed.yield(.answered(user, await environment.outcome(of: request)))
                }
            case .nothing, nil:
                break
            }
        }
        if let health = health.timePassed(at: now) {
            group.addTask { [environment] in
                feed.yield(.told(await environment.error { gate throws(GateError) in try await gate.report(health) }))
            }
        }
    }
}

extension PollEnvironment {
    fileprivate func outcome(of request: CustomerInfoRequest?) async -> PollOutcome {
        guard let request else {
            return .refused("Gate can't ask RevenueCat about a user. Compare `url` and `users` in providers.yaml.")
        }
        do throws(HTTPExchange.Failure) {
            return PollOutcome(try await answer(request), to: request, check: check)
        } catch {
            return .failed(error.detail)
        }
    }

    fileprivate func error(
        _ call: (PollEnvironment) async throws(GateError) -> Void
    ) async -> GateError? {
        do throws(GateError) {
            try await call(self)
            return nil
        } catch {
            return error
        }
    }
}

extension GateError {
    enum SubmissionFailure: Hashable {
        /// The daemon has something newer, so nothing is to be done.
        case alreadyKnown
        case later
        /// Ask RevenueCat for a new answer.
        case never
    }

    var submissionFailure: SubmissionFailure {
        if reason == .outdated { return .alreadyKnown }
        return switch code {
        case .unavailable, .deadlineExceeded, .resourceExhausted, .cancelled, .aborted, .internal, .unknown: .later
        case .invalidArgument, .notFound, .alreadyExists, .permissionDenied, .failedPrecondition, .outOfRange,
            .unimplemented, .dataLoss, .unauthenticated:
            .never
        }
    }
}
