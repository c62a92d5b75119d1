import GateModel
import Testing

@testable import GateCore

/// Each event in each state. Every table must have a row for every state, or its test fails.
@Suite("The sign-in machine")
struct SignInStateMachineTests {
    enum Start: CaseIterable {
        case nobody
        case trying
        case othersTrying
        case child
        case childAndTrying
        case grownUp
        case grownUpAndTrying

        var machine: SignInStateMachine {
            var machine = SignInStateMachine()
            switch self {
            case .nobody:
                break
            case .trying:
                machine.tries(mine, by: me)
            case .othersTrying:
                machine.tries(others, by: them)
            case .child, .childAndTrying:
                machine.signsIn(PasswordCheckID(7), ben, by: them)
                if self == .childAndTrying { machine.tries(mine, by: me) }
            case .grownUp:
                machine.signsIn(PasswordCheckID(7), anna, by: them)
            case .grownUpAndTrying:
                machine.tries(mine, by: me)
                machine.signsIn(PasswordCheckID(7), anna, by: them)
            }
            return machine
        }
    }

    private static let (me, them): (Owner, Owner) = (Peer.anna.owner, Peer.ben.owner)
    private static let mine = PasswordCheckID(1)
    private static let others = PasswordCheckID(2)
    fileprivate static let anna = GatePerson(name: "anna", kind: .grownUp)
    fileprivate static let ben = GatePerson(name: "ben", kind: .child(born: CivilDate(year: 2018, month: 5, day: 1)!))
    /// A session of an hour, and of three at most.
    fileprivate static let rule = SignInRule(
        isRequired: true, session: .seconds(3600), maximumSession: .seconds(3 * 3600))

    /// Expects this result of the event, and this state afterwards.
    private func expect<Result: Equatable>(
        _ rows: [Start: (Result, SignInStateMachine)], _ event: (inout SignInStateMachine) -> Result,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(Set(rows.keys) == Set(Start.allCases), sourceLocation: location)
        for (start, (result, end)) in rows {
            var machine = start.machine
            #expect(event(&machine) == result, "from \(start)", sourceLocation: location)
            #expect(machine == end, "from \(start)", sourceLocation: location)
        }
    }

    /// Expects the same, with a state of the table afterwards.
    private func expect<Result: Equatable>(
        _ rows: [Start: (Result, Start)], _ event: (inout SignInStateMachine) -> Result,
        _ location: SourceLocation = #_sourceLocation
    ) {
        expect(rows.mapValues { ($0.0, $0.1.machine) }, event, location)
    }

    private func made(_ build: (inout SignInStateMachine) -> Void) -> SignInStateMachine {
        var machine = SignInStateMachine()
        build(&machine)
        return machine
    }

    @Test("each user may have one attempt at a time, and none while a grown-up is signed in (F-63, F-66, T-04)")
    func attempted() {
        let both = made {
            $0.tries(Self.others, by: Self.them)
            $0.tries(Self.mine, by: Self.me)
        }
        expect([
            .nobody: (.begun, Start.trying.machine), .trying: (.isAuthenticating, Start.trying.machine),
            .othersTrying: (.begun, both), .child: (.begun, Start.childAndTrying.machine),
            .childAndTrying: (.isAuthenticating, Start.childAndTrying.machine),
            .grownUp: (.isSignedIn("anna"), Start.grownUp.machine),
            .grownUpAndTrying: (.isSignedIn("anna"), Start.grownUpAndTrying.machine),
        ]) { $0.attempted(Self.mine, by: Self.me, until: .seconds(30)) }
    }

    @Test("an attempt signs in only if it is still running, and a grown-up replaces a child (F-61, T-04)")
    func succeeded() {
        let mine = made { $0.signsIn(Self.mine, Self.anna, by: Self.me) }
        expect([
            .nobody: (.late, Start.nobody.machine), .trying: (.signedIn(instead: nil), mine),
            .othersTrying: (.late, Start.othersTrying.machine), .child: (.late, Start.child.machine),
            .childAndTrying: (.signedIn(instead: Self.ben), mine), .grownUp: (.late, Start.grownUp.machine),
            .grownUpAndTrying: (.isSignedIn("anna"), Start.grownUp.machine),
        ]) { $0.succeeded(Self.mine, Self.anna, of: [Self.me], at: .seconds(0), Self.rule) }
    }

    @Test("a child takes nobody's place")
    func childSucceeded() {
        for start in [Start.childAndTrying, .grownUpAndTrying] {
            var machine = start.machine
            let signedIn = machine.person?.name ?? ""
            let result = machine.succeeded(Self.mine, Self.ben, of: [Self.me], at: .seconds(0), Self.rule)
            #expect(result == .isSignedIn(signedIn) && machine.person?.name == signedIn && !machine.isAuthenticating)
        }
    }

