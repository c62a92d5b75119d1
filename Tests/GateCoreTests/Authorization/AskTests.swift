import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("An ask outlives its call, and is answered once (W-01, W-02)")
struct AskTests {
    @Test(
        "a child asks, the daemon and the device are started anew, a parent says yes, and the child gets through once")
    func afternoon() throws {
        var device = try Device.withAsks()
        #expect(try device.asksFor("a") == .asked(1))
        device = try device.restarted()
        #expect(device.states() == [1: .waiting])
        device = try device.restarted(rebooted: true)
        try device.pass(.days(2))
        #expect(try device.asksFor("a") == .asked(1))
        try device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        #expect(device.states() == [1: .allowed])
        device = try device.restarted(rebooted: true)
        try device.pass(.days(2))
        #expect(try device.asksFor("a") == .granted)
        #expect(device.states().isEmpty)
        #expect(try device.asksFor("a") == .asked(2))
    }

    /// Brings the ask with the words "a" into a state.
    private func device(_ state: Ask.State?) throws -> Device {
        var device = try Device.withAsks()
        _ = try device.asksFor("a")
        switch state {
        case .waiting: break
        case .allowed: try device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        case .refused: try device.apply(.answerAsk(1, isAllowed: false), as: .olga)
        case .closed, .unrecognized, nil: try device.apply(.withdrawAsk(1), as: .ben)
        }
        return device
    }

    private struct Event: Sendable {
        let name: String
        let happens: @Sendable (inout Device) throws -> GateError?
        let becomes: [Ask.State?: Ask.State?]
        let refusedIn: Set<Ask.State?>

        init(
            _ name: String, becomes: [Ask.State?: Ask.State?], refusedIn: Set<Ask.State?> = [],
            _ happens: @escaping @Sendable (inout Device) throws -> GateError?
        ) {
            (self.name, self.becomes, self.refusedIn, self.happens) = (name, becomes, refusedIn, happens)
        }
    }

    private static func command(
        _ command: Command, as peer: Peer
    ) -> @Sendable (inout Device) throws -> GateError? {
        { device in
            do throws(GateError) {
                try device.apply(command, as: peer)
                return nil
            } catch {
                return error
            }
        }
    }

    /// Every event with the state that it leads to, by the state before. `nil` stands for an ask that is over.
    private static let events: [Event] = [
        Event(
            "yes", becomes: [.waiting: .allowed, .refused: .allowed, .allowed: .allowed, nil: nil],
            refusedIn: [.allowed, nil], command(.answerAsk(1, isAllowed: true), as: .olga)),
        Event(
            "no", becomes: [.waiting: .refused, .refused: .refused, .allowed: .refused, nil: nil],
            refusedIn: [.refused, nil], command(.answerAsk(1, isAllowed: false), as: .root)),
        Event(
            "withdrawn", becomes: [.waiting: nil, .refused: .refused, .allowed: nil, nil: nil],
            refusedIn: [.refused, nil], command(.withdrawAsk(1), as: .ben)),
        Event("a day", becomes: [.waiting: .waiting, .refused: nil, .allowed: .allowed, nil: nil]) {
            try $0.pass(.days(1))
            return nil
        },
        Event("three days", becomes: [.waiting: nil, .refused: nil, .allowed: nil, nil: nil]) {
            try $0.pass(.days(3))
            return nil
        },
        Event("restarted", becomes: [.waiting: .waiting, .refused: .refused, .allowed: .allowed, nil: nil]) {
            $0 = try $0.restarted()
            return nil
        },
        Event("another policy", becomes: [.waiting: nil, .refused: nil, .allowed: nil, nil: nil]) {
            var configuration = Configuration.asks
            configuration.gatedActions["page.open"]?.titles = "Open any page"
            try $0.apply(.configure(configuration, detail: ""), as: .root)
            return nil
        },
        Event(
            "another policy while the daemon is stopped",
            becomes: [.waiting: nil, .refused: nil, .allowed: nil, nil: nil]
        ) {
            var configuration = Configuration.asks
            configuration.gatedActions["page.open"]?.requirement = .parentMode
            $0 = try $0.restarted(configuration)
            return nil
        },
        Event(
            "another action's policy", becomes: [.waiting: .waiting, .refused: .refused, .allowed: .allowed, nil: nil]
        ) {
            var configuration = Configuration.asks
            configuration.gatedActions["page.send"] = nil
            try $0.apply(.configure(configuration, detail: ""), as: .root)
            return nil
        },
        Event("the person is taken off the list", becomes: [.waiting: nil, .refused: nil, .allowed: nil, nil: nil]) {
            try $0.apply(.removePerson(name: "mia"), as: .root)
            return nil
        },
        Event(
            "kept grants are revoked", becomes: [.waiting: .waiting, .refused: .refused, .allowed: .allowed, nil: nil]
        ) {
            try $0.apply(.revoke(uid: nil, gatedAction: "page.open"), as: .ben)
            try $0.apply(.revoke(uid: Peer.ben.uid, gatedAction: nil), as: .root)
            return nil
        },
        Event("a backup is restored", becomes: [.waiting: nil, .refused: nil, .allowed: nil, nil: nil]) {
            try $0.apply(.control(.restore($0.stored, detail: "")), as: .root)
            return nil
        },
    ]

