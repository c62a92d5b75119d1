import GateModel
import GateReceipts
import Testing

@testable import gate_revenuecat

@Suite("When RevenueCat is asked about a user")
struct SubscriberPollTests {
    private typealias Poll = SubscriberPoll
    private static let interval: Duration = .seconds(900)
    private let start = BootTime(nanoseconds: 1_000_000_000_000)
    private let answer = CustomerInfoResponse(path: "/v1/subscribers/anna", nonce: [], headers: [], body: [1])

    private func after(_ seconds: Int) -> BootTime { start.advanced(by: .seconds(seconds)) }

    /// Waiting for its first question.
    private var fresh: Poll { Poll(interval: Self.interval, at: start) }
    /// The first question is under way.
    private var asking: Poll {
        var poll = fresh
        _ = poll.timePassed(at: start)
        return poll
    }
    /// A question that ended like this at the start, with a jitter that neither adds nor removes time.
    private func ended(_ outcome: PollOutcome) -> Poll {
        var poll = asking
        _ = poll.answered(outcome, at: start, jitter: 0.5)
        return poll
    }
    private var answered: Poll { ended(.answer(answer, etag: "e1")) }

    // MARK: Time

    @Test("the first question is asked at once, and without an etag")
    func first() {
        var poll = fresh
        #expect(poll.deadline == start)
        #expect(poll.timePassed(at: start) == .ask(etag: nil))
        #expect(poll.deadline == nil)
    }

    @Test("nothing is asked before its time, nor while a question is under way")
    func notYet() {
        var poll = answered
        #expect(poll.timePassed(at: after(899)) == .nothing)
        var busy = asking
        #expect(busy.timePassed(at: after(10_000)) == .nothing)
        #expect(busy == asking)
    }

    // MARK: Answers to a question

    @Test("somebody who has paid already is asked about at once, and often again for a while (S-08)")
    func restore() {
        var poll = answered
        poll.paywallOpened(at: after(10))
        #expect(poll.timePassed(at: after(10)) == .ask(etag: "e1"))
        _ = poll.answered(.notModified, at: after(10), jitter: 0.5)
        // Later on the questions are fewer.
        for moment in stride(from: 15, through: 175, by: 5) where poll.timePassed(at: after(moment)) != .nothing {
            _ = poll.answered(.notModified, at: after(moment), jitter: 0.5)
        }
        #expect(poll.deadline.map { after(176).duration(to: $0) > .seconds(5) } == true)
        poll.restoreAsked(at: after(176))
        #expect(poll.timePassed(at: after(176)) == .ask(etag: "e1"))
        _ = poll.answered(.notModified, at: after(176), jitter: 0.5)
        #expect(poll.deadline == after(181))
        poll.restoreAsked(at: after(177))
        #expect(poll.deadline == after(181), "once in five seconds is often enough")
    }

    @Test("a payment made already does not shorten the wait that RevenueCat has ordered")
    func restoreWhileBusy() {
        var poll = ended(.busy(retryAfter: .seconds(120), "Too many questions."))
        let deadline = poll.deadline
        poll.restoreAsked(at: after(10))
        #expect(poll.deadline == deadline)
    }

    @Test("an answer is passed on, and its etag goes with the question after the interval")
    func news() {
        var poll = asking
        #expect(poll.answered(.answer(answer, etag: "e1"), at: start, jitter: 0.5) == .news(answer))
        #expect(poll.deadline == after(900))
        #expect(poll.timePassed(at: after(900)) == .ask(etag: "e1"))
    }

    @Test("the interval varies by a tenth at random")
    func jitter() {
        for (jitter, seconds) in [(0, 810), (1, 990)] as [(Double, Int)] {
            var poll = asking
            _ = poll.answered(.answer(answer, etag: nil), at: start, jitter: jitter)
            #expect(poll.deadline == after(seconds))
        }
    }

