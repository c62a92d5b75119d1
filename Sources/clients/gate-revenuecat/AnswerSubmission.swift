import GateModel
import GateReceipts

/// Brings the last whole answer about one user to the daemon, which may be away. It is kept, and submitted again when the
/// daemon was away meanwhile: what the daemon knows already changes nothing there.
struct AnswerSubmission: Hashable, Sendable {
    private enum State: Hashable {
        /// There is no answer yet, or the daemon did not want it. Can transition to: pending.
        case idle
        /// An answer that is to be submitted at that time. Can transition to: submitting.
        case pending(CustomerInfoResponse, until: BootTime)
        /// Under way; `newer`: the one to be submitted next. Can transition to: delivered, pending, idle.
        case submitting(CustomerInfoResponse, newer: CustomerInfoResponse?)
        /// The daemon has it. Can transition to: pending.
        case delivered(CustomerInfoResponse)
    }

    private var state = State.idle
    /// In a row.
    private var failures = 0

    init() {}

    /// When `timePassed` has something to do; `nil`: nothing is to be submitted.
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

    /// - Returns: what to submit; the next event is how that ended. `nil`: nothing.
    mutating func timePassed(at now: BootTime) -> CustomerInfoResponse? {
        switch state {
        case .pending(let answer, let until) where until <= now:
            state = .submitting(answer, newer: nil)
            return answer
        case .idle, .pending, .submitting, .delivered:
            return nil
        }
    }

    /// The daemon has it, or something newer.
    mutating func submitted(at now: BootTime) {
        switch state {
        case .submitting(let answer, let newer):
            failures = 0
            state = newer.map { .pending($0, until: now) } ?? .delivered(answer)
        case .idle, .pending, .delivered:
            break
        }
    }

    /// The daemon could not be reached, or could not serve.
    ///
    /// - Parameter jitter: by chance, from 0 to 1.
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

    /// The daemon does not want it. Submitting it again would not help.
    mutating func refused(at now: BootTime) {
        switch state {
        case .submitting(_, let newer):
            failures = 0
            state = newer.map { .pending($0, until: now) } ?? .idle
        case .idle, .pending, .delivered:
            break
        }
    }

    /// The daemon was away, or was never seen before.
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
