import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("Allowances, and the use of gated actions (Z-02)")
struct UsageTests {
    @Test("time runs while something is used, and is stored once a minute and at the end")
    func counts() throws {
        var device = try Device.withUsage()
        try device.use(1)
        #expect(device.state.nextDeadline == device.now.advanced(by: .seconds(60)))
        try device.live(.seconds(59))
        #expect(device.stored() == [:] && device.left == .seconds(3541))
        try device.live(.seconds(1))
        #expect(device.stored() == [0: 60])
        try device.live(.seconds(90))
        #expect(device.stored() == [0: 120] && device.left == .seconds(3450))
        try device.stop(1)
        #expect(device.stored() == [0: 150])
        try device.live(.seconds(10_000))
        #expect(device.stored() == [0: 150] && device.left == .seconds(3450))
        #expect(device.journal.last?.kind == .used && device.journal.last?.detail == "game.play, 2m30s")
    }

    @Test("two uses of one allowance at the same time take the time of one, and each person has time of their own")
    func together() throws {
        var device = try Device.withUsage()
        try device.use(1)
        try device.use(2, "game.race")
        try device.use(3, as: .anna)
        try device.live(.seconds(600))
        try device.stop(1)
        try device.live(.seconds(600))
        try device.stop(2)
        try device.live(.seconds(600))
        #expect(device.stored() == [0: 1200])
        #expect(device.stored(UsageMeter(uid: Peer.anna.uid, .allowance("games"))) == [0: 1800])
    }

    @Test("ten uses make the daemon wake once a minute")
    func wakes() throws {
        var device = try Device.withUsage()
        for number in 1...10 as ClosedRange<UInt64> {
            try device.use(number, "link.open", as: number % 2 == 0 ? .ben : .anna)
            try device.pass(.seconds(1))
        }
        let begin = device.now
        var wakes = 0
        while let next = device.state.nextDeadline, next <= begin.advanced(by: .seconds(600)) {
            try device.pass(device.now.duration(to: next))
            wakes += 1
        }
        #expect(wakes == 10)
    }

    @Test("at the end the gate closes, says when it opens again, and what goes on counts all the same")
    func over() throws {
        var device = try Device.withUsage()
        try device.use(1)
        try device.live(.seconds(3599))
        #expect(device.refusal() == nil)
        try device.live(.seconds(1))
        let refusal = try #require(device.refusal())
        #expect(refusal.code == .failedPrecondition && refusal.reason == .outOfHours)
        #expect(refusal.message == "The time for this is used up. There is more tomorrow at 4:00.")
        #expect(refusal.retryAfter == .seconds(15 * 3600))
        #expect(refusal.parameters["allowance"] == "games" && refusal.parameters["schedule"] == nil)
        #expect(refusal.parameters["day"] == "tomorrow" && refusal.parameters["time"] == "4:00")
        #expect(device.state.timeLeft(ofUse: 1, at: device.now) == TimeLeft(left: .zero, isOver: true))
        #expect(throws: GateError.self) { try device.use(2) }
        try device.live(.seconds(600))
        try device.stop(1)
        #expect(device.stored() == [0: 4200])
        // At four there is more.
        try device.live(.seconds(15 * 3600 - 600))
        #expect(device.refusal() == nil && device.left == .seconds(3600))
    }

    @Test("who uses something is told at five minutes, at one, and at the end")
    func warnings() throws {
        var device = try Device.withUsage()
        try device.use(1)
        try device.pass(.seconds(3290))
        #expect(device.state.nextDeadline == device.now.advanced(by: .seconds(10)))
        try device.pass(.seconds(10))
        #expect(device.stored() == [0: 3300], "what watchers hear then is exact")
        try device.pass(.seconds(235))
        #expect(device.state.nextDeadline == device.now.advanced(by: .seconds(5)))
        try device.pass(.seconds(5))
        #expect(device.left == .seconds(60) && device.stored() == [0: 3540])
        try device.pass(.seconds(59))
        #expect(device.state.nextDeadline == device.now.advanced(by: .seconds(1)))
        #expect(device.state.timeLeft(ofUse: 1, at: device.now) == TimeLeft(left: .seconds(1), isOver: false))
    }

