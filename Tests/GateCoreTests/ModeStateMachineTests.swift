import GateModel
import Testing

@testable import GateCore

/// Each event in each state. Every table must have a row for every state, or its test fails.
@Suite("The mode machine")
struct ModeStateMachineTests {
    /// The states, as Anna's program meets them.
    enum Start: CaseIterable {
        case child
        case verifying
        case verifyingBen
        case parent
        case extending
        case extendingBen

        var machine: ModeStateMachine {
            switch self {
            case .child: .child
            case .verifying: .verifying(annas)
            case .verifyingBen: .verifying(bens)
            case .parent: .parent()
            case .extending: .parent(extending: annas)
            case .extendingBen: .parent(extending: bens)
            }
        }
    }

    static let annas = OpenChallenge.open(1, by: .anna)
    static let bens = OpenChallenge.open(1, by: .ben)
    private let annas = Self.annas
    private let bens = Self.bens

    @Test("toggling asks in child mode, shows the same question again, and leaves parent mode")
    func toggled() {
        expect([
            .child: (.challengeNeeded, .child),
            .verifying: (.shownAgain(annas.presentation), .verifying(annas)),
            .verifyingBen: (.othersChallengeIsOpen, .verifying(bens)),
            .parent: (.left(withdrawn: nil), .child),
            .extending: (.left(withdrawn: annas), .child),
            .extendingBen: (.left(withdrawn: bens), .child),
        ]) { $0.toggled(by: .anna) }
    }

    @Test("more time is for parent mode alone, one question at a time")
    func extensionAsked() {
        expect([
            .child: (.notParent, .child),
            .verifying: (.notParent, .verifying(annas)),
            .verifyingBen: (.notParent, .verifying(bens)),
            .parent: (.challengeNeeded(leaseEnd: .seconds(900)), .parent()),
            .extending: (.shownAgain(annas.presentation), .parent(extending: annas)),
            .extendingBen: (.othersChallengeIsOpen, .parent(extending: bens)),
        ]) { $0.extensionAsked(by: .anna, for: .seconds(300)) }
    }

    @Test("an open question for more time is not one for another duration")
    func extensionAskedForAnotherDuration() {
        var machine = Start.extending.machine
        #expect(machine.extensionAsked(by: .anna, for: .seconds(301)) == .otherDurationIsOpen)
        #expect(machine == Start.extending.machine)
    }

    @Test("a lease is set anew without a question in parent mode alone, and open questions stay")
    func leaseExtended() {
        expect([
            .child: (.notParent, .child),
            .verifying: (.notParent, .verifying(annas)),
            .verifyingBen: (.notParent, .verifying(bens)),
            .parent: (.extended, .parent(until: .seconds(2000))),
            .extending: (.extended, .parent(until: .seconds(2000), extending: annas)),
            .extendingBen: (.extended, .parent(until: .seconds(2000), extending: bens)),
        ]) { $0.leaseExtended(until: .seconds(2000)) }
    }

    @Test("a right answer begins parent mode, or gives it more time")
    func answeredRight() {
        expect([
            .child: (.nothingOpen, .child),
            .verifying: (.entered(annas, until: .seconds(910)), .parent(until: .seconds(910))),
            .verifyingBen: (.entered(bens, until: .seconds(910)), .parent(until: .seconds(910))),
            .parent: (.nothingOpen, .parent()),
            .extending: (
                .extended(annas, until: .seconds(310), duration: .seconds(300)), .parent(until: .seconds(310))
            ),
            .extendingBen: (
                .extended(bens, until: .seconds(310), duration: .seconds(300)), .parent(until: .seconds(310))
            ),
        ]) { $0.answerReceived("12", at: .seconds(10), lease: .seconds(900)) }
    }

    @Test("a wrong answer closes the question, and the mode is what it was before")
    func answeredWrong() {
        expect([
            .child: (.nothingOpen, .child),
            .verifying: (.wrong(annas), .child),
            .verifyingBen: (.wrong(bens), .child),
            .parent: (.nothingOpen, .parent()),
            .extending: (.wrong(annas), .parent()),
            .extendingBen: (.wrong(bens), .parent()),
        ]) { $0.answerReceived("13", at: .seconds(10), lease: .seconds(900)) }
    }

