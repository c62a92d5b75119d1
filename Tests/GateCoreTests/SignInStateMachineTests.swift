import GateModel
import Testing

@testable import GateCore

/// Each event in each state. Every table must have a row for every state, or its test fails.
@Suite("The sign-in machine")
struct SignInStateMachineTests {
    enum Start: CaseIterable {
        case signedOut
        case authenticating
        case authenticatingOther
        case signedIn
        case signedInOther

        var machine: SignInStateMachine {
            var machine = SignInStateMachine()
            switch self {
            case .signedOut:
                break
            case .authenticating:
                _ = machine.attempted(mine, until: .seconds(30))
            case .authenticatingOther:
                _ = machine.attempted(others, until: .seconds(30))
            case .signedIn:
                _ = machine.attempted(mine, until: .seconds(30))
                _ = machine.succeeded(mine, anna, at: .seconds(0), rule)
            case .signedInOther:
                _ = machine.attempted(others, until: .seconds(30))
                _ = machine.succeeded(others, ben, at: .seconds(0), rule)
            }
            return machine
        }
    }

    private static let mine = PasswordCheckID(1)
    private static let others = PasswordCheckID(2)
    private static let anna = Account(name: "anna", kind: .grownUp)
    private static let ben = Account(name: "ben", kind: .child(born: CivilDate(year: 2018, month: 5, day: 1)!))
    /// An hour, three at most.
    private static let rule = SignInRule(
        isRequired: true, session: .seconds(3600), maximumSession: .seconds(3 * 3600))

    /// What the event returns, and where the machine is afterwards.
    private func expect<Result: Equatable>(
        _ rows: [Start: (Result, Start)], _ event: (inout SignInStateMachine) -> Result,
        _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(Set(rows.keys) == Set(Start.allCases), sourceLocation: location)
        for (start, (result, end)) in rows {
            var machine = start.machine
            #expect(event(&machine) == result, "from \(start)", sourceLocation: location)
            #expect(machine == end.machine, "from \(start)", sourceLocation: location)
        }
    }

    @Test("one attempt at a time, and none while somebody is signed in (F-63, F-66)")
    func attempted() {
        expect([
            .signedOut: (.begun, .authenticating), .authenticating: (.isAuthenticating, .authenticating),
            .authenticatingOther: (.isAuthenticating, .authenticatingOther),
            .signedIn: (.isSignedIn("anna"), .signedIn), .signedInOther: (.isSignedIn("ben"), .signedInOther),
        ]) { $0.attempted(Self.mine, until: .seconds(30)) }
    }

    @Test("only its own attempt signs somebody in (F-61)")
    func succeeded() {
        expect([
            .signedOut: (false, .signedOut), .authenticating: (true, .signedIn),
            .authenticatingOther: (false, .authenticatingOther), .signedIn: (false, .signedIn),
            .signedInOther: (false, .signedInOther),
        ]) { $0.succeeded(Self.mine, Self.anna, at: .seconds(0), Self.rule) }
    }

    @Test("only its own attempt fails")
    func failed() {
        expect([
            .signedOut: (false, .signedOut), .authenticating: (true, .signedOut),
            .authenticatingOther: (false, .authenticatingOther), .signedIn: (false, .signedIn),
            .signedInOther: (false, .signedInOther),
        ]) { $0.failed(Self.mine) }
    }

    @Test("logging out needs somebody who is signed in (F-62)")
    func loggedOut() {
        expect([
            .signedOut: (nil, .signedOut), .authenticating: (nil, .authenticating),
            .authenticatingOther: (nil, .authenticatingOther), .signedIn: (Self.anna, .signedOut),
            .signedInOther: (Self.ben, .signedOut),
        ]) { $0.loggedOut() }
    }

    @Test("an account that is removed takes its own session with it, and no other")
    func accountClosed() {
        expect([
            .signedOut: (false, .signedOut), .authenticating: (false, .authenticating),
            .authenticatingOther: (false, .authenticatingOther), .signedIn: (true, .signedOut),
            .signedInOther: (false, .signedInOther),
        ]) { $0.accountClosed("anna") }
    }

    @Test("what takes too long ends, each at its time")
    func deadlineReached() {
        expect([
            .signedOut: (.nothingDue, .signedOut), .authenticating: (.attemptEnded(Self.mine), .signedOut),
            .authenticatingOther: (.attemptEnded(Self.others), .signedOut), .signedIn: (.nothingDue, .signedIn),
            .signedInOther: (.nothingDue, .signedInOther),
        ]) { $0.deadlineReached(.seconds(30)) }
        expect([
            .signedOut: (.nothingDue, .signedOut), .authenticating: (.attemptEnded(Self.mine), .signedOut),
            .authenticatingOther: (.attemptEnded(Self.others), .signedOut),
            .signedIn: (.sessionEnded(Self.anna), .signedOut), .signedInOther: (.sessionEnded(Self.ben), .signedOut),
        ]) { $0.deadlineReached(.seconds(3600)) }
        #expect(Start.signedOut.machine.nextDeadline == nil)
        #expect(Start.authenticating.machine.nextDeadline == .seconds(30))
        #expect(Start.signedIn.machine.nextDeadline == .seconds(3600))
    }

    @Test("a restart forgets whoever was there")
    func restarted() {
        expect([
            .signedOut: (0, .signedOut), .authenticating: (0, .signedOut), .authenticatingOther: (0, .signedOut),
            .signedIn: (0, .signedOut), .signedInOther: (0, .signedOut),
        ]) {
            $0.restarted()
            return 0
        }
    }

    @Test("a session that is used goes on in silence, once half of it is over, and never beyond its longest (F-48)")
    func used() {
        for start in Start.allCases {
            var machine = start.machine
            let isLonger = machine.used(at: .seconds(1799), Self.rule)
            #expect(!isLonger && machine == start.machine, "from \(start)")
        }
        var machine = Start.signedIn.machine
        let ends = [1801, 1802, 5000, 8000, 10_700].map { (time: Int64) -> BootTime? in
            machine.used(at: .seconds(time), Self.rule) ? machine.session?.deadline : nil
        }
        #expect(ends == [.seconds(5401), nil, .seconds(8600), .seconds(3 * 3600), nil])
        let end = machine.deadlineReached(.seconds(3 * 3600))
        #expect(end == .sessionEnded(Self.anna))
    }

    @Test("what everybody sees of it (F-60)")
    func shown() {
        #expect(Start.signedOut.machine.session == nil && !Start.signedOut.machine.isAuthenticating)
        #expect(Start.authenticating.machine.session == nil && Start.authenticating.machine.isAuthenticating)
        #expect(Start.signedIn.machine.session?.name == "anna" && Start.signedIn.machine.session?.isChild == false)
        #expect(Start.signedInOther.machine.session?.isChild == true && !Start.signedInOther.machine.isAuthenticating)
        #expect(Start.signedInOther.machine.account == Self.ben && Start.authenticating.machine.account == nil)
    }
}