    @Test("what an allowance would allow is allowed in another way, and its time runs then, too")
    func otherWay() throws {
        var device = try Device.withUsage()
        try device.use(1)
        try device.live(.seconds(3600))
        try device.stop(1)
        #expect(throws: GateError.self) { try device.use(2, "game.race") }
        try device.apply(.override(.parent, .seconds(600), reason: "rain"), as: .root)
        try device.use(2, "game.race")
        #expect(device.state.timeLeft(ofUse: 2, at: device.now) == TimeLeft(left: .zero, isOver: false))
        try device.live(.seconds(60))
        #expect(device.stored() == [0: 3660])
        try device.apply(.lock, as: .root)
        #expect(device.state.timeLeft(ofUse: 2, at: device.now)?.isOver == true)
    }

    @Test("what a yes for half an hour allows is over with it, and with a no, unless there is time")
    func allowedByYes() throws {
        let question = ChallengeSpecification(
            .confirm, answeredBy: .grownUp, mayWait: .days(1), choices: [.time(.seconds(1800)), .always])
        var configuration = Configuration.usage
        configuration.gatedActions["game.play"]?.requirement = .any([
            .allowance(Configuration.games), .challenge(ChallengeRule(question)),
        ])
        for choice in [AskChoice.time(.seconds(1800)), .always] {
            var device = try Device.withUsage(configuration)
            try device.use(1)
            try device.live(.seconds(3600))
            try device.stop(1)
            #expect(try device.asksFor("", of: "game.play") == .asked(1))
            try device.apply(.answerAsk(1, .yes(choice)), as: .olga)
            try device.use(2)
            try device.live(.seconds(1799))
            #expect(device.state.timeLeft(ofUse: 2, at: device.now) == TimeLeft(left: .zero, isOver: false))
            if choice == .always { try device.apply(.answerAsk(1, .no), as: .olga) }
            try device.live(.seconds(1))
            #expect(device.state.timeLeft(ofUse: 2, at: device.now) == TimeLeft(left: .zero, isOver: true))
            // At four in the morning there is time again.
            try device.live(.seconds(15 * 3600))
            #expect(device.state.timeLeft(ofUse: 2, at: device.now)?.isOver == false)
        }
    }

    @Test("a person's kept answers end with their time")
    func keptAnswers() throws {
        var device = try Device.withUsage()
        _ = try device.answerRight(try device.authorize("game.chat", as: .ben).presentation(), as: .ben).grant()
        _ = try device.answerRight(try device.authorize("game.chat", as: .anna).presentation(), as: .anna).grant()
        #expect(device.state.keptGrants(of: nil).count == 2)
        try device.use(1)
        try device.live(.seconds(3600))
        #expect(device.state.keptGrants(of: nil).map(\.key.uid) == [Peer.anna.uid])
        #expect(device.journal.last?.kind == .grantExpired)
    }

    @Test("an answer that was kept because the time was over outlives the daemon, and ends with the next day's time")
    func keptInstead() throws {
        var configuration = Configuration.usage
        configuration.gatedActions["game.chat"]?.requirement = .any([
            .allowance(Configuration.games), .challenge(ChallengeRule(.arithmeticChoice)),
        ])
        var device = try Device.withUsage(configuration)
        try device.use(1)
        try device.live(.seconds(3600))
        try device.stop(1)
        _ = try device.answerRight(try device.authorize("game.chat", as: .ben).presentation(), as: .ben).grant()
        #expect(device.state.keptGrants(of: nil).count == 1)
        device = try device.restarted(configuration)
        #expect(device.state.keptGrants(of: nil).count == 1 && device.refusal(of: "game.chat") == nil)
        #expect(device.left == .zero)
        // At four there is more; it is used up before a day has passed since the answer.
        try device.live(.seconds(15 * 3600))
        #expect(device.state.keptGrants(of: nil).count == 1)
        try device.use(2)
        try device.live(.seconds(3600))
        #expect(device.state.keptGrants(of: nil).isEmpty)
    }

