import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("The mode, by command")
struct ModeCommandTests {
    @Test("child, verifying, parent, child: each step is a revision of its own (F-01, F-02, F-04)")
    func goingRound() throws {
        var device = Device()
        #expect(device.state.modeState == .closed)

        let question = try device.ask(as: .anna)
        #expect(device.state.modeState == ModeState(mode: .verifying, deadline: .seconds(1060)))
        #expect(device.state.revision.number == 1)
        #expect(question.id == 1 && question.summary.purpose == .enterParentMode && question.deadline == .seconds(1060))
        #expect(question.summary.isDismissible && question.summary.style == .sheet)

        let answered = try device.apply(
            .complete(question.cookie, .text(question.question.solution)), as: .anna)
        #expect(answered.reply == .done && answered.isChange && answered.revision.number == 2)
        #expect(device.state.modeState == ModeState(mode: .parent, deadline: .seconds(1900)))

        let left = try device.apply(.toggle(presenting: .elsewhere), as: .ben)
        #expect(left.reply == .done && left.revision.number == 3 && device.state.modeState == .closed)
        #expect(device.kinds() == [.challengeOpened, .answeredRight, .parentEntered, .parentLeft])
    }

    @Test("the question before parent mode has the style that the policy gives it (K-03)")
    func style() throws {
        var configuration = Configuration.gates
        configuration.modeStyle = .fullScreenCover
        var device = Device(configuration: configuration)
        let question = try device.ask(as: .anna)
        #expect(question.summary.style == .fullScreenCover)
        try device.apply(.complete(question.cookie, .text(question.question.solution)), as: .anna)
        let longer = try device.apply(.extend(.seconds(600), presenting: .here), as: .anna).presentation()
        #expect(longer.summary.style == .fullScreenCover)
    }

    @Test("a second toggle by the same program returns the open question and changes nothing (F-02)")
    func toggleTwice() throws {
        var device = Device()
        let question = try device.ask(as: .anna)
        let before = device.state
        let again = try device.apply(.toggle(presenting: .here), as: .anna)
        #expect(again.reply == .presentation(question) && !again.isChange)
        #expect(device.state == before)
        #expect(device.shown(to: .anna) == question)
        #expect(device.shown(to: .ben) == nil)
    }

    @Test("while a question is open another program of the same user is told to wait; other users are asked as well")
    func toggleWhileVerifying() throws {
        var device = Device()
        let question = try device.ask(as: .anna)
        device.refuses(.toggle(presenting: .here), as: .annasOther, .failedPrecondition, .verifying)
        try device.turn(by: .seconds(10))
        _ = try device.ask(as: .ben)
        #expect(device.state.modeState == ModeState(mode: .verifying, deadline: .seconds(1070)))
        #expect(device.shown(to: .anna) == question)
    }

    @Test("each question is a new one, with a cookie and an id of its own (F-08)")
    func newQuestions() throws {
        var device = Device()
        var cookies: Set<PresentationCookie> = []
        for id in 1...20 as ClosedRange<UInt64> {
            let question = try device.ask(as: .anna)
            #expect(question.id == id && question.cookie.presentationID == id && question.cookie.bytes.count == 24)
            cookies.insert(question.cookie)
            try device.apply(.cancel, as: .root)
        }
        #expect(cookies.count == 20)
    }

    @Test("if no presenter can show the question, none is asked, and nothing changes")
    func noPresenter() throws {
        var device = Device()
        device.refuses(.toggle(presenting: .elsewhere), as: .anna, .aborted, .noPresenter)
        try device.enterParentMode(as: .anna)
        device.refuses(.extend(nil, presenting: .elsewhere), as: .anna, .aborted, .noPresenter)
    }

    @Test("cancel in child mode succeeds, with no new revision and no event (F-03)")
    func cancelInChildMode() throws {
        var device = Device()
        device.changesNothing(.cancel, as: .anna)
    }