    @Test("what is no answer at all leaves the question open")
    func answeredNonsense() {
        expect([
            .child: (.nothingOpen, .child),
            .verifying: (.notAnAnswer, .verifying(annas)),
            .verifyingBen: (.notAnAnswer, .verifying(bens)),
            .parent: (.nothingOpen, .parent()),
            .extending: (.notAnAnswer, .parent(extending: annas)),
            .extendingBen: (.notAnAnswer, .parent(extending: bens)),
        ]) { $0.answerReceived("12x", at: .seconds(10), lease: .seconds(900)) }
    }

    @Test("a question that ends without an answer leaves the mode as it was before")
    func challengeFailed() {
        expect([
            .child: (nil, .child),
            .verifying: (annas, .child),
            .verifyingBen: (bens, .child),
            .parent: (nil, .parent()),
            .extending: (annas, .parent()),
            .extendingBen: (bens, .parent()),
        ]) { $0.challengeFailed() }
    }

    @Test("a requester that dies takes its own question with it, and nobody else's")
    func requesterLost() {
        expect([
            .child: (nil, .child),
            .verifying: (annas, .child),
            .verifyingBen: (nil, .verifying(bens)),
            .parent: (nil, .parent()),
            .extending: (annas, .parent()),
            .extendingBen: (nil, .parent(extending: bens)),
        ]) { $0.requesterLost(.anna) }
    }

    @Test("cancel changes nothing in parent mode, nor in child mode")
    func cancelled() {
        expect([
            .child: (.nothingToCancel, .child),
            .verifying: (.closed(annas), .child),
            .verifyingBen: (.closed(bens), .child),
            .parent: (.nothingToCancel, .parent()),
            .extending: (.nothingToCancel, .parent(extending: annas)),
            .extendingBen: (.nothingToCancel, .parent(extending: bens)),
        ]) { $0.cancelled() }
    }

    @Test("locking leads to child mode from anywhere")
    func locked() {
        expect([
            .child: (.alreadyChild, .child),
            .verifying: (.closed(annas), .child),
            .verifyingBen: (.closed(bens), .child),
            .parent: (.left(withdrawn: nil), .child),
            .extending: (.left(withdrawn: annas), .child),
            .extendingBen: (.left(withdrawn: bens), .child),
        ]) { $0.locked() }
    }

    @Test("an override to parent mode leads there from anywhere, and withdraws what is open")
    func overriddenToParent() {
        expect([
            .child: (nil, .parent(until: .seconds(50))),
            .verifying: (annas, .parent(until: .seconds(50))),
            .verifyingBen: (bens, .parent(until: .seconds(50))),
            .parent: (nil, .parent(until: .seconds(50))),
            .extending: (annas, .parent(until: .seconds(50))),
            .extendingBen: (bens, .parent(until: .seconds(50))),
        ]) { $0.overridden(parentUntil: .seconds(50)) }
    }

    @Test("an override to child mode leads there from anywhere, and withdraws what is open")
    func overriddenToChild() {
        expect([
            .child: (nil, .child),
            .verifying: (annas, .child),
            .verifyingBen: (bens, .child),
            .parent: (nil, .child),
            .extending: (annas, .child),
            .extendingBen: (bens, .child),
        ]) { $0.overridden(parentUntil: nil) }
    }

    @Test("before any deadline, time changes nothing")
    func deadlineNotReached() {
        expect([
            .child: (.nothingDue, .child),
            .verifying: (.nothingDue, .verifying(annas)),
            .verifyingBen: (.nothingDue, .verifying(bens)),
            .parent: (.nothingDue, .parent()),
            .extending: (.nothingDue, .parent(extending: annas)),
            .extendingBen: (.nothingDue, .parent(extending: bens)),
        ]) { $0.deadlineReached(BootTime(nanoseconds: 60_000_000_000 - 1)) }
    }

    @Test("at the deadline of an answer, the question expires")
    func answerDeadlineReached() {
        expect([
            .child: (.nothingDue, .child),
            .verifying: (.challengeExpired(annas), .child),
            .verifyingBen: (.challengeExpired(bens), .child),
            .parent: (.nothingDue, .parent()),
            .extending: (.challengeExpired(annas), .parent()),
            .extendingBen: (.challengeExpired(bens), .parent()),
        ]) { $0.deadlineReached(.seconds(60)) }
    }

    @Test("at the end of the lease, what came due first is told first")
    func leaseEnded() {
        expect([
            .child: (.nothingDue, .child),
            .verifying: (.challengeExpired(annas), .child),
            .verifyingBen: (.challengeExpired(bens), .child),
            .parent: (.leaseEnded(withdrawn: nil), .child),
            .extending: (.challengeExpired(annas), .parent()),
            .extendingBen: (.challengeExpired(bens), .parent()),
        ]) { $0.deadlineReached(.seconds(900)) }
    }