    @Test("an outcome ends only its own attempt")
    func failed() {
        expect([
            .nobody: (false, .nobody), .trying: (true, .nobody), .othersTrying: (false, .othersTrying),
            .child: (false, .child), .childAndTrying: (true, .child), .grownUp: (false, .grownUp),
            .grownUpAndTrying: (true, .grownUp),
        ]) { $0.failed(Self.mine) }
    }

    @Test("logging out needs somebody who is signed in, and stops no attempt (F-62)")
    func loggedOut() {
        expect([
            .nobody: (nil, .nobody), .trying: (nil, .trying), .othersTrying: (nil, .othersTrying),
            .child: (Self.ben, .nobody), .childAndTrying: (Self.ben, .trying), .grownUp: (Self.anna, .nobody),
            .grownUpAndTrying: (Self.anna, .trying),
        ]) { $0.loggedOut() }
    }

    @Test("an account that is removed takes its own session with it, and no other")
    func closed() {
        expect([
            .nobody: (false, .nobody), .trying: (false, .trying), .othersTrying: (false, .othersTrying),
            .child: (false, .child), .childAndTrying: (false, .childAndTrying), .grownUp: (true, .nobody),
            .grownUpAndTrying: (true, .trying),
        ]) { $0.closed("anna") }
    }

    @Test("attempts and sessions end at their own deadlines")
    func deadlineReached() {
        expect([
            .nobody: (.nothingDue, .nobody), .trying: (.attemptEnded(Self.mine), .nobody),
            .othersTrying: (.attemptEnded(Self.others), .nobody), .child: (.nothingDue, .child),
            .childAndTrying: (.attemptEnded(Self.mine), .child), .grownUp: (.nothingDue, .grownUp),
            .grownUpAndTrying: (.attemptEnded(Self.mine), .grownUp),
        ]) { $0.deadlineReached(.seconds(30)) }
        for (start, account) in [(Start.child, Self.ben), (.grownUp, Self.anna)] {
            var machine = start.machine
            #expect(machine.deadlineReached(.seconds(3600)) == .sessionEnded(account))
            #expect(machine == SignInStateMachine())
        }
        #expect(Start.nobody.machine.nextDeadline == nil)
        #expect(Start.trying.machine.nextDeadline == .seconds(30))
        #expect(Start.childAndTrying.machine.nextDeadline == .seconds(30))
        #expect(Start.grownUp.machine.nextDeadline == .seconds(3600))
    }

    @Test("a restart forgets sessions and attempts")
    func restarted() {
        for start in Start.allCases {
            var machine = start.machine
            machine.restarted()
            #expect(machine == SignInStateMachine())
        }
    }

    @Test("a session that is used goes on in silence, once half of it is over, and never beyond its longest (F-48)")
    func used() {
        for start in Start.allCases {
            var machine = start.machine
            let isLonger = machine.used(by: Self.them, at: .seconds(1799), Self.rule)
            #expect(!isLonger && machine == start.machine, "from \(start)")
        }
        var machine = Start.grownUp.machine
        var ends: [BootTime?] = []
        for time in [1801, 1802, 5000, 8000, 10_700] as [Int64] {
            let isLonger = machine.used(by: Self.them, at: .seconds(time), Self.rule)
            ends.append(isLonger ? machine.session?.deadline : nil)
        }
        let expected: [BootTime?] = [.seconds(5401), nil, .seconds(8600), .seconds(3 * 3600), nil]
        #expect(ends == expected)
        let end = machine.deadlineReached(.seconds(3 * 3600))
        #expect(end == .sessionEnded(Self.anna))
    }

    @Test("activity of other users does not prolong a session")
    func usedByOthers() {
        var machine = Start.grownUp.machine
        let isLonger = machine.used(by: Self.me, at: .seconds(1801), Self.rule)
        #expect(!isLonger && machine == Start.grownUp.machine)
    }

    @Test("everybody sees whether somebody is signed in, and whether an attempt is running (F-60)")
    func shown() {
        #expect(Start.nobody.machine.session == nil && !Start.nobody.machine.isAuthenticating)
        #expect(Start.trying.machine.session == nil && Start.trying.machine.isAuthenticating)
        #expect(Start.grownUp.machine.session?.name == "anna" && Start.grownUp.machine.session?.isChild == false)
        #expect(Start.child.machine.session?.isChild == true && !Start.child.machine.isAuthenticating)
        #expect(Start.childAndTrying.machine.session?.isChild == true && Start.childAndTrying.machine.isAuthenticating)
        #expect(Start.child.machine.person == Self.ben && Start.trying.machine.person == nil)
        #expect(Start.child.machine.users == [Self.them] && Start.trying.machine.users == [])
    }
}

extension SignInStateMachine {
    fileprivate mutating func tries(_ id: PasswordCheckID, by owner: Owner) {
        _ = attempted(id, by: owner, until: .seconds(30))
    }

    fileprivate mutating func signsIn(_ id: PasswordCheckID, _ account: GatePerson, by owner: Owner) {
        tries(id, by: owner)
        _ = succeeded(id, account, of: [owner], at: .seconds(0), SignInStateMachineTests.rule)
    }
}
