import GateModel
import GateTexts
import Testing

@Suite("What the desktop says when something was refused (U-09)")
struct RefusalNoticeTests {
    private func sentence(
        _ code: GateError.Code, _ reason: GateError.Reason = .unspecified, _ parameters: [String: String] = [:],
        retryAfter: Duration? = nil, of subject: RefusalNotice.Subject = .page
    ) -> String? {
        let error = GateError(code, reason, "The daemon's words.", retryAfter: retryAfter, parameters: parameters)
        return RefusalNotice(error, subject)?.sentence
    }

    @Test("the sentence fits the cause of the refusal (U-09)")
    func causes() {
        #expect(sentence(.failedPrecondition, .refused) == "A grown-up said no.")
        #expect(
            sentence(.aborted, .noPresenter, ["what": "question"])
                == "A grown-up has to allow this, but no screen is on where they can be asked. "
                + "Tell a grown-up: `gatectl doctor` says what is missing.")
        #expect(
            sentence(.aborted, .noPresenter, ["what": "grown-up"])
                == sentence(.aborted, .noPresenter, ["what": "question"]))
        #expect(
            sentence(.resourceExhausted, .lockedOut, retryAfter: .seconds(180))
                == "Too many answers were wrong or missing. Try again in 3 minutes.")
        #expect(
            sentence(.failedPrecondition, .denied)
                == "The rules of this device do not allow this. A grown-up can change them.")
        #expect(
            sentence(.notFound, .invalidRequest)
                == "There is no browser to open it with. Tell a grown-up: `browser:` in Gate's policy names one.")
        #expect(
            sentence(.unavailable)
                == "Gate does not answer, so nobody can be asked. Tell a grown-up: `gatectl doctor` says why.")
        #expect(
            sentence(.deadlineExceeded, .expired) == "Nobody answered in time. Ask again when a grown-up is there.")
        #expect(sentence(.failedPrecondition, .wrongAnswer) == "Wrong answer.")
        #expect(
            sentence(.failedPrecondition, .wrongAnswer, retryAfter: .seconds(30))
                == "Wrong answer. Try again in 30 seconds.")
    }

    @Test("the heading says what did not happen")
    func headings() {
        let error = GateError(.failedPrecondition, .refused, "A grown-up said no.")
        #expect(RefusalNotice(error, .page)?.heading == "The page was not opened.")
        #expect(RefusalNotice(error, .program)?.heading == "The program was not started.")
    }

    @Test("a question that waits is no refusal: the person hears that it was asked, and when to try again (W-08)")
    func asked() {
        let error = GateError(.failedPrecondition, .asked, "The daemon's words.", parameters: ["ask": "3"])
        for subject in RefusalNotice.Subject.allCases {
            #expect(RefusalNotice(error, subject)?.heading == "A grown-up has been asked.")
        }
        #expect(
            sentence(.failedPrecondition, .asked)
                == "You can open this page as soon as a grown-up says yes. Open it again then.")
        #expect(
            sentence(.failedPrecondition, .asked, of: .program)
                == "You can start this program as soon as a grown-up says yes. Start it again then.")
    }

    @Test("a child who asks for more time hears what happens after a yes (Z-05)")
    func sessionTime() {
        let asked = GateError(.failedPrecondition, .asked, "The daemon's words.", parameters: ["ask": "3"])
        #expect(
            RefusalNotice(asked, .sessionTime)?.sentence
                == "You get more time as soon as a grown-up says yes.")
        let refused = GateError(.failedPrecondition, .refused, "A grown-up said no.")
        #expect(RefusalNotice(refused, .sessionTime)?.heading == "You did not get more time.")
    }

    @Test("whoever has no time left hears where a child asks for more, without a terminal (Z-05, X-02)")
    func moreTime() {
        let parameters = [
            "gated-action": "app.supertux2", "allowance": "games", "day": "tomorrow", "time": "0:00",
            "more-time": "30m",
        ]
        #expect(
            sentence(.failedPrecondition, .outOfHours, parameters, of: .program)
                == "The time for this is used up. There is more tomorrow at 0:00. "
                + "To ask for more time, open Gate and go to Questions.")
        #expect(sentence(.failedPrecondition, .outOfHours, of: .program) == "The daemon's words.")
    }

    @Test("a person who has closed the question is told nothing, and one whose question somebody else closed is")
    func dismissed() {
        #expect(sentence(.cancelled, .dismissed) == nil)
        #expect(
            sentence(.cancelled, .dismissed, ["by": "other-user"])
                == "The question was closed without an answer. Ask again when a grown-up has time.")
    }

    @Test("whatever has no screen, nobody is sent to a terminal to be asked there")
    func noTerminal() throws {
        for what in GateError.Reason.noPresenter.subjects {
            let said = try #require(sentence(.aborted, .noPresenter, ["what": what]))
            #expect(!said.contains("terminal") && !said.contains("present`") && !said.contains("login"), "\(what)")
        }
    }

    @Test("a reason without a sentence of its own is told as everywhere else")
    func others() {
        #expect(sentence(.resourceExhausted, .limit, ["what": "queue"]) == "The daemon's words.")
        let missing = GateError(.notFound, .invalidRequest, "There is no command 'x' in PATH.")
        #expect(RefusalNotice(missing, .program)?.sentence == "There is no command 'x' in PATH.")
    }
}