    @Test("an unchanged answer is not passed on, and the etag is kept")
    func unchanged() {
        var poll = answered
        _ = poll.timePassed(at: after(900))
        #expect(poll.answered(.notModified, at: after(900), jitter: 0.5) == .unchanged)
        #expect(poll.deadline == after(1800))
        #expect(poll.timePassed(at: after(1800)) == .ask(etag: "e1"))
    }

    @Test("after an answer without an etag the next question has none either")
    func noETag() {
        var poll = answered
        _ = poll.timePassed(at: after(900))
        _ = poll.answered(.answer(answer, etag: nil), at: after(900), jitter: 0.5)
        #expect(poll.timePassed(at: after(1800)) == .ask(etag: nil))
    }

    @Test("'nothing has changed' without an etag to compare with is a failure")
    func unaskedNotModified() {
        var poll = asking
        guard case .unreachable = poll.answered(.notModified, at: start, jitter: 0) else {
            Issue.record("it was believed")
            return
        }
        #expect(poll.deadline == after(2))
    }

    @Test("after each failure the wait doubles, up to five minutes, and an answer resets it")
    func failures() {
        var poll = asking
        var now = start
        for seconds in [2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            #expect(poll.answered(.failed("No."), at: now, jitter: 1) == .unreachable("No."))
            now = now.advanced(by: .seconds(seconds))
            #expect(poll.deadline == now)
            #expect(poll.timePassed(at: now) == .ask(etag: nil))
        }
        _ = poll.answered(.answer(answer, etag: nil), at: now, jitter: 0.5)
        _ = poll.timePassed(at: now.advanced(by: .seconds(900)))
        _ = poll.answered(.failed("No."), at: now, jitter: 1)
        #expect(poll.deadline == now.advanced(by: .seconds(2)))
    }

    @Test("a failure does not forget the etag")
    func failureKeepsETag() {
        var poll = answered
        _ = poll.timePassed(at: after(900))
        _ = poll.answered(.failed("No."), at: after(900), jitter: 1)
        #expect(poll.timePassed(at: after(902)) == .ask(etag: "e1"))
    }

    @Test("RevenueCat's ordered wait is kept within 2 seconds and an hour, and lengthened by up to a tenth")
    func busy() {
        let orders: [(Int, Double, Int)] = [(60, 0, 60), (60, 1, 66), (0, 0, 2), (1_000_000, 0, 3600)]
        for (ordered, jitter, seconds) in orders {
            var poll = asking
            let outcome = PollOutcome.busy(retryAfter: .seconds(ordered), "Too often.")
            #expect(poll.answered(outcome, at: start, jitter: jitter) == .unreachable("Too often."))
            #expect(poll.deadline == after(seconds))
        }
    }

    @Test("too many questions without an ordered wait count as a failure")
    func busyWithoutTime() {
        #expect(ended(.busy(retryAfter: nil, "Too often.")).deadline == after(2))
    }

    @Test("after a refusal RevenueCat is asked again in an hour")
    func refused() {
        var poll = asking
        #expect(poll.answered(.refused("Wrong key."), at: start, jitter: 0.5) == .unreachable("Wrong key."))
        #expect(poll.deadline == after(3600))
    }

    @Test("an answer to no question is dropped")
    func lateAnswer() {
        let outcomes: [PollOutcome] = [
            .answer(answer, etag: "e2"), .notModified, .busy(retryAfter: .seconds(1), ""), .failed(""), .refused(""),
        ]
        for outcome in outcomes {
            var poll = answered
            #expect(poll.answered(outcome, at: after(1), jitter: 0) == nil)
            #expect(poll == answered)
        }
    }

    // MARK: A paywall

    @Test("an open paywall makes it ask at once, also after a failure")
    func paywall() {
        for var poll in [answered, ended(.failed("No."))] {
            poll.paywallOpened(at: after(1))
            #expect(poll.deadline == after(1))
        }
    }

