import CommandSupport
import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("The whole state")
struct GateStateTests {
    @Test("a daemon starts in child mode with a new revision, and asks no old question")
    func start() throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        _ = try device.askForMore(as: .anna)
        var again = Device(device.stored)
        let started = try again.apply(.start, as: .daemon)
        #expect(started.isChange && started.revision.number == device.state.revision.number + 1)
        #expect(started.audit.map(\.kind) == [.started] && started.audit.first?.actor == nil)
        #expect(again.state.modeState == .closed && again.state.nextDeadline == nil)
        #expect(try again.ask(as: .anna).id == 3)
    }

    @Test("a copy of the state's fields fits into the largest piece of memory that glibc keeps at hand")
    func size() {
        // With larger fields, each command takes 600 instructions more: make one that seldom changes `Shared`.
        #expect(MemoryLayout<GateStateFields>.size <= 1032)
    }

    @Test("the end of the lease is the end of parent mode, as of its own moment (G-02)")
    func leaseEnds() throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        #expect(device.state.nextDeadline == .seconds(1900))
        try device.turn(by: .seconds(899))
        #expect(device.mode == .parent)
        try device.turn(by: .seconds(1))
        #expect(device.state.modeState == .closed && device.kinds().last == .leaseExpired)
        device.changesNothing(.deadlineReached, as: .daemon)
    }

    @Test("nobody can use a lease that is over, however late the timer is")
    func dueDeadlinesComeFirst() throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        device.now = .seconds(1900)
        // The mode is child by now: toggling does not leave it, but asks.
        let transition = try device.apply(.toggle(presenting: .here), as: .ben)
        #expect(transition.audit.map(\.kind) == [.leaseExpired, .challengeOpened])
        let number: UInt64 = transition.revision.number
        #expect(transition.audit.allSatisfy { entry in entry.mode == .verifying && entry.number == number })
        #expect(device.mode == .verifying)
    }

    @Test("a command that changes nothing itself still settles deadlines that are due, which is a change")
    func changeBySettling() throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        device.now = .seconds(1900)
        let transition = try device.apply(.cancel, as: .ben)
        #expect(transition.isChange && transition.audit.map(\.kind) == [.leaseExpired])
    }

    @Test("a command that throws leaves due deadlines to the timer")
    func throwingSettlesNothing() throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        device.now = .seconds(1900)
        device.refuses(.extend(nil, presenting: .here), as: .anna, .failedPrecondition, .notParent)
        #expect(device.mode == .parent && device.state.nextDeadline == .seconds(1900))
    }

    @Test("after a long sleep everything that came due is settled in its order, each as of its own moment")
    func longSleep() throws {
        var configuration = Configuration.sums
        configuration.lockout.after = 1
        var device = Device(configuration: configuration)
        try device.answerWrong(device.ask(as: .ben), as: .ben)
        try device.enterParentMode(as: .anna)
        _ = try device.askForMore(as: .anna)
        device.now = .seconds(100_000)
        let settled = try device.apply(.deadlineReached, as: .daemon)
        #expect(settled.audit.map(\.kind) == [.expired, .leaseExpired])
        // Ben's lock (1030) ended before Anna's question expired (1060).
        guard case .lockoutSet(let first, let bens) = settled.records.first else {
            Issue.record("Ben's lock did not end first")
            return
        }
        #expect(first == .mode(of: .ben) && bens.lockedUntil == nil)
        #expect(device.state.nextDeadline == nil)
    }

    @Test("a lock that began at a deadline during sleep may already be over after waking")
    func lockBeganAndEndedAsleep() throws {
        var configuration = Configuration.sums
        configuration.lockout.after = 1
        var device = Device(configuration: configuration)
        try device.apply(.dismiss(device.ask(as: .anna).cookie), as: .anna)
        _ = try device.ask(as: .anna)
        device.now = .seconds(1089)
        var woken = device
        try woken.apply(.deadlineReached, as: .daemon)
        #expect(woken.lockout(of: .anna)?.lockedUntil == .seconds(1090))
        device.now = .seconds(1090)
        try device.apply(.deadlineReached, as: .daemon)
        #expect(device.kinds().suffix(2) == [.expired, .lockedOut])
        #expect(device.lockout(of: .anna)?.lockedUntil == nil)
        _ = try device.ask(as: .anna)
    }

    @Test("closed for damage: reading, locking and cancelling go on, nothing leads to parent mode")
    func closedForDamage() throws {
        var device = Device()
        try device.enterParentMode(as: .anna)
        let closed = try device.apply(.closeForDamage(quarantinedFile: "gate.sqlite.damaged-1"), as: .daemon)
        #expect(closed.audit.map(\.kind) == [.storeDamaged] && closed.audit.first?.detail == "gate.sqlite.damaged-1")
        #expect(device.state.modeState == .closed && device.state.quarantinedFile == "gate.sqlite.damaged-1")
        for peer in [Peer.anna, .root] {
            device.refuses(.toggle(presenting: .here), as: peer, .unavailable, .storeDamaged)
            device.refuses(.extend(nil, presenting: .here), as: peer, .unavailable, .storeDamaged)
            device.changesNothing(.lock, as: peer)
            device.changesNothing(.cancel, as: peer)
        }
        device.refuses(.override(.parent, nil, reason: "x"), as: .root, .unavailable, .storeDamaged)
        device.refuses(.override(.child, nil, reason: "x"), as: .root, .unavailable, .storeDamaged)
    }

    @Test("closed for damage outlives a restart, and ends with an administrator's recover")
    func recover() throws {
        var device = Device()
        device.refuses(.recover, as: .root, .failedPrecondition, .notDamaged)
        try device.apply(.closeForDamage(quarantinedFile: "old"), as: .daemon)
        var again = Device(device.stored)
        try again.apply(.start, as: .daemon)
        again.refuses(.toggle(presenting: .here), as: .anna, .unavailable, .storeDamaged)
        again.refuses(.recover, as: .anna, .permissionDenied, .notPermitted)
        let recovered = try again.apply(.recover, as: .root)
        #expect(recovered.reply == .recovered(quarantinedFile: "old") && again.state.quarantinedFile == nil)
        #expect(recovered.audit.map(\.kind) == [.recovered])
        _ = try again.ask(as: .anna)
    }

    @Test("at the end of time nothing traps")
    func endOfTime() throws {
        var device = Device()
        device.now = BootTime(nanoseconds: .max)
        let question = try device.ask(as: .anna)
        device.refuses(
            .complete(question.cookie, .text(question.question.solution)), as: .anna, .deadlineExceeded, .expired)
        try device.apply(.deadlineReached, as: .daemon)
        device.now = BootTime(nanoseconds: .min)
        try device.enterParentMode(as: .anna)
        #expect(device.mode == .parent)
    }
}