    @Test(
        "each event in each state leads where the table of AskCommands says, and words are gone when it is over (W-07)")
    func table() throws {
        for event in Self.events {
            for state in [Ask.State.waiting, .refused, .allowed, nil] {
                var device = try device(state)
                #expect(device.states()[1] == state)
                let refusal = try event.happens(&device)
                #expect((refusal != nil) == event.refusedIn.contains(state), "\(event.name) in \(state as Any)")
                if let refusal { #expect(refusal.reason == .unknown && refusal.parameters["what"] == "ask") }
                let after = device.states()[1]
                #expect(after == event.becomes[state] ?? nil, "\(event.name) in \(state as Any)")
                let isOver = device.stored.asks[1].map { $0.state == .over } ?? true
                #expect(isOver == (after != .waiting && after != .refused), "\(event.name)")
                if isOver { #expect(device.stored.asks[1]?.details ?? "" == "", "\(event.name)") }
                #expect((device.stored.keptGrants.answer(to: 1) != nil) == (after == .allowed), "\(event.name)")
                #expect(device.state.records == device.stored, "\(event.name)")
            }
        }
    }

    @Test("the mark of an action is made of what the policy says, so an upgrade of Gate ends no ask")
    func mark() throws {
        // These are in databases. A change here ends the asks of everybody who gets the new version.
        #expect(Configuration.asks.gatedActions["page.open"]?.mark == "89bad47bfad7df2e")
        let (hold, confirm) = (
            ChallengeSpecification(.hold, holdDuration: .seconds(5)),
            ChallengeSpecification(
                .confirm, answeredBy: .grownUp, mayWait: .seconds(12 * 3600),
                choices: [.today, .time(.seconds(5400))])
        )
        let ages = ChallengeRule(bands: [
            .init(ages: 0...8, challenge: hold), .init(ages: 9...ChallengeRule.maximumAge, challenge: confirm),
        ])
        let title = LocalizedText(
            "Play", [.init(language: "en", text: "Play"), .init(language: "de", text: "Spielen")])
        let play = GatedAction(
            title: title,
            requirement: .any([
                .parentMode,
                .all([.during(Schedule("after-school")), .allowance(Allowance("games")), .challenge(ages)]),
            ]), style: .fullScreenCover)
        #expect(play.mark == "0c91442cec1eef67")
    }

    @Test("an ask and its yes outlive a change of a schedule's hours, which are looked at when the yes is used")
    func otherHours() throws {
        func configuration(opensAt hour: Int) -> Configuration {
            var configuration = Configuration.asks
            let days = Array(repeating: [Schedule.Span(hour * 60, 24 * 60)], count: 7)
            configuration.gatedActions["page.open"]?.requirement = .all([
                .during(Schedule("day", days: days)), Configuration.permission,
            ])
            return configuration
        }
        var device = try Device.withAsks(configuration(opensAt: 0))
        for words in ["a", "b"] { _ = try device.asksFor(words) }
        try device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        try device.apply(.configure(configuration(opensAt: 9), detail: ""), as: .root)
        #expect(device.states() == [1: .allowed, 2: .waiting])
        // It is midnight by the clock of the device.
        #expect(try device.asksFor("a") == .other(.outOfHours, what: nil))
        try device.pass(.seconds(9 * 3600))
        #expect(try device.asksFor("a") == .granted)
    }

    @Test("after a no the same words are refused for a day, and others are not")
    func no() throws {
        var device = try device(.refused)
        #expect(try device.asksFor("a") == .refused)
        #expect(try device.asksFor("b") == .asked(2))
        #expect(try device.asksFor("a", as: .anna) == .asked(3))
        try device.pass(.days(1))
        #expect(try device.asksFor("a") == .asked(4))
    }

    @Test("five questions of a person wait, twenty are asked in a day, and another person's are not counted (W-07)")
    func limits() throws {
        var device = try Device.withAsks()
        for number in 1...5 as ClosedRange<UInt64> { #expect(try device.asksFor("\(number)") == .asked(number)) }
        #expect(try device.asksFor("6") == .other(.limit, what: "asks"))
        #expect(try device.asksFor("1", as: .anna) == .asked(6))
        for number in 7...21 as ClosedRange<UInt64> {
            let waiting = try #require(device.states(of: .ben).keys.min())
            try device.apply(.withdrawAsk(waiting), as: .ben)
            #expect(try device.asksFor("\(number)") == .asked(number))
        }
        try device.apply(.withdrawAsk(21), as: .ben)
        #expect(try device.asksFor("more") == .other(.limit, what: "asks-of-day"))
        #expect(try device.asksFor("more", as: .anna) == .asked(22))
        try device.pass(.days(1))
        #expect(try device.asksFor("more") == .asked(23))
    }

    @Test("what can't wait any more is still asked of a grown-up who is there, and ends with its call (W-07)")
    func beyondLimits() throws {
        var device = try Device.withAsks()
        for number in 1...5 as ClosedRange<UInt64> { #expect(try device.asksFor("\(number)") == .asked(number)) }
        try device.apply(.register(.everything), as: .olga)
        guard case .waits(let wait) = try device.asksFor("6") else { return #expect(Bool(false)) }
        let question = try device.claim(6, as: .olga)
        try device.apply(.complete(question.cookie, .text("yes")), as: .olga)
        #expect(Heard(device.reply(to: wait)) == .granted)
        guard case .waits(let unanswered) = try device.asksFor("7") else { return #expect(Bool(false)) }
        try device.apply(.peerDisconnected, as: .olga)
        #expect(device.refusal(of: unanswered)?.reason == .noPresenter)
        #expect(try device.asksFor("7") == .other(.limit, what: "asks"))
        #expect(device.states().count == 5 && device.stored.asks.count { _ in true } == 5)
    }

    @Test("nothing of an ask is left two days after it was over, and the journal has its title and not its words")
    func forgotten() throws {
        var device = try Device.withAsks()
        _ = try device.asksFor("secret-words")
        try device.apply(.answerAsk(1, isAllowed: false), as: .olga)
        #expect(device.knows("secret-words"))
        try device.pass(.days(1))
        #expect(!device.knows("secret-words"))
        try device.pass(.days(1))
        #expect(device.stored.asks.isEmpty && device.state.nextDeadline == nil)
        #expect(!device.journal.contains { $0.detail.contains("secret-words") })
        #expect(device.journal.contains { $0.kind == .refused && $0.detail == "ask 1: Open a page, for mia" })
    }

    @Test("a grown-up sees the asks of all, a child only their own, and nobody else any")
    func sight() throws {
        var device = try Device.withAsks()
        _ = try device.asksFor("a")
        _ = try device.asksFor("b", as: .anna)
        #expect(device.state.asks(visibleTo: .olga).map(\.details) == ["a", "b"])
        #expect(device.state.asks(visibleTo: .root).count == 2)
        #expect(device.state.asks(visibleTo: .bensOther).map(\.person) == ["mia"])
        #expect(device.state.asks(visibleTo: .mara).isEmpty)
        try device.apply(.usersChecked(recognized: []), as: .daemon)
        #expect(device.state.asks(visibleTo: .ben).isEmpty)
    }

    @Test("who is no person on the list, shares a user, or is billed to another hears what they heard before")
    func noPerson() throws {
        var device = try Device.withAsks()
        let shared = GatePerson(name: "tv", kind: .shared, user: .init(name: "tv", uid: 1003))
        try device.apply(.setPerson(shared), as: .root)
        try device.recognizeAll()
        let ranged = Peer(connection: 30, uid: 100_001, owner: .user(Peer.ben.uid), pid: 130, roles: .app)
        for peer in [Peer.mara, .store, ranged] {
            #expect(try device.asksFor("a", as: peer) == .other(.noPresenter, what: "grown-up"))
        }
        #expect(device.stored.asks.isEmpty)
    }

    @Test("a program that can't wait is refused as before, and finds a yes all the same")
    func plain() throws {
        var device = try Device.withAsks()
        let plain = Command.authorize(
            AuthorizationRequest(gatedAction: "page.open", details: "a"), presenting: .elsewhere)
        device.refuses(plain, as: .ben, .aborted, .noPresenter)
        #expect(device.stored.asks.isEmpty)
        _ = try device.asksFor("a")
        try device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        #expect(Heard(try device.apply(plain, as: .ben).reply) == .granted)
    }
}
