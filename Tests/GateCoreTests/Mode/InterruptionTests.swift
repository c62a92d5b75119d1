import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Ending what others entered")
struct InterruptionTests {
    private static let (one, two): (Owner, Owner) = (Peer.anna.owner, Peer.ben.owner)

    @Test("each user may end what others entered three times, and once more each hour")
    func allowance() {
        var interruptions = RateLimit<Owner>.ofInterruptions
        func refused(_ owner: Owner, at now: Int64) -> Duration? {
            switch interruptions.used(by: owner, at: .seconds(now)) {
            case .allowed: nil
            case .refused(let wait): wait
            }
        }
        for _ in 0..<3 { #expect(refused(Self.one, at: 100) == nil) }
        #expect(refused(Self.one, at: 100) == .seconds(3600) && refused(Self.two, at: 100) == nil)
        // A refused interruption costs nothing.
        #expect(refused(Self.one, at: 1900) == .seconds(1800))
        #expect(refused(Self.one, at: 3700) == nil && refused(Self.one, at: 3700) == .seconds(3600))
        // Nobody can save up more than three interruptions.
        for _ in 0..<3 { #expect(refused(Self.one, at: 1_000_000) == nil) }
        #expect(refused(Self.one, at: 1_000_000) != nil)
    }

    @Test("a limited number of users is remembered, and none is forgotten for another one")
    func bounded() {
        var interruptions = RateLimit<Owner>.ofInterruptions
        for owner in 0..<Limits.interruptingOwners {
            #expect(interruptions.used(by: .user(UInt32(2000 + owner)), at: .seconds(Int64(owner))) == .allowed)
        }
        let now = BootTime.seconds(Int64(Limits.interruptingOwners))
        let wait = Duration.seconds(3600 - Limits.interruptingOwners)
        #expect(interruptions.used(by: Self.one, at: now) == .refused(retryAfter: wait))
        #expect(interruptions.used(by: .user(2000), at: now) == .allowed)
        #expect(interruptions.used(by: Self.one, at: now.advanced(by: .seconds(3600))) == .allowed)
    }

    @Test("locking and toggling end another user's parent mode three times, then no more for an hour (T-04)")
    func parentMode() throws {
        var device = Device()
        for command in [Command.lock, .toggle(presenting: .here), .lock] {
            try device.enterParentMode(as: .anna)
            try device.apply(command, as: .ben)
            #expect(device.mode == .child)
        }
        try device.enterParentMode(as: .anna)
        for command in [Command.lock, .toggle(presenting: .elsewhere)] {
            device.refuses(command, as: .ben, .resourceExhausted, .limit)
        }
        let refusal = device.refusal(.lock, as: .ben)
        #expect(refusal?.retryAfter == .seconds(3600))
        try device.turn(by: .seconds(600))
        #expect(device.refusal(.lock, as: .ben)?.retryAfter == .seconds(3000) && device.mode == .parent)
        // It does not end a lease of an hour either.
        try device.apply(.override(.parent, .seconds(7200), reason: "x"), as: .root)
        try device.turn(by: .seconds(3000))
        try device.apply(.lock, as: .ben)
        #expect(device.mode == .child)
    }

    @Test("whoever entered parent mode, in any program, and administrators lock without a limit")
    func unlimited() throws {
        var device = Device()
        for peer in [Peer.anna, .annasOther, .root, .anna, .annasOther, .root, .root] {
            try device.enterParentMode(as: .anna)
            try device.apply(.lock, as: peer)
            #expect(device.mode == .child)
        }
        for _ in 0..<5 {
            try device.apply(.override(.parent, nil, reason: "x"), as: .root)
            try device.apply(.lock, as: .root)
        }
        #expect(device.state.interruptions == .ofInterruptions)
    }

    @Test("locking does not close another user's question, and the refusal says so")
    func question() throws {
        var device = Device()
        let question = try device.ask(as: .anna)
        device.refuses(.lock, as: .ben, .failedPrecondition, .verifying)
        #expect(device.shown(to: .anna) == question)
        try device.answerRight(question, as: .anna)
        #expect(device.mode == .parent)
    }

    @Test("everybody is asked for parent mode without waiting for others, and the first right answer enters")
    func everybodyIsAsked() throws {
        var device = Device()
        let bens = try device.ask(as: .ben)
        let annas = try device.ask(as: .anna)
        device.refuses(.toggle(presenting: .here), as: .annasOther, .failedPrecondition, .verifying)
        try device.apply(.cancel, as: .ben)
        #expect(device.mode == .verifying && device.shown(to: .anna) == annas)
        let again = try device.ask(as: .ben)
        try device.answerRight(annas, as: .anna)
        #expect(device.mode == .parent && device.lockout(of: .ben)?.wrongAnswers ?? 0 == 0)
        for question in [bens, again] {
            device.refuses(
                .complete(question.cookie, .text(question.question.solution)), as: .ben, .aborted, .closed)
        }
    }

    @Test("a child that is asked for more time keeps no grown-up from asking")
    func extensions() throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        _ = try device.askForMore(.seconds(60), as: .ben)
        try device.answerRight(device.askForMore(.seconds(7200), as: .anna), as: .anna)
        #expect(device.state.modeState.deadline == .seconds(1000 + 7200))
    }
}