    @Test("a question that could replace the time has to be answered: otherwise what began in time ends with it")
    func unansweredWay() throws {
        var configuration = Configuration.usage
        configuration.gatedActions["game.chat"]?.requirement = .any([
            .allowance(Configuration.games), .challenge(ChallengeRule(.arithmeticChoice)),
        ])
        var device = try Device.withUsage(configuration)
        func isOver(_ number: UInt64) -> Bool? { device.state.timeLeft(ofUse: number, at: device.now)?.isOver }
        try device.use(1, "game.chat")
        try device.live(.seconds(3599))
        #expect(isOver(1) == false)
        try device.live(.seconds(1))
        #expect(isOver(1) == true)
        // A use that begins now was allowed by such an answer, as by `gatectl run`.
        try device.use(2, "game.chat")
        #expect(isOver(2) == false)
        // A child whom wrong answers lock out gets no time by it.
        var guesses = 0
        while device.refusal(of: "game.chat")?.reason != .lockedOut, guesses < 100 {
            try device.answerWrong(try device.authorize("game.chat", as: .ben).presentation(), as: .ben)
            guesses += 1
        }
        #expect(guesses < 100 && isOver(1) == true && isOver(2) == false)
        try device.live(device.refusal(of: "game.chat")?.retryAfter ?? .zero)
        _ = try device.answerRight(try device.authorize("game.chat", as: .ben).presentation(), as: .ben).grant()
        #expect(isOver(1) == false, "the answer is kept")
        try device.live(.seconds(24 * 3600))
        #expect(isOver(1) == true)
    }

    @Test("a question that stands while the time ends is closed, and its requester hears why")
    func openQuestion() throws {
        var device = try Device.withUsage()
        try device.apply(.register(.everything), as: .olga)
        try device.use(1)
        try device.live(.seconds(3590))
        let wait = try device.waitFor("game.chat", as: .ben)
        try device.live(.seconds(9))
        #expect(device.reply(to: wait) == nil)
        try device.live(.seconds(1))
        #expect(device.refusal(of: wait)?.reason == .outOfHours)
    }

    @Test("only a person has time, nobody is told so, and the gated action has to be one")
    func refused() throws {
        var device = try Device.withUsage()
        let stranger = try #require(throws: GateError.self) { try device.use(1, as: .theo) }
        #expect(stranger.reason == .notSetUp && stranger.parameters["what"] == "person")
        #expect(device.refusal(for: .theo) == stranger)
        #expect(throws: GateError.self) { try device.use(1, "no.such") }
        for owner in [Owner.withoutAccount, .rangesOfRoot, .user(Peer.theo.uid)] {
            let guest = Peer(connection: 50, uid: 100_000, owner: owner, pid: 7, roles: .app)
            #expect(device.refusal(for: guest) == stranger)
            #expect(throws: stranger) { try device.use(1, as: guest) }
        }
        #expect(device.state.uses.isEmpty && device.stored.usage.isEmpty)
    }

    @Test("a user has sixteen open uses, and 64 things whose time is counted")
    func limits() throws {
        var configuration = Configuration.usage
        for number in 0..<80 {
            configuration.gatedActions["a\(number)"] = GatedAction(title: "A", requirement: .parentMode)
        }
        var device = try Device.withUsage(configuration)
        for number in 1...16 as ClosedRange<UInt64> { try device.use(number) }
        let refusal = try #require(throws: GateError.self) { try device.use(17) }
        #expect(refusal.reason == .limit && refusal.parameters["what"] == "uses")
        try device.use(18, as: .anna)
        for number in 1...16 as ClosedRange<UInt64> { try device.stop(number) }
        var count = 0
        for number in 0..<80 where (try? device.use(UInt64(100 + number), "a\(number)")) != nil {
            count += 1
            try device.pass(.milliseconds(1))
            try device.stop(UInt64(100 + number))
        }
        #expect(count == 64)
    }

