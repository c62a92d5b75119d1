import GateModel
import Testing

@testable import GateCore

/// Each event in each state. Every table must have a row for every state, or its test fails.
@Suite("The mode machine")
struct ModeStateMachineTests {
    /// The states, seen from Anna's program.
    enum Start: CaseIterable {
        case child
        case verifying
        case verifyingBen
        case verifyingBoth
        case parent
        case extending
        case extendingBen
        case extendingBoth

        var machine: ModeStateMachine {
            switch self {
            case .child: .child
            case .verifying: .verifying(annas)
            case .verifyingBen: .verifying(bens)
            case .verifyingBoth: .verifying(annas, bens)
            case .parent: .parent()
            case .extending: .parent(extending: annas)
            case .extendingBen: .parent(extending: bens)
            case .extendingBoth: .parent(extending: annas, bens)
            }
        }
    }

    static let annas = ModeStateMachine.Request(RequestID(number: 1), by: .anna)
    static let bens = ModeStateMachine.Request(RequestID(number: 2), by: .ben)
    private let annas = Self.annas
    private let bens = Self.bens

    @Test(
        "toggling asks in child mode, shows the same question again, and leaves parent mode; others are asked as well")
    func toggled() {
        expect([
            .child: (.challengeNeeded, .child),
            .verifying: (.askedAlready(annas.id), .verifying(annas)),
            .verifyingBen: (.challengeNeeded, .verifying(bens)),
            .verifyingBoth: (.askedAlready(annas.id), .verifying(annas, bens)),
            .parent: (.left(withdrawn: []), .child),
            .extending: (.left(withdrawn: [annas.id]), .child),
            .extendingBen: (.left(withdrawn: [bens.id]), .child),
            .extendingBoth: (.left(withdrawn: [annas.id, bens.id]), .child),
        ]) { $0.toggled(by: .anna) }
    }

    @Test("more time is for parent mode alone, one question for each user")
    func extensionAsked() {
        expect([
            .child: (.notParent, .child),
            .verifying: (.notParent, .verifying(annas)),
            .verifyingBen: (.notParent, .verifying(bens)),
            .verifyingBoth: (.notParent, .verifying(annas, bens)),
            .parent: (.challengeNeeded(leaseEnd: .seconds(900)), .parent()),
            .extending: (.askedAlready(annas.id), .parent(extending: annas)),
            .extendingBen: (.challengeNeeded(leaseEnd: .seconds(900)), .parent(extending: bens)),
            .extendingBoth: (.askedAlready(annas.id), .parent(extending: annas, bens)),
        ]) { $0.extensionAsked(by: .anna, for: .seconds(300)) }
    }

    @Test("a second program of the same user does not get a question of its own beside the open one")
    func oneOfEachOwner() {
        for start in [Start.verifying, .verifyingBoth] {
            var machine = start.machine
            #expect(machine.toggled(by: .annasOther) == .ownersRequestIsOpen && machine == start.machine)
        }
        for start in [Start.extending, .extendingBoth] {
            var machine = start.machine
            #expect(machine.extensionAsked(by: .annasOther, for: .seconds(300)) == .ownersRequestIsOpen)
            #expect(machine == start.machine)
        }
    }

    @Test("asking for more time again with another duration is refused while the question is open")
    func extensionAskedForAnotherDuration() {
        var machine = Start.extending.machine
        #expect(machine.extensionAsked(by: .anna, for: .seconds(301)) == .otherDurationIsOpen)
        #expect(machine == Start.extending.machine)
    }

    @Test("extending a lease without a question works in parent mode alone, and open questions stay")
    func leaseExtended() {
        let end = BootTime.seconds(2000)
        expect([
            .child: (.notParent, .child),
            .verifying: (.notParent, .verifying(annas)),
            .verifyingBen: (.notParent, .verifying(bens)),
            .verifyingBoth: (.notParent, .verifying(annas, bens)),
            .parent: (.extended, .parent(until: end)),
            .extending: (.extended, .parent(until: end, extending: annas)),
            .extendingBen: (.extended, .parent(until: end, extending: bens)),
            .extendingBoth: (.extended, .parent(until: end, extending: annas, bens)),
        ]) { $0.leaseExtended(until: end) }
    }

