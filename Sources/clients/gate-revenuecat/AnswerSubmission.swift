import GateModel
import GateReceipts

/// Submits the last whole answer about one user to the daemon, which may be away. The answer is kept, and submitted
/// again when the daemon is back. An answer that the daemon knows already changes nothing there.
struct AnswerSubmission: Hashable, Sendable {
    private enum State: Hashable {
        /// There is no answer yet, or the daemon refused it. Can go to `pending`.
        case idle
        /// An answer will be submitted at that time. Can go to `submitting`.
        case pending(CustomerInfoResponse, until: BootTime)
        /// An answer is being submitted; `newer` is the one to submit next. Can go to `delivered`, `pending` or `idle`.
        case submitting(CustomerInfoResponse, newer: CustomerInfoResponse?)
        /// The daemon has the answer. Can go to `pending`.
        case delivered(CustomerInfoResponse)
    }

    private var state = State.idle
    private var failures = 0

    init() {}

    /// When to call `timePassed`; `nil` if there is nothing to submit.
    var deadline: BootTime? {
        switch state {
        case .pending(_, let until): until
        case .idle, .submitting, .delivered: nil
        }
    }

    mutating func answerReceived(_ answer: CustomerInfoResponse, at now: BootTime) {
        switch state {
        case .idle, .pending, .delivered:
            state = .pending(answer, until: now)
        case .submitting(let underWay, _):
            state = .submitting(underWay, newer: answer)
        }
    }

    /// - Returns: an answer to submit, whose result is the next event; `nil` if there is none now.
    mutating func timePassed(at now: BootTime) -> CustomerInfoResponse? {
        switch state {
        case .pending(let answer, let until) where until <= now:
            state = .submitting(answer, newer: nil)
            return answer
        case .idle, .pending, .submitting, .delivered:
            return nil
        }
    }

    /// The daemon has the answer, or a newer one.
    mutating func submitted(at now: BootTime) {
        switch state {
        case .submitting(let answer, let newer):
            failures = 0
            state = newer.map { .pending($0, until: now) } ?? .delivered(answer)
        case .idle, .pending, .delivered:
            break
        }
    }

    mutating func failed(at now: BootTime, jitter: Double) {
        switch state {
        case .submitting(let answer, let newer):
            failures += 1
            let delay = Backoff.delay(after: failures, jitter: jitter)
            state = .pending(newer ?? answer, until: now.advanced(by: delay))
        case .idle, .pending, .delivered:
            break
        }
    }

    /// The daemon refused the answer. Submitting it again would not help.
    mutating func refused(at now: BootTime) {
        switch state {
        case .submitting(_, let newer):
            failures = 0
            state = newer.map { .pending($0, until: now) } ?? .idle
        case .idle, .pending, .delivered:
            break
        }
    }

    mutating func daemonReturned(at now: BootTime) {
        switch state {
        case .pending(let answer, _), .delivered(let answer):
            failures = 0
            state = .pending(answer, until: now)
        case .idle, .submitting:
            break
        }
    }
}