    @Test("an open paywall does not shorten a wait that RevenueCat ordered or a refusal caused")
    func paywallWhileOrdered() {
        for outcome in [PollOutcome.busy(retryAfter: .seconds(60), ""), .refused("")] {
            var poll = ended(outcome)
            let deadline = poll.deadline
            poll.paywallOpened(at: after(1))
            #expect(poll.deadline == deadline)
        }
    }

    @Test("a paywall that opens during a question shortens the wait after it")
    func paywallWhileAsking() {
        var poll = asking
        poll.paywallOpened(at: start)
        #expect(poll.deadline == nil)
        _ = poll.answered(.answer(answer, etag: nil), at: after(1), jitter: 1)
        #expect(poll.deadline == after(6))
    }

    @Test("while a paywall is open it is asked every 5 s for 2 min, then every 15 s")
    func paywallIntervals() {
        var poll = answered
        poll.paywallOpened(at: start)
        for (seconds, expected) in [(0, 5), (119, 5), (125, 15), (600, 15)] {
            #expect(poll.timePassed(at: after(seconds)) == .ask(etag: "e1"))
            _ = poll.answered(.notModified, at: after(seconds), jitter: 1)
            #expect(poll.deadline == after(seconds + expected))
        }
    }

    @Test("a paywall that is still open does not start its two minutes again")
    func paywallTwice() {
        var poll = answered
        poll.paywallOpened(at: start)
        var again = poll
        again.paywallOpened(at: after(100))
        #expect(again == poll)
    }

    @Test("while a paywall is open a failure waits 15 s at most")
    func paywallFailures() {
        var poll = asking
        poll.paywallOpened(at: start)
        for seconds in [2, 4, 8, 15, 15] {
            _ = poll.answered(.failed("No."), at: start, jitter: 1)
            #expect(poll.deadline == after(seconds))
            _ = poll.timePassed(at: after(seconds))
        }
    }

    @Test("after a paywall closes, the planned question is still asked, and then the usual interval applies")
    func paywallClosed() {
        var poll = answered
        poll.paywallOpened(at: start)
        _ = poll.timePassed(at: start)
        _ = poll.answered(.notModified, at: start, jitter: 0.5)
        poll.paywallClosed()
        #expect(poll.timePassed(at: after(5)) == .ask(etag: "e1"))
        _ = poll.answered(.notModified, at: after(5), jitter: 0.5)
        #expect(poll.deadline == after(905))
    }

    @Test("after a paywall closed during a question, a failure waits as usual")
    func paywallClosedWhileAsking() {
        var poll = asking
        poll.paywallOpened(at: start)
        poll.paywallClosed()
        _ = poll.answered(.notModified, at: start, jitter: 1)
        #expect(poll.deadline == after(2))
    }

    // MARK: The daemon

    @Test("an answer that the daemon refused is asked for anew soon, once, and then at the usual interval")
    func answerRefused() {
        var poll = answered
        for _ in 1...2 {
            poll.answerRefused(at: start, jitter: 1)
            #expect(poll.deadline == after(2))
            #expect(poll.timePassed(at: after(2)) == .ask(etag: nil))
            _ = poll.answered(.answer(answer, etag: "e2"), at: start, jitter: 0.5)
            poll.answerRefused(at: start, jitter: 1)
            #expect(poll.deadline == after(900))
            poll.answerTaken()
        }
    }

    @Test("a refusal by the daemon does not shorten a wait that RevenueCat has ordered")
    func answerRefusedInOrderedWait() {
        var poll = ended(.busy(retryAfter: .seconds(60), ""))
        let before = poll.deadline
        poll.answerRefused(at: start, jitter: 1)
        #expect(poll.deadline == before)
    }

    @Test("an answer refused during the next question is asked for anew right after it")
    func answerRefusedWhileAsking() {
        var poll = answered
        _ = poll.timePassed(at: after(900))
        poll.answerRefused(at: after(900), jitter: 1)
        #expect(poll.answered(.notModified, at: after(901), jitter: 0.5) == .unchanged)
        #expect(poll.timePassed(at: after(901)) == .ask(etag: nil))
    }
}