    @Test("a right answer begins parent mode and withdraws what others are asked, or gives it more time")
    func answeredRight() {
        let (lease, more) = (BootTime.seconds(910), BootTime.seconds(310))
        let extended = ModeStateMachine.AnswerResult.extended(until: more, duration: .seconds(300))
        expect([
            .child: (.nothingOpen, .child),
            .verifying: (.entered(until: lease, withdrawn: []), .parent(until: lease, by: .anna)),
            .verifyingBen: (.nothingOpen, .verifying(bens)),
            .verifyingBoth: (.entered(until: lease, withdrawn: [bens.id]), .parent(until: lease, by: .anna)),
            .parent: (.nothingOpen, .parent()),
            .extending: (extended, .parent(until: more)),
            .extendingBen: (.nothingOpen, .parent(extending: bens)),
            .extendingBoth: (extended, .parent(until: more, extending: bens)),
        ]) { $0.answeredRight(annas.id, by: .anna, at: .seconds(10), lease: .seconds(900)) }
    }

    @Test("both the user who asked and the user who answered count as having entered")
    func enteredBy() {
        var machine = Start.verifying.machine
        #expect(machine.enteredBy == [])
        _ = machine.answeredRight(annas.id, by: .olga, at: .seconds(10), lease: .seconds(900))
        #expect(machine.enteredBy == [Peer.anna.owner, Peer.olga.owner])
        #expect(Start.parent.machine.enteredBy == [Peer.root.owner])
    }

    @Test("a request that fails leaves the mode as it was before, and what others are asked")
    func requestFailed() {
        expect([
            .child: (true, .child), .verifying: (true, .child), .verifyingBen: (true, .verifying(bens)),
            .verifyingBoth: (true, .verifying(bens)), .parent: (true, .parent()), .extending: (true, .parent()),
            .extendingBen: (true, .parent(extending: bens)), .extendingBoth: (true, .parent(extending: bens)),
        ]) {
            $0.requestFailed(annas.id)
            return true
        }
    }

    @Test("cancel closes only the caller's own question, and changes nothing in parent or child mode")
    func cancelled() {
        expect([
            .child: (.nothingToCancel, .child),
            .verifying: (.closed([annas.id]), .child),
            .verifyingBen: (.nothingToCancel, .verifying(bens)),
            .verifyingBoth: (.closed([annas.id]), .verifying(bens)),
            .parent: (.nothingToCancel, .parent()),
            .extending: (.nothingToCancel, .parent(extending: annas)),
            .extendingBen: (.nothingToCancel, .parent(extending: bens)),
            .extendingBoth: (.nothingToCancel, .parent(extending: annas, bens)),
        ]) { $0.cancelled(by: .anna) }
    }

    @Test("an administrator cancels the questions of all, where it has none of its own")
    func cancelledByAdministrator() {
        var machine = Start.verifyingBoth.machine
        #expect(machine.cancelled(by: .root) == .closed([annas.id, bens.id]) && machine == .child)
    }

    @Test("locking leads to child mode from anywhere, unless somebody else is being asked (T-04)")
    func locked() {
        expect([
            .child: (.alreadyChild, .child),
            .verifying: (.closed([annas.id]), .child),
            .verifyingBen: (.othersAreAsked, .verifying(bens)),
            .verifyingBoth: (.othersAreAsked, .verifying(annas, bens)),
            .parent: (.left(withdrawn: []), .child),
            .extending: (.left(withdrawn: [annas.id]), .child),
            .extendingBen: (.left(withdrawn: [bens.id]), .child),
            .extendingBoth: (.left(withdrawn: [annas.id, bens.id]), .child),
        ]) { $0.locked(by: .annasOther) }
    }

    @Test("an administrator locks from anywhere")
    func lockedByAdministrator() {
        for start in Start.allCases {
            var machine = start.machine
            _ = machine.locked(by: .root)
            #expect(machine == .child)
        }
    }