    @Test("cancel changes nothing in parent mode, not even an open question for more time (F-03)")
    func cancelInParentMode() throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        device.changesNothing(.cancel, as: .anna)
        device.changesNothing(.cancel, as: .root)
        _ = try device.askForMore(as: .anna)
        device.changesNothing(.cancel, as: .anna)
    }

    @Test("cancel while verifying leads back to child (F-03)", arguments: [Peer.anna, .root])
    func cancelWhileVerifying(peer: Peer) throws {
        var device = Device()
        _ = try device.ask(as: .anna)
        let cancelled = try device.apply(.cancel, as: peer)
        #expect(cancelled.isChange && cancelled.audit.first?.kind == .cancelled && device.mode == .child)
        #expect(cancelled.audit.first?.actor == AuditEntry.Actor(uid: peer.uid, pid: peer.pid))
    }

    @Test("every user may lock, unless another user is being asked; in child mode it changes nothing")
    func lock() throws {
        var device = Device()
        device.changesNothing(.lock, as: .ben)

        _ = try device.ask(as: .anna)
        #expect(try device.apply(.lock, as: .annasOther).audit.map(\.kind) == [.locked])
        #expect(device.mode == .child)

        try device.enterParentMode(as: .anna)
        #expect(try device.apply(.lock, as: .ben).audit.map(\.kind) == [.locked])
        #expect(device.mode == .child)

        try device.enterParentMode(as: .anna)
        _ = try device.askForMore(as: .anna)
        #expect(try device.apply(.lock, as: .ben).audit.map(\.kind) == [.withdrawn, .locked])
        #expect(device.mode == .child)
    }

    @Test("more time takes a fresh question, and runs from the answer on (G-02)")
    func extend() throws {
        var device = Device()
        device.refuses(.extend(nil, presenting: .here), as: .anna, .failedPrecondition, .notParent)
        try device.enterParentMode(as: .anna)
        try device.turn(by: .seconds(600))

        let question = try device.askForMore(.seconds(7200), as: .anna)
        #expect(question.summary.purpose == .extendParentMode && question.id == 2)
        #expect(question.summary.asked.details == "for 2h" && question.summary.asked.gatedAction.isEmpty)
        #expect(device.state.modeState == ModeState(mode: .parent, deadline: .seconds(1900)))
        device.refuses(.extend(nil, presenting: .here), as: .annasOther, .failedPrecondition, .verifying)
        device.refuses(.extend(.seconds(5), presenting: .here), as: .anna, .failedPrecondition, .verifying)
        #expect(try device.askForMore(.seconds(7200), as: .anna) == question)

        try device.turn(by: .seconds(10))
        try device.answerRight(question, as: .anna)
        #expect(device.state.modeState == ModeState(mode: .parent, deadline: .seconds(1610 + 7200)))
        #expect(device.kinds().suffix(3) == [.challengeOpened, .answeredRight, .extended])
    }

    @Test("a wrong answer to a question for more time keeps the lease, and counts")
    func extendWrongly() throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        let lease = device.state.modeState
        try device.answerWrong(device.askForMore(as: .anna), as: .anna)
        #expect(device.state.modeState == lease)
        #expect(device.lockout(of: .anna)?.wrongAnswers == 1)
    }

    @Test("an administrator extends or shortens a lease at once, but not in child mode")
    func extendAsAdministrator() throws {
        var device = Device()
        device.refuses(.extend(nil, presenting: .elsewhere), as: .root, .failedPrecondition, .notParent)
        try device.enterParentMode(as: .anna)
        let question = try device.askForMore(as: .anna)
        #expect(try device.apply(.extend(.seconds(30), presenting: .elsewhere), as: .root).reply == .done)
        #expect(device.state.modeState.deadline == .seconds(1030))
        // Anna's question is still open, but ends with the lease.
        #expect(device.shown(to: .anna) == question)
        try device.turn(by: .seconds(30))
        #expect(device.kinds().suffix(3) == [.extended, .withdrawn, .leaseExpired])
        #expect(device.lockout(of: .anna) == nil)
    }

    @Test(
        "a lease is more than nothing, and at most what is configured",
        arguments: [Duration.zero, .seconds(-1), .seconds(24 * 3600 + 1), .seconds(Int64.max), .nanoseconds(-1)])
    func leaseBounds(duration: Duration) throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        for peer in [Peer.anna, .root] {
            device.refuses(.extend(duration, presenting: .here), as: peer, .invalidArgument, .invalidRequest)
        }
        device.refuses(.override(.parent, duration, reason: "x"), as: .root, .invalidArgument, .invalidRequest)
    }

    @Test("an override sets the mode at once, withdraws what is open, and costs nobody anything")
    func override() throws {
        var device = Device()
        let question = try device.ask(as: .anna)
        let reason = "Grandma is on the phone"
        let overridden = try device.apply(.override(.parent, .seconds(60), reason: reason), as: .root)
        #expect(overridden.audit.map(\.kind) == [.withdrawn, .overridden])
        #expect(overridden.audit.last?.detail == "parent for 1m: Grandma is on the phone")
        #expect(device.state.modeState == ModeState(mode: .parent, deadline: .seconds(1060)))
        device.refuses(
            .complete(question.cookie, .text(question.question.solution)), as: .anna, .aborted, .closed)
        #expect(device.lockout(of: .anna) == nil)

        try device.apply(.override(.parent, nil, reason: reason), as: .root)
        #expect(device.state.modeState.deadline == .seconds(1900))
        try device.apply(.override(.child, nil, reason: reason), as: .root)
        #expect(device.state.modeState == .closed)
        // The override is recorded even if nothing else changes, because it has a reason.
        #expect(try device.apply(.override(.child, nil, reason: reason), as: .root).audit.map(\.kind) == [.overridden])
    }

    @Test("an override to verifying, to child with a duration, or without a proper reason is refused")
    func overrideRefused() {
        var device = Device()
        let long = String(repeating: "x", count: 201)
        for reason in ["", " ", "two\nlines", "bell\u{7}", "\u{9b}31m", long] {
            device.refuses(.override(.parent, nil, reason: reason), as: .root, .invalidArgument, .invalidRequest)
        }
        device.refuses(.override(.verifying, nil, reason: "x"), as: .root, .invalidArgument, .invalidRequest)
        device.refuses(.override(.child, .seconds(1), reason: "x"), as: .root, .invalidArgument, .invalidRequest)
    }

    @Test("a reason of 200 bytes, in any script, is kept as it is")
    func longReason() throws {
        var device = Device()
        let reason = String(repeating: "я", count: 100)
        try device.apply(.override(.child, nil, reason: reason), as: .root)
        #expect(device.journal.last?.detail == "child: \(reason)")
    }

    @Test("a new configuration applies to the questions and leases after it")
    func configure() throws {
        var device = Device()
        var configuration = Configuration.sums
        configuration.modeChallenge = ChallengeRule(.arithmeticEntry)
        configuration.lease = .seconds(5)
        try device.apply(.configure(configuration, detail: "SIGHUP"), as: .daemon)
        #expect(device.state.configuration == configuration)
        #expect(device.journal.last?.kind == .reloaded && device.journal.last?.detail == "SIGHUP")
        #expect(device.journal.last?.actor == nil)
        let question = try device.ask(as: .anna)
        #expect(question.question.kind == .arithmeticEntry)
        try device.answerRight(question, as: .anna)
        #expect(device.state.modeState.deadline == .seconds(1005))
    }
}

extension Device {
    /// Expects that the command throws this error and changes nothing.
    mutating func refuses(
        _ command: Command, as peer: Peer, _ code: GateError.Code, _ reason: GateError.Reason,
        location: SourceLocation = #_sourceLocation
    ) {
        let before = state
        let randomBefore = random
        let error = #expect(throws: GateError.self, sourceLocation: location) { try self.apply(command, as: peer) }
        #expect(error?.code == code && error?.reason == reason, "\(error?.message ?? "")", sourceLocation: location)
        #expect(state == before && random == randomBefore, "it left a trace", sourceLocation: location)
    }

    /// Expects that the command succeeds, with nothing to store or to publish.
    mutating func changesNothing(_ command: Command, as peer: Peer, location: SourceLocation = #_sourceLocation) {
        let before = state
        let transition = try? apply(command, as: peer)
        #expect(
            transition
                == Transition(revision: before.revision, isChange: false, records: [], audit: [], reply: .done),
            sourceLocation: location)
        #expect(state == before, sourceLocation: location)
    }
}