    @Test("where lease and question end in one moment, the lease takes the question with it")
    func leaseAndQuestionEnd() {
        var machine = ModeStateMachine.parent(until: .seconds(60), extending: annas)
        #expect(machine.deadlineReached(.seconds(60)) == .leaseEnded(withdrawn: annas))
        #expect(machine == .child)
    }

    @Test("after a restart it is child mode, whatever was before")
    func restarted() {
        for start in Start.allCases {
            var machine = start.machine
            machine.restarted()
            #expect(machine == .child)
        }
    }

    @Test("a question opens only where one is needed; anything else is our own bug")
    func openedWithoutNeed() async {
        await #expect(processExitsWith: .failure) {
            var machine = Start.verifying.machine
            machine.challengeOpened(ModeStateMachineTests.bens)
        }
        await #expect(processExitsWith: .failure) {
            var machine = Start.parent.machine
            machine.challengeOpened(ModeStateMachineTests.bens)
        }
        await #expect(processExitsWith: .failure) {
            var machine = Start.child.machine
            machine.extensionOpened(ModeStateMachineTests.bens, for: .seconds(1))
        }
        await #expect(processExitsWith: .failure) {
            var machine = Start.extending.machine
            machine.extensionOpened(ModeStateMachineTests.bens, for: .seconds(1))
        }
    }

    @Test("everybody sees mode and deadline; only the requester's question is there to answer")
    func whatIsSeen() {
        let seen: [Start: (Mode, Int64?, OpenChallenge?, Int64?)] = [
            .child: (.child, nil, nil, nil),
            .verifying: (.verifying, 60, annas, 60),
            .verifyingBen: (.verifying, 60, bens, 60),
            .parent: (.parent, 900, nil, 900),
            .extending: (.parent, 900, annas, 60),
            .extendingBen: (.parent, 900, bens, 60),
        ]
        #expect(Set(seen.keys) == Set(Start.allCases))
        for (start, (mode, deadline, open, nextDeadline)) in seen {
            let machine = start.machine
            #expect(machine.modeState == ModeState(mode: mode, deadline: deadline.map(BootTime.seconds)))
            #expect(machine.openChallenge == open)
            #expect(machine.nextDeadline == nextDeadline.map(BootTime.seconds))
        }
    }

    /// Result and state afterwards, for each state.
    private func expect<Result: Hashable>(
        _ table: [Start: (Result, ModeStateMachine)], location: SourceLocation = #_sourceLocation,
        _ event: (inout ModeStateMachine) -> Result
    ) {
        #expect(Set(table.keys) == Set(Start.allCases), "a state is missing", sourceLocation: location)
        for (start, (result, after)) in table {
            var machine = start.machine
            #expect(event(&machine) == result, "\(start)", sourceLocation: location)
            #expect(machine == after, "\(start)", sourceLocation: location)
        }
    }
}

extension ModeStateMachine {
    fileprivate static let child = ModeStateMachine()

    fileprivate static func verifying(_ open: OpenChallenge) -> ModeStateMachine {
        var machine = ModeStateMachine()
        machine.challengeOpened(open)
        return machine
    }

    fileprivate static func parent(
        until leaseEnd: BootTime = .seconds(900), extending open: OpenChallenge? = nil
    ) -> ModeStateMachine {
        var machine = ModeStateMachine()
        _ = machine.overridden(parentUntil: leaseEnd)
        if let open {
            machine.extensionOpened(open, for: .seconds(300))
        }
        return machine
    }
}

extension OpenChallenge {
    /// 5 + 7, to be answered before 60 s.
    fileprivate static func open(_ id: UInt64, by requester: Peer) -> OpenChallenge {
        let problem = ArithmeticProblem(left: 5, operator: .plus, right: 7)
        let sealed = SealedChallenge(.arithmeticChoice(problem, choices: [12, 13, 14]), solution: 12)
        let presentation = Presentation(
            id: id, cookie: Cookie(bytes: Array(repeating: 7, count: 24)), purpose: .enterParentMode,
            deadline: .seconds(60), style: .sheet, isDismissible: true, challenge: sealed.challenge)
        return OpenChallenge(presentation, sealed: sealed, requester: requester)
    }
}