    @Test("an override leads from anywhere to where it says, and withdraws what is open")
    func overridden() {
        let withdrawn: [Start: [RequestID]] = [
            .child: [], .verifying: [annas.id], .verifyingBen: [bens.id], .verifyingBoth: [annas.id, bens.id],
            .parent: [], .extending: [annas.id], .extendingBen: [bens.id], .extendingBoth: [annas.id, bens.id],
        ]
        expect(withdrawn.mapValues { ($0, .parent(until: .seconds(50))) }) {
            $0.overridden(by: .root, parentUntil: .seconds(50))
        }
        expect(withdrawn.mapValues { ($0, .child) }) { $0.overridden(by: .root, parentUntil: nil) }
    }

    @Test("before the end of the lease, time changes nothing")
    func deadlineNotReached() {
        for start in Start.allCases {
            var machine = start.machine
            let result = machine.deadlineReached(BootTime(nanoseconds: 900_000_000_000 - 1))
            #expect(result == .nothingDue && machine == start.machine)
        }
    }

    @Test("the end of the lease is the end of parent mode, and of requests for more time")
    func leaseEnded() {
        expect([
            .child: (.nothingDue, .child),
            .verifying: (.nothingDue, .verifying(annas)),
            .verifyingBen: (.nothingDue, .verifying(bens)),
            .verifyingBoth: (.nothingDue, .verifying(annas, bens)),
            .parent: (.leaseEnded(withdrawn: []), .child),
            .extending: (.leaseEnded(withdrawn: [annas.id]), .child),
            .extendingBen: (.leaseEnded(withdrawn: [bens.id]), .child),
            .extendingBoth: (.leaseEnded(withdrawn: [annas.id, bens.id]), .child),
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

    @Test("opening a question that is not needed is our own bug")
    func openedWithoutNeed() async {
        await #expect(processExitsWith: .failure) {
            var machine = Start.verifyingBen.machine
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
            var machine = Start.extendingBen.machine
            machine.extensionOpened(ModeStateMachineTests.bens, for: .seconds(1))
        }
        await #expect(processExitsWith: .failure) {
            var machine = Start.parent.machine
            _ = machine.enteredUnasked(by: .root, until: .seconds(900))
        }
    }

    @Test("an administrator gets in unasked from child mode, no matter who else is being asked")
    func enteredUnasked() {
        for (start, withdrawn) in [(Start.child, []), (.verifyingBoth, [annas.id, bens.id])] {
            var machine = start.machine
            #expect(machine.enteredUnasked(by: .root, until: .seconds(900)) == withdrawn)
            #expect(machine == .parent())
        }
    }

    @Test("everybody sees mode and deadline; while verifying it is the deadline of what is asked")
    func whatIsSeen() {
        typealias Request = ModeStateMachine.Request
        let seen: [Start: (Mode, Int64?, verifying: [Request], open: [Request])] = [
            .child: (.child, nil, [], []),
            .verifying: (.verifying, 60, [annas], [annas]),
            .verifyingBen: (.verifying, 60, [bens], [bens]),
            .verifyingBoth: (.verifying, 60, [annas, bens], [annas, bens]),
            .parent: (.parent, 900, [], []),
            .extending: (.parent, 900, [], [annas]),
            .extendingBen: (.parent, 900, [], [bens]),
            .extendingBoth: (.parent, 900, [], [annas, bens]),
        ]
        #expect(Set(seen.keys) == Set(Start.allCases))
        for (start, (mode, deadline, verifying, open)) in seen {
            let machine = start.machine
            let state = machine.modeState(verifyingUntil: .seconds(60))
            #expect(state == ModeState(mode: mode, deadline: deadline.map(BootTime.seconds)))
            #expect(machine.verifying == verifying && machine.openRequests == open)
            #expect(machine.isParent == (mode == .parent))
            #expect(machine.nextDeadline == (mode == .parent ? .seconds(900) : nil))
        }
    }

    /// Expects this result and this state afterwards, for each state.
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

    fileprivate static func verifying(_ requests: Request...) -> ModeStateMachine {
        var machine = ModeStateMachine()
        for request in requests { machine.requestOpened(request) }
        return machine
    }

    fileprivate static func parent(
        until leaseEnd: BootTime = .seconds(900), by peer: Peer = .root, extending requests: Request...
    ) -> ModeStateMachine {
        var machine = ModeStateMachine()
        _ = machine.overridden(by: peer, parentUntil: leaseEnd)
        for request in requests { machine.extensionOpened(request, for: .seconds(300)) }
        return machine
    }
}
