import CommandSupport
import GateModel
import Testing

@testable import GateCore

extension Peer {
    /// What has another program add the time that was allowed.
    fileprivate static let clock = Peer(connection: 31, uid: 1020, pid: 131, roles: [.app, .timekeeper])
}

extension Configuration {
    private static func question(_ choices: [AskChoice]) -> Requirement {
        .challenge(
            ChallengeRule(
                ChallengeSpecification(.confirm, answeredBy: .grownUp, mayWait: .days(1), choices: choices)))
    }

    fileprivate static let sessionTime = {
        var configuration = asks
        let amounts = [900, 1800, 3600].map { AskChoice.time(.seconds(Int64($0))) }
        configuration.gatedActions["session.time"] = GatedAction(
            title: "More time", requirement: question(amounts))
        configuration.gatedActions["game.time"] = GatedAction(title: "Game time", requirement: question(amounts))
        return configuration
    }()
}

extension Device {
    /// Mia has asked for more time in her session, as ask 1.
    fileprivate static func askingForTime() throws -> Device {
        var device = try Device.withAsks(.sessionTime)
        #expect(try device.asksFor("", of: "session.time") == .asked(1))
        return device
    }

    fileprivate static func allowedHalfAnHour() throws -> Device {
        var device = try Device.askingForTime()
        try device.apply(.answerAsk(1, .yes(.time(.seconds(1800)))), as: .olga)
        return device
    }
}

@Suite("The timekeeper takes what grown-ups allow for a session (Z-05)")
struct SessionTimeTests {
    @Test("it sees the amount, takes it once, and the journal says so")
    func taken() throws {
        var device = try Device.allowedHalfAnHour()
        let seen = device.state.asks(visibleTo: .clock)
        #expect(seen.map(\.id) == [1] && seen.map(\.choice) == [.time(.seconds(1800))])
        #expect(seen.map(\.uid) == [Peer.ben.uid] && seen.map(\.state) == [.allowed])
        try device.apply(.withdrawAsk(1), as: .clock)
        #expect(device.journal.last?.kind == .redeemed)
        #expect(device.journal.last?.detail == "ask 1: More time, for mia, 30m")
        #expect(device.states().isEmpty && device.answers.isEmpty)
        #expect(device.state.records == device.stored)
        device.refuses(.withdrawAsk(1), as: .clock, .notFound, .unknown)
        let restarted = try device.restarted(.sessionTime)
        #expect(restarted.state.asks(visibleTo: .clock).isEmpty)
    }

    @Test("in each state of an ask, it takes only a yes")
    func states() throws {
        var waiting = try Device.askingForTime()
        waiting.refuses(.withdrawAsk(1), as: .clock, .notFound, .unknown)
        #expect(waiting.states() == [1: .waiting])

        var refused = try Device.askingForTime()
        try refused.apply(.answerAsk(1, .no), as: .olga)
        refused.refuses(.withdrawAsk(1), as: .clock, .notFound, .unknown)
        #expect(refused.states(of: .clock) == [1: .refused], "it can tell that a grown-up said no")

        var over = try Device.askingForTime()
        try over.apply(.withdrawAsk(1), as: .ben)
        over.refuses(.withdrawAsk(1), as: .clock, .notFound, .unknown)

        var takenBack = try Device.allowedHalfAnHour()
        try takenBack.apply(.answerAsk(1, .no), as: .olga)
        takenBack.refuses(.withdrawAsk(1), as: .clock, .notFound, .unknown)
    }

    @Test("what was taken can't be taken back, and the child can ask again at once")
    func again() throws {
        var device = try Device.allowedHalfAnHour()
        try device.apply(.withdrawAsk(1), as: .clock)
        device.refuses(.answerAsk(1, .no), as: .olga, .notFound, .unknown)
        device.refuses(.withdrawAsk(1), as: .ben, .notFound, .unknown)
        #expect(try device.asksFor("", of: "session.time") == .asked(2))
    }

    @Test("an amount waits for the timekeeper as long as the question may wait, also over a restart of the device")
    func waits() throws {
        var device = try Device.allowedHalfAnHour()
        try device.pass(.seconds(3600))
        device = try device.restarted(rebooted: true, .sessionTime)
        #expect(device.states(of: .clock) == [1: .allowed])
        try device.pass(.days(1) - .seconds(3601))
        #expect(device.states(of: .clock) == [1: .allowed])
        try device.pass(.seconds(1))
        #expect(device.states(of: .clock).isEmpty)
        device.refuses(.withdrawAsk(1), as: .clock, .notFound, .unknown)
    }

    @Test("a yes for an amount to any other gated action holds for that long, as before")
    func otherActions() throws {
        var device = try Device.withAsks(.sessionTime)
        _ = try device.asksFor("", of: "game.time")
        try device.apply(.answerAsk(1, .yes(.time(.seconds(1800)))), as: .olga)
        try device.pass(.seconds(1800))
        #expect(device.states().isEmpty)
    }

    @Test("it sees and takes nothing else, and answers nothing")
    func nothingElse() throws {
        var device = try Device.withAsks(.sessionTime)
        _ = try device.asksFor("a", of: "page.open")
        _ = try device.asksFor("", of: "game.time")
        _ = try device.asksFor("", of: "session.time")
        try device.apply(.answerAsk(2, .yes(.time(.seconds(1800)))), as: .olga)
        #expect(device.states(of: .clock) == [3: .waiting])
        for number in [1, 2] as [UInt64] { device.refuses(.withdrawAsk(number), as: .clock, .notFound, .unknown) }
        device.refuses(
            .answerAsk(3, .yes(.time(.seconds(3600)))), as: .clock, .permissionDenied, .notPermitted)
        #expect(device.states() == [1: .waiting, 2: .allowed, 3: .waiting])
    }

    @Test("no screen asks for it, since yes and no are no amounts")
    func noScreen() throws {
        var device = try Device.withAsks(.sessionTime)
        try device.apply(.register(.everything), as: .olga)
        #expect(try device.asksFor("", of: "session.time") == .asked(1))
        #expect(device.state.queue.open.isEmpty)
        guard case .waits = try device.asksFor("", of: "game.time") else {
            Issue.record("a screen asks for everything else")
            return
        }
    }

    @Test("nobody without the role sees or takes another's, whatever else they may do")
    func strangers() throws {
        var device = try Device.allowedHalfAnHour()
        for peer in [Peer.anna, .mara, .shop, .store] {
            #expect(device.state.asks(visibleTo: peer).isEmpty)
            device.refuses(.withdrawAsk(1), as: peer, .notFound, .unknown)
        }
        device.refuses(.withdrawAsk(1), as: .olga, .permissionDenied, .notPermitted)
        #expect(device.states() == [1: .allowed])
    }

    @Test("the child who takes the yes back, and an administrator, have not taken the time")
    func takenBack() throws {
        for peer in [Peer.ben, .root] {
            var device = try Device.allowedHalfAnHour()
            try device.apply(.withdrawAsk(1), as: peer)
            #expect(device.journal.last?.kind == .cancelled)
            #expect(device.state.asks(visibleTo: .clock).isEmpty)
        }
    }
}