    @Test("a use ends with its connection, and with the daemon")
    func ends() throws {
        var device = try Device.withUsage()
        try device.use(1)
        #expect(device.state.connections.contains(Peer.ben.connection))
        try device.pass(.seconds(30))
        try device.apply(.peerDisconnected, as: .ben)
        #expect(device.stored() == [0: 30] && device.state.uses.isEmpty)
        #expect(!device.state.connections.contains(Peer.ben.connection))
        try device.stop(1)
        #expect(device.stored() == [0: 30], "its end comes once more, and is late and harmless")
        try device.use(2)
        try device.pass(.seconds(59))
        let restarted = try device.restarted(.usage)
        #expect(restarted.stored() == [0: 30] && restarted.state.uses.isEmpty, "less than a minute is lost")
        try device.apply(.usage(.endAll), as: .daemon)
        #expect(device.stored() == [0: 89] && device.state.uses.isEmpty, "nothing is lost if the daemon is stopped")
        #expect(throws: GateError.self) { try device.apply(.usage(.endAll), as: .root) }
    }

    @Test("many short uses are not free")
    func short() throws {
        var device = try Device.withUsage()
        for number in 1...1000 as ClosedRange<UInt64> {
            try device.use(number)
            try device.turn(by: .nanoseconds(1))
            try device.stop(number)
        }
        #expect(device.stored() == [0: 1])
    }

    @Test("another policy counts at once: another allowance, other limits, none")
    func otherPolicy() throws {
        var device = try Device.withUsage()
        try device.use(1)
        try device.live(.seconds(1800))
        var configuration = Configuration.usage
        configuration.gatedActions["game.race"] = nil
        configuration.gatedActions["game.chat"] = nil
        configuration.gatedActions["game.play"]?.requirement = .allowance(
            Allowance("games", secondsOfDays: Array(repeating: 1900, count: 7), dayStart: 4 * 60))
        try device.apply(.daemon(.configure(configuration, detail: "")), as: .root)
        #expect(device.left == .seconds(100))
        #expect(device.state.nextDeadline == device.now.advanced(by: .seconds(40)), "one minute before the end")
        configuration.gatedActions["game.play"]?.requirement = .parentMode
        try device.apply(.daemon(.configure(configuration, detail: "")), as: .root)
        #expect(device.left == nil)
        try device.live(.seconds(60))
        #expect(device.stored() == [0: 1800])
        #expect(device.stored(UsageMeter(uid: Peer.ben.uid, .gatedAction("game.play"))) == [0: 60])
    }

    @Test("the program that carries the household's words sees everybody's time only where Home Assistant is told it")
    func carrier() throws {
        let settings: [(homeAssistant: HouseholdSettings.HomeAssistant?, count: Int)] = [
            (nil, 0), (.init(), 0), (.init(isFound: false, tellsWords: true), 0), (.init(tellsWords: true), 4),
        ]
        for (homeAssistant, count) in settings {
            var configuration = Configuration.usage
            configuration.household = .ofTablet
            configuration.household?.homeAssistant = homeAssistant
            let device = try Device.withUsage(configuration)
            #expect(device.state.usage(visibleTo: .carrier, days: 1, at: device.now).count == count)
        }
    }

    @Test("everybody sees their own time; grown-ups, presenters of grown-ups and administrators see all")
    func lists() throws {
        var device = try Device.withUsage()
        try device.use(1)
        try device.use(2, "link.open", as: .anna)
        try device.live(.seconds(90))
        func list(_ peer: Peer, days: Int = 1) -> [String] {
            device.state.usage(visibleTo: peer, days: days, at: device.now).map { time in
                let left = time.left.map { " \($0.shortText)" } ?? ""
                return "\(time.person) \(time.subject) \(time.used.shortText)\(left)" + (time.isRunning ? " runs" : "")
            }
        }
        let otto = [
            "otto allowance(\"films\") 0s 3h", "otto allowance(\"games\") 0s 1h",
            "otto gatedAction(\"link.open\") 1m30s runs",
        ]
        let mia = ["mia allowance(\"films\") 0s 3h", "mia allowance(\"games\") 1m30s 58m30s runs"]
        #expect(list(.ben) == mia && list(.anna) == otto)
        #expect(list(.root) == otto + mia)
        #expect(list(.theo) == [])
        #expect(
            device.state.usageToday(visibleTo: .ben).map(\.used) == [.zero, .seconds(60)],
            "watchers hear what is stored")
        try device.live(.seconds(24 * 3600))
        #expect(list(.ben, days: 2).count == 3, "today's films, and both days' games")
    }
}
