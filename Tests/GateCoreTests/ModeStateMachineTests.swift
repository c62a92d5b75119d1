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

    static let annas = ModeStateMachine.Request(RequestID(number: 1), by: .anna)
    static let bens = ModeStateMachine.Request(RequestID(number: 1), by: .ben)
    private let annas = Self.annas
    private let bens = Self.bens

    @Test("toggling asks in child mode, shows the same question again, and leaves parent mode")
    func toggled() {
        expect([
            .child: (.challengeNeeded, .child),
            .verifying: (.askedAlready(annas.id), .verifying(annas)),
            .verifyingBen: (.othersRequestIsOpen, .verifying(bens)),
            .parent: (.left(withdrawn: nil), .child),
            .extending: (.left(withdrawn: annas.id), .child),
            .extendingBen: (.left(withdrawn: bens.id), .child),
        ]) { $0.toggled(by: .anna) }
    }

    @Test("more time is for parent mode alone, one question at a time")
    func extensionAsked() {
        expect([
            .child: (.notParent, .child),
            .verifying: (.notParent, .verifying(annas)),
            .verifyingBen: (.notParent, .verifying(bens)),
            .parent: (.challengeNeeded(leaseEnd: .seconds(900)), .parent()),
            .extending: (.askedAlready(annas.id), .parent(extending: annas)),
            .extendingBen: (.othersRequestIsOpen, .parent(extending: bens)),
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
            .verifying: (.entered(until: .seconds(910)), .parent(until: .seconds(910))),
            .verifyingBen: (.entered(until: .seconds(910)), .parent(until: .seconds(910))),
            .parent: (.nothingOpen, .parent()),
            .extending: (.extended(until: .seconds(310), duration: .seconds(300)), .parent(until: .seconds(310))),
            .extendingBen: (.extended(until: .seconds(310), duration: .seconds(300)), .parent(until: .seconds(310))),
        ]) { $0.answeredRight(RequestID(number: 1), at: .seconds(10), lease: .seconds(900)) }
    }

    @Test("a right answer to another request is nothing here")
    func answeredAnotherRequest() {
        for start in Start.allCases {
            var machine = start.machine
            let result = machine.answeredRight(RequestID(number: 2), at: .seconds(10), lease: .seconds(900))
            #expect(result == .nothingOpen && machine == start.machine)
            machine.requestFailed(RequestID(number: 2))
            #expect(machine == start.machine)
        }
    }

    @Test("a request that fails leaves the mode as it was before")
    func requestFailed() {
        let after: [Start: ModeStateMachine] = [
            .child: .child, .verifying: .child, .verifyingBen: .child, .parent: .parent(), .extending: .parent(),
            .extendingBen: .parent(),
        ]
        #expect(Set(after.keys) == Set(Start.allCases))
        for (start, expected) in after {
            var machine = start.machine
            machine.requestFailed(RequestID(number: 1))
            #expect(machine == expected, "\(start)")
        }
    }

    @Test("cancel changes nothing in parent mode, nor in child mode")
    func cancelled() {
        expect([
            .child: (.nothingToCancel, .child),
            .verifying: (.closed(annas.id), .child),
            .verifyingBen: (.closed(bens.id), .child),
            .parent: (.nothingToCancel, .parent()),
            .extending: (.nothingToCancel, .parent(extending: annas)),
            .extendingBen: (.nothingToCancel, .parent(extending: bens)),
        ]) { $0.cancelled() }
    }

    @Test("locking leads to child mode from anywhere")
    func locked() {
        expect([
            .child: (.alreadyChild, .child),
            .verifying: (.closed(annas.id), .child),
            .verifyingBen: (.closed(bens.id), .child),
            .parent: (.left(withdrawn: nil), .child),
            .extending: (.left(withdrawn: annas.id), .child),
            .extendingBen: (.left(withdrawn: bens.id), .child),
        ]) { $0.locked() }
    }

    @Test("an override to parent mode leads there from anywhere, and withdraws what is open")
    func overriddenToParent() {
        expect([
            .child: (nil, .parent(until: .seconds(50))),
            .verifying: (annas.id, .parent(until: .seconds(50))),
            .verifyingBen: (bens.id, .parent(until: .seconds(50))),
            .parent: (nil, .parent(until: .seconds(50))),
            .extending: (annas.id, .parent(until: .seconds(50))),
            .extendingBen: (bens.id, .parent(until: .seconds(50))),
        ]) { $0.overridden(parentUntil: .seconds(50)) }
    }

    @Test("an override to child mode leads there from anywhere, and withdraws what is open")
    func overriddenToChild() {
        expect([
            .child: (nil, .child),
            .verifying: (annas.id, .child),
            .verifyingBen: (bens.id, .child),
            .parent: (nil, .child),
            .extending: (annas.id, .child),
            .extendingBen: (bens.id, .child),
        ]) { $0.overridden(parentUntil: nil) }
    }

    @Test("before the end of the lease, time changes nothing")
    func deadlineNotReached() {
        expect([
            .child: (.nothingDue, .child),
            .verifying: (.nothingDue, .verifying(annas)),
            .verifyingBen: (.nothingDue, .verifying(bens)),
            .parent: (.nothingDue, .parent()),
            .extending: (.nothingDue, .parent(extending: annas)),
            .extendingBen: (.nothingDue, .parent(extending: bens)),
        ]) { $0.deadlineReached(BootTime(nanoseconds: 900_000_000_000 - 1)) }
    }

    @Test("the end of the lease is the end of parent mode, and of a request for more time")
    func leaseEnded() {
        expect([
            .child: (.nothingDue, .child),
            .verifying: (.nothingDue, .verifying(annas)),
            .verifyingBen: (.nothingDue, .verifying(bens)),
            .parent: (.leaseEnded(withdrawn: nil), .child),
            .extending: (.leaseEnded(withdrawn: annas.id), .child),
            .extendingBen: (.leaseEnded(withdrawn: bens.id), .child),
        ]) { $0.deadlineReached(.seconds(900)) }
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
            machine.requestOpened(ModeStateMachineTests.bens)
        }
        await #expect(processExitsWith: .failure) {
            var machine = Start.parent.machine
            machine.requestOpened(ModeStateMachineTests.bens)
        }
        await #expect(processExitsWith: .failure) {
            var machine = Start.child.machine
            machine.extensionOpened(ModeStateMachineTests.bens, for: .seconds(1))
        }
        await #expect(processExitsWith: .failure) {
            var machine = Start.extending.machine
            machine.extensionOpened(ModeStateMachineTests.bens, for: .seconds(1))
        }
        await #expect(processExitsWith: .failure) {
            var machine = Start.verifying.machine
            machine.enteredUnasked(until: .seconds(900))
        }
        await #expect(processExitsWith: .failure) {
            var machine = Start.parent.machine
            machine.enteredUnasked(until: .seconds(900))
        }
    }

    @Test("an administrator gets in unasked from child mode")
    func enteredUnasked() {
        var machine = Start.child.machine
        machine.enteredUnasked(until: .seconds(900))
        #expect(machine == .parent())
    }

    @Test("everybody sees mode and deadline; while verifying it is the deadline of the question")
    func whatIsSeen() {
        let seen: [Start: (Mode, Int64?, verifying: ModeStateMachine.Request?, open: ModeStateMachine.Request?)] = [
            .child: (.child, nil, nil, nil),
            .verifying: (.verifying, 60, annas, annas),
            .verifyingBen: (.verifying, 60, bens, bens),
            .parent: (.parent, 900, nil, nil),
            .extending: (.parent, 900, nil, annas),
            .extendingBen: (.parent, 900, nil, bens),
        ]
        #expect(Set(seen.keys) == Set(Start.allCases))
        for (start, (mode, deadline, verifying, open)) in seen {
            let machine = start.machine
            let state = machine.modeState(verifyingUntil: .seconds(60))
            #expect(state == ModeState(mode: mode, deadline: deadline.map(BootTime.seconds)))
            #expect(machine.verifying == verifying && machine.openRequest == open)
            #expect(machine.isParent == (mode == .parent))
            #expect(machine.nextDeadline == (mode == .parent ? .seconds(900) : nil))
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

    fileprivate static func verifying(_ request: Request) -> ModeStateMachine {
        var machine = ModeStateMachine()
        machine.requestOpened(request)
        return machine
    }

    fileprivate static func parent(
        until leaseEnd: BootTime = .seconds(900), extending request: Request? = nil
    ) -> ModeStateMachine {
        var machine = ModeStateMachine()
        _ = machine.overridden(parentUntil: leaseEnd)
        if let request {
            machine.extensionOpened(request, for: .seconds(300))
        }
        return machine
    }
}
