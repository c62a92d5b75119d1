import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A grown-up says \"not until tomorrow\" (W-07)")
struct UntilTomorrowTests {
    private static let minute = Duration.seconds(60)
    /// From half past five to midnight, less a minute.
    private static let evening = Duration.seconds(6 * 3600 + 29 * 60)

    /// Half past five. Mia asks with the words "a", if `hasAsked`.
    private func device(_ configuration: Configuration = .asks, hasAsked: Bool = true) throws -> Device {
        var device = try Device.withAsks(configuration)
        try device.pass(.seconds(17 * 3600 + 30 * 60))
        if hasAsked { #expect(try device.asksFor("a") == .asked(1)) }
        return device
    }

    private func refused(_ configuration: Configuration = .asks) throws -> Device {
        var device = try device(configuration)
        try device.apply(.answerAsk(1, .notUntilTomorrow), as: .olga)
        return device
    }

    private func request(_ details: String) -> Command {
        var request = AuthorizationRequest(gatedAction: "page.open", details: details)
        request.mayWait = true
        return .authorize(request, presenting: .elsewhere)
    }

    @Test("until midnight the person can ask for nothing of this action, and for everything else")
    func scope() throws {
        var device = try refused()
        #expect(device.states() == [1: .refused])
        let listed = try #require(device.state.asks(visibleTo: .ben).first)
        #expect(listed.isUntilTomorrow && listed.ends == Device.newYear.advanced(by: .days(1)))
        for words in ["a", "b", "another page"] { #expect(try device.asksFor(words) == .refused) }
        guard case .refused(let refusal) = try device.apply(request("b"), as: .ben).reply else {
            Issue.record("it is not refused")
            return
        }
        #expect(refusal.message == "A grown-up said: not until tomorrow. Ask again in 6h30m.")
        #expect(refusal.parameters["until"] == "tomorrow" && refusal.retryAfter == .seconds(6 * 3600 + 1800))
        #expect(try device.asksFor("a", of: "page.save") == .asked(2))
        #expect(try device.asksFor("a", as: .anna) == .asked(3))
        // What is refused so is no ask of the day.
        #expect(device.stored.asks.count { $0.uid == Peer.ben.uid } == 2)

        try device.pass(Self.evening)
        #expect(try device.asksFor("b") == .refused)
        try device.pass(Self.minute)
        #expect(try device.asksFor("b") == .asked(4))
        #expect(try device.asksFor("a") == .asked(5))
    }

    @Test("the journal says which kind of no it was, and none of the words")
    func journalled() throws {
        let device = try refused()
        let entry = device.journal.last { $0.kind == .refused }
        #expect(
            entry?.detail == "ask 1: Open a page, for mia, not until tomorrow" && entry?.actor?.uid == Peer.olga.uid)
    }

    private func state(_ device: Device) -> AskRecord.State? { device.stored.asks[1]?.state }

    /// Brings the ask with the words "a" into a state.
    private func device(in state: AskRecord.State, isAllowed: Bool = false) throws -> Device {
        var device = try device()
        switch state {
        case .waiting: break
        case .refused: try device.apply(.answerAsk(1, .no), as: .olga)
        case .untilTomorrow: try device.apply(.answerAsk(1, .notUntilTomorrow), as: .olga)
        case .over where isAllowed: try device.apply(.answerAsk(1, .yes()), as: .olga)
        case .over: try device.apply(.withdrawAsk(1), as: .ben)
        }
        return device
    }

    @Test(
        "in each state: it refuses what waits, was refused or was allowed, and nothing that is over or has this answer")
    func inEachState() throws {
        for (before, isAllowed) in [(AskRecord.State.waiting, false), (.refused, false), (.over, true)] {
            var device = try device(in: before, isAllowed: isAllowed)
            try device.apply(.answerAsk(1, .notUntilTomorrow), as: .root)
            #expect(state(device) == .untilTomorrow && device.stored.keptGrants.isEmpty, "\(before)")
            #expect(device.stored.asks[1]?.details == "a" && device.stored.asks[1]?.nonce.isEmpty == true, "\(before)")
            #expect(try device.asksFor("b") == .refused, "\(before)")
        }
        for before in [AskRecord.State.untilTomorrow, .over] {
            var device = try device(in: before)
            device.refuses(.answerAsk(1, .notUntilTomorrow), as: .olga, .notFound, .unknown)
            #expect(state(device) == before)
        }
    }

    @Test("afterwards each event leads where the table of AskCommands says")
    func afterwards() throws {
        let events: [(String, AskRecord.State, (inout Device) throws -> Void)] = [
            ("yes", .over, { try $0.apply(.answerAsk(1, .yes()), as: .olga) }),
            ("no", .refused, { try $0.apply(.answerAsk(1, .no), as: .olga) }),
            ("an hour", .untilTomorrow, { try $0.pass(.seconds(3600)) }),
            ("a day", .over, { try $0.pass(.days(1)) }),
            ("restarted", .untilTomorrow, { $0 = try $0.restarted() }),
            ("rebooted", .untilTomorrow, { $0 = try $0.restarted(rebooted: true) }),
            ("the yes is revoked", .untilTomorrow, { try $0.apply(.revoke(uid: nil, gatedAction: nil), as: .ben) }),
            (
                "another policy", .over,
                { device in
                    var configuration = Configuration.asks
                    configuration.gatedActions["page.open"]?.titles = "Open any page"
                    try device.apply(.configure(configuration, detail: ""), as: .root)
                }
            ),
            ("the person is taken off the list", .over, { try $0.apply(.removePerson(name: "mia"), as: .root) }),
            ("a backup", .over, { try $0.apply(.control(.restore($0.stored, detail: "")), as: .root) }),
        ]
        for (name, after, happens) in events {
            var device = try refused()
            try happens(&device)
            #expect(state(device) ?? .over == after, "\(name)")
            #expect(device.stored.asks[1]?.details ?? "" == (after == .over ? "" : "a"), "\(name)")
            #expect(device.state.records == device.stored, "\(name)")
        }
        var device = try refused()
        device.refuses(.withdrawAsk(1), as: .ben, .notFound, .unknown)
    }

    @Test("a yes to the one that was refused lifts it, and so does a plain no for all other words")
    func lifted() throws {
        var allowed = try refused()
        try allowed.apply(.answerAsk(1, .yes()), as: .olga)
        #expect(try allowed.asksFor("b") == .asked(2))
        #expect(try allowed.asksFor("a") == .granted)

        var plain = try refused()
        try plain.apply(.answerAsk(1, .no), as: .olga)
        #expect(plain.state.asks(visibleTo: .olga).map(\.isUntilTomorrow) == [false])
        #expect(try plain.asksFor("a") == .refused)
        #expect(try plain.asksFor("b") == .asked(2))
    }

    @Test("what else the person asks of this action is over, and what was allowed before stays so")
    func others() throws {
        var device = try device()
        for (number, words) in zip([2, 3] as [UInt64], ["b", "c"]) {
            #expect(try device.asksFor(words) == .asked(number))
        }
        #expect(try device.asksFor("d", of: "page.save") == .asked(4))
        #expect(try device.asksFor("e", as: .anna) == .asked(5))
        try device.apply(.answerAsk(2, .yes()), as: .olga)
        try device.apply(.answerAsk(1, .notUntilTomorrow), as: .olga)
        #expect(device.states() == [1: .refused, 2: .allowed, 4: .waiting, 5: .waiting])
        #expect(device.stored.asks[3]?.details == "")
        #expect(try device.asksFor("b") == .granted)
        #expect(try device.asksFor("b") == .refused)
        #expect(try device.asksFor("c") == .refused)
    }

    @Test("a program that can't wait for an answer is refused, too, and no screen asks for it")
    func cannotWait() throws {
        var device = try refused()
        try device.apply(.register(.everything), as: .olga)
        let plain = AuthorizationRequest(gatedAction: "page.open", details: "b")
        #expect(Heard(try device.apply(.authorize(plain, presenting: .elsewhere), as: .ben).reply) == .refused)
        #expect(device.state.queue.open.isEmpty)
        #expect(Heard(try device.apply(.authorize(plain, presenting: .elsewhere), as: .anna).reply) != .refused)
    }

    @Test("calls that still wait for an answer hear the no")
    func openCalls() throws {
        var device = try device(hasAsked: false)
        try device.apply(.register(.everything), as: .olga)
        guard case .waits(let first) = try device.asksFor("a"),
            case .waits(let second) = try device.asksFor("b", as: .bensOther)
        else {
            Issue.record("nobody shows it")
            return
        }
        try device.apply(.answerAsk(1, .notUntilTomorrow), as: .root)
        #expect(Heard(device.reply(to: first)) == .refused && Heard(device.reply(to: second)) == .refused)
        #expect(device.state.queue.open.isEmpty)
        #expect(try device.asksFor("c") == .refused)
    }

    @Test("where an allowance's days begin later, tomorrow does, too; an answer at night is for the day that goes on")
    func dayStart() throws {
        var configuration = Configuration.asks
        let games = Allowance("games", secondsOfDays: Array(repeating: 3600, count: 7), dayStart: 4 * 60)
        configuration.gatedActions["page.open"]?.requirement = .all([Configuration.permission, .allowance(games)])
        var device = try refused(configuration)
        try device.pass(Self.evening + Self.minute)
        #expect(try device.asksFor("b") == .refused)
        try device.pass(.seconds(4 * 3600 - 60))
        #expect(try device.asksFor("b") == .refused)
        try device.pass(Self.minute)
        #expect(try device.asksFor("b") == .asked(2))

        device = try Device.withAsks(configuration)
        try device.pass(.seconds(3600))
        _ = try device.asksFor("a")
        try device.apply(.answerAsk(1, .notUntilTomorrow), as: .olga)
        #expect(device.state.asks(visibleTo: .olga).map(\.ends) == [Device.newYear.advanced(by: .seconds(4 * 3600))])
    }

    @Test("only grown-ups' presenters and administrators say it, in parent mode, too")
    func roles() throws {
        var device = try device()
        try device.enterParentMode(as: .anna)
        for peer in [Peer.ben, .anna, .mara, .shop] {
            device.refuses(.answerAsk(1, .notUntilTomorrow), as: peer, .permissionDenied, .notPermitted)
        }
        #expect(device.states() == [1: .waiting])
    }

    @Test(
        "a clock that is set forward and back, or back and forward, gives nothing back and takes nothing",
        arguments: [Duration.seconds(600), .seconds(10 * 3600), .days(1), .days(400)].flatMap {
            [$0, Duration.zero - $0]
        })
    func clock(step: Duration) throws {
        var device = try refused()
        device.wallTime = device.wallTime.advanced(by: step)
        #expect(try device.asksFor("b") == .refused)
        try device.pass(Self.minute)
        #expect(try device.asksFor("b") == .refused)
        var stays = device
        device.wallTime = device.wallTime.advanced(by: .zero - step)
        #expect(try device.asksFor("b") == .refused)
        #expect(device.state.asks(visibleTo: .olga).first?.ends == Device.newYear.advanced(by: .days(1)))
        // Where the clock stays as it was set, it lasts as long.
        for changed in [device, stays] {
            stays = changed
            try stays.pass(Self.evening - Self.minute)
            #expect(try stays.asksFor("b") == .refused)
            try stays.pass(Self.minute)
            #expect(try stays.asksFor("b") == .asked(2))
        }
    }

    @Test("a device without a clock of its own, which is years behind at its start, does not wait for years")
    func corrected() throws {
        var device = try refused()
        let morning = Device.newYear.advanced(by: .seconds(32 * 3600))
        device.wallTime = WallTime(unixMilliseconds: 5)
        device = try device.restarted(rebooted: true)
        #expect(try device.asksFor("b") == .refused)
        device.wallTime = morning
        #expect(try device.asksFor("b") == .asked(2))
    }

    @Test("the clocks' own inaccuracy changes nothing that is stored")
    func drift() throws {
        var device = try refused()
        let before = device.stored.asks
        for _ in 0..<10 {
            device.wallTime = device.wallTime.advanced(by: .seconds(5))
            try device.turn(by: .zero)
        }
        #expect(device.stored.asks == before)
    }
}
