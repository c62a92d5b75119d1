import GateModel
import GateReceipts
import Testing

@testable import gate_revenuecat

@Suite("Submitting RevenueCat's answers to the daemon")
struct AnswerSubmissionTests {
    private let start = BootTime(nanoseconds: 1_000_000_000_000)
    private let old = CustomerInfoResponse(path: "/v1/subscribers/anna", nonce: [], headers: [], body: [1])
    private let new = CustomerInfoResponse(path: "/v1/subscribers/anna", nonce: [], headers: [], body: [2])

    private func after(_ seconds: Int) -> BootTime { start.advanced(by: .seconds(seconds)) }

    private var idle: AnswerSubmission { AnswerSubmission() }
    private var pending: AnswerSubmission {
        var submission = idle
        submission.answerReceived(old, at: start)
        return submission
    }
    private var submitting: AnswerSubmission {
        var submission = pending
        _ = submission.timePassed(at: start)
        return submission
    }
    private var submittingWithNewer: AnswerSubmission {
        var submission = submitting
        submission.answerReceived(new, at: start)
        return submission
    }
    private var delivered: AnswerSubmission {
        var submission = submitting
        submission.submitted(at: start)
        return submission
    }

    @Test("a new answer is submitted at once, and only once")
    func submit() {
        var submission = pending
        #expect(submission.deadline == start)
        #expect(submission.timePassed(at: start) == old)
        #expect(submission.deadline == nil)
        #expect(submission.timePassed(at: after(1000)) == nil)
        submission.submitted(at: after(1))
        #expect(submission.deadline == nil)
        #expect(submission.timePassed(at: after(1000)) == nil)
    }

    @Test("a newer answer replaces one that waits or was delivered")
    func newer() {
        for var submission in [pending, delivered] {
            submission.answerReceived(new, at: after(1))
            #expect(submission.timePassed(at: after(1)) == new)
        }
    }

    @Test("a newer answer waits until the submission under way ends, however it ends")
    func newerWhileSubmitting() {
        var done = submittingWithNewer
        done.submitted(at: after(1))
        #expect(done.timePassed(at: after(1)) == new)
        var refused = submittingWithNewer
        refused.refused(at: after(1))
        #expect(refused.timePassed(at: after(1)) == new)
        var failed = submittingWithNewer
        failed.failed(at: after(1), jitter: 1)
        #expect(failed.timePassed(at: after(1)) == nil)
        #expect(failed.timePassed(at: after(3)) == new)
    }

    @Test("a daemon that can't serve is tried again, later each time")
    func failures() {
        var submission = submitting
        var now = start
        for seconds in [2, 4, 8, 16] {
            submission.failed(at: now, jitter: 1)
            now = now.advanced(by: .seconds(seconds))
            #expect(submission.deadline == now)
            #expect(submission.timePassed(at: now) == old)
        }
        submission.submitted(at: now)
        submission.answerReceived(new, at: now)
        _ = submission.timePassed(at: now)
        submission.failed(at: now, jitter: 1)
        #expect(submission.deadline == now.advanced(by: .seconds(2)))
    }

    @Test("an answer that the daemon refused is not submitted again")
    func refused() {
        var submission = submitting
        submission.refused(at: start)
        #expect(submission == idle)
        submission.daemonReturned(at: after(1))
        #expect(submission.deadline == nil)
    }

    @Test("a daemon that returns gets the waiting answer, or the last one again, at once")
    func daemonReturned() {
        var waiting = submitting
        waiting.failed(at: start, jitter: 1)
        for var submission in [waiting, delivered] {
            submission.daemonReturned(at: after(1))
            #expect(submission.timePassed(at: after(1)) == old)
        }
        var nothing = idle
        nothing.daemonReturned(at: after(1))
        #expect(nothing == idle)
        var busy = submittingWithNewer
        busy.daemonReturned(at: after(1))
        #expect(busy == submittingWithNewer)
    }

    @Test("the end of a submission that is not under way is ignored")
    func lateEnds() {
        for submission in [idle, pending, delivered] {
            var changed = submission
            changed.submitted(at: after(1))
            changed.failed(at: after(1), jitter: 1)
            changed.refused(at: after(1))
            #expect(changed == submission)
        }
    }

    @Test("a submission that the daemon refused is retried later, known already or given up")
    func kinds() {
        #expect(GateError(.unavailable, .storeFailed, "").submissionFailure == .later)
        #expect(GateError(.resourceExhausted, .limit, "").submissionFailure == .later)
        #expect(GateError(.failedPrecondition, .outdated, "").submissionFailure == .alreadyKnown)
        #expect(GateError(.invalidArgument, .badReceipt, "").submissionFailure == .never)
        #expect(GateError(.notFound, .unknown, "").submissionFailure == .never)
        #expect(GateError(.permissionDenied, .notPermitted, "").submissionFailure == .never)
    }
}
