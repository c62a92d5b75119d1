import CommandSupport
import GateModel
import Testing

@testable import GateCore

extension Configuration {
    /// As `asks`, with every kind of choice for one gated action.
    static let choices = {
        var configuration = asks
        configuration.gatedActions["page.open"]?.requirement = .challenge(
            ChallengeRule(
                ChallengeSpecification(
                    .confirm, answeredBy: .grownUp, mayWait: .days(3),
                    choices: [.once, .today, .always, .thisSite, .time(.seconds(1800))])))
        return configuration
    }()
}

extension Device {
    static let link = "https://a.org/x"

    /// Mia has asked for the link, and Olga has said yes with this choice.
    static func allowed(_ choice: AskChoice?, _ configuration: Configuration = .choices) throws -> Device {
        var device = try Device.withAsks(configuration)
        _ = try device.asksFor(link)
        try device.apply(.answerAsk(1, .yes(choice)), as: .olga)
        return device
    }

    /// Whether a program that can't wait gets through now.
    mutating func passes(
        _ details: String = link, of gatedAction: String = "page.open", as peer: Peer = .ben
    ) throws -> Bool {
        let request = AuthorizationRequest(gatedAction: gatedAction, details: details)
        do throws(GateError) {
            return Heard(try apply(.authorize(request, presenting: .elsewhere), as: peer).reply) == .granted
        } catch {
            // Nobody's screen shows the question, or another condition is missing.
            guard [.noPresenter, .notParent].contains(error.reason) else { throw error }
            return false
        }
    }

    /// How many of so many tries in a row get through.
    mutating func passes(of tries: Int) throws -> Int { try (1...tries).count { _ in try passes() } }

    var answers: [KeptGrant.Yes] { stored.keptGrants.compactMap(\.value.yes) }
}

@Suite("A yes is as much as a grown-up has chosen (W-04)")
struct AskChoiceTests {
    /// Every choice besides `once`, and how long it holds; `nil`: until it is taken back. The day begins at `newYear`.
    static let lasting: [(AskChoice, Duration?)] = [
        (.today, .days(1)), (.always, nil), (.thisSite, nil), (.time(.seconds(1800)), .seconds(1800)),
    ]

    @Test(
        "a yes for longer lets the same through any number of times, up to its end and no longer",
        arguments: AskChoiceTests.lasting)
    func uses(choice: AskChoice, end: Duration?) throws {
        var device = try Device.allowed(choice)
        let ask = try #require(device.state.asks(visibleTo: .ben).first)
        #expect(ask.state == .allowed && ask.choice == choice && ask.choices.isEmpty && ask.details == Device.link)
        #expect(ask.ends == end.map { Device.newYear.advanced(by: $0) })
        for peer in [Peer.ben, .bensOther, .ben] { #expect(try device.passes(as: peer)) }
        try device.pass((end ?? .days(5000)) - .milliseconds(1))
        #expect(try device.passes())
        try device.pass(.milliseconds(1))
        #expect(try device.passes() == (end == nil))
        #expect(device.states() == (end == nil ? [1: .allowed] : [:]))
        #expect(device.state.records == device.stored)
    }

    @Test("a yes for once holds for three days, and an answer that names no choice means the first")
    func first() throws {
        var device = try Device.allowed(nil)
        #expect(device.state.asks(visibleTo: .ben).map(\.choice) == [.once])
        #expect(device.state.asks(visibleTo: .ben).map(\.ends) == [Device.newYear.advanced(by: .days(3))])
        #expect(try device.passes(of: 2) == 1)

        var configuration = Configuration.asks
        configuration.gatedActions["page.open"]?.requirement = .challenge(
            ChallengeRule(
                ChallengeSpecification(.confirm, answeredBy: .grownUp, mayWait: .days(3), choices: [.today, .once])))
        device = try Device.allowed(nil, configuration)
        #expect(try device.passes(of: 2) == 2)
    }

    @Test("an ask lists what the policy offers, and a site for links alone")
    func offered() throws {
        var device = try Device.withAsks(.choices)
        _ = try device.asksFor(Device.link)
        _ = try device.asksFor("https://a.org@evil.org/")
        _ = try device.asksFor("a", of: "page.save")
        let half = AskChoice.time(.seconds(1800))
        let choices = device.state.asks(visibleTo: .olga).map(\.choices)
        #expect(
            choices == [[.once, .today, .always, .thisSite, half], [.once, .today, .always, half], [.once, .today]])
        try device.apply(.answerAsk(1, .no), as: .olga)
        #expect(device.state.asks(visibleTo: .olga).first?.choices.count == 5)
    }

    @Test("they outlive the daemon and the device")
    func restarted() throws {
        for (choice, end) in Self.lasting {
            var device = try Device.allowed(choice).restarted(.choices)
            #expect(try device.passes())
            device = try device.restarted(rebooted: true, .choices)
            #expect(try device.passes())
            try device.pass(end ?? .days(1000))
            #expect(try device.passes() == (end == nil))
        }
    }

    @Test("if the call that asked is open, it gets its grant at once, and a yes for longer is kept besides")
    func openCall() throws {
        for choice in [AskChoice.once, .today, .always] {
            var device = try Device.withAsks(.choices)
            try device.apply(.register(.everything), as: .olga)
            guard case .waits(let wait) = try device.asksFor(Device.link) else { return #expect(Bool(false)) }
            try device.apply(.answerAsk(1, .yes(choice)), as: .root)
            #expect(Heard(device.reply(to: wait)) == .granted)
            #expect(device.state.queue.open.isEmpty)
            #expect(device.states() == (choice == .once ? [:] : [1: .allowed]))
            try device.apply(.peerDisconnected, as: .olga)
            #expect(try device.passes() == (choice != .once))
        }
    }

    @Test("of two yeses to the same words one that counts is found, and one for once is not used up in vain")
    func twoYeses() throws {
        var device = try Device.allowed(.always)
        // By the clock, the yes is given only in a minute.
        device.wallTime = Device.newYear.advanced(by: .seconds(-60))
        #expect(try device.asksFor(Device.link) == .asked(2))
        try device.apply(.answerAsk(2, .yes(.once)), as: .olga)
        #expect(try device.passes(of: 2) == 1)

        device = try Device.allowed(.once)
        device.wallTime = Device.newYear.advanced(by: .seconds(-60))
        #expect(try device.asksFor(Device.link) == .asked(2))
        try device.apply(.answerAsk(2, .yes(.always)), as: .olga)
        device.wallTime = Device.newYear
        #expect(try device.passes(of: 2) == 2)
        #expect(device.states() == [1: .allowed, 2: .allowed])
    }

    @Test("a yes for a site answers the person's other questions about it, also one on a screen, and no others")
    func otherLinks() throws {
        var device = try Device.withAsks(.choices)
        for link in [Device.link, "https://a.org/y", "https://b.org/"] { _ = try device.asksFor(link) }
        _ = try device.asksFor("https://a.org/y", as: .anna)
        try device.apply(.register(.everything), as: .olga)
        guard case .waits(let wait) = try device.asksFor("https://a.org/z") else { return #expect(Bool(false)) }
        try device.apply(.answerAsk(1, .yes(.thisSite)), as: .root)
        #expect(Heard(device.reply(to: wait)) == .granted && device.state.queue.open.isEmpty)
        #expect(device.states() == [1: .allowed, 3: .waiting, 4: .waiting])
        #expect(device.state.records == device.stored && !device.knows("https://a.org/z"))
        let answered = device.journal.filter { $0.kind == .answeredRight }.map(\.detail)
        #expect(answered == [2, 5, 1].map { "ask \($0): Open a page, for mia, this-site" })
    }

    @Test("whatever ends a yes for once ends one for longer, and leaves nothing")
    func ends() throws {
        let events: [(String, (inout Device) throws -> Void)] = [
            ("no", { try $0.apply(.answerAsk(1, .no), as: .root) }),
            ("withdrawn", { try $0.apply(.withdrawAsk(1), as: .ben) }),
            (
                "another policy",
                { device in
                    var configuration = Configuration.choices
                    configuration.gatedActions["page.open"]?.titles = "Open any page"
                    try device.apply(.configure(configuration, detail: ""), as: .root)
                }
            ),
            ("other choices", { try $0.apply(.configure(.asks, detail: ""), as: .root) }),
            ("the person is taken off the list", { try $0.apply(.removePerson(name: "mia"), as: .root) }),
            ("a backup is restored", { try $0.apply(.control(.restore($0.stored, detail: "")), as: .root) }),
        ]
        for (choice, _) in Self.lasting {
            for (name, happens) in events {
                var device = try Device.allowed(choice)
                try happens(&device)
                #expect(device.answers.isEmpty, "\(name), \(choice)")
                #expect(device.states() == (name == "no" ? [1: .refused] : [:]), "\(name), \(choice)")
                #expect(device.knows("a.org") == (name == "no"), "\(name), \(choice)")
                #expect(try !device.passes(), "\(name), \(choice)")
                #expect(device.state.records == device.stored)
                try device.pass(.days(2))
                #expect(device.stored.asks.isEmpty && device.state.nextDeadline == nil, "\(name), \(choice)")
                #expect(!device.knows("a.org"))
            }
        }
    }

    @Test("a yes that lasts meets its own condition alone, and is not answered twice")
    func condition() throws {
        var configuration = Configuration.choices
        let permission = try #require(configuration.gatedActions["page.open"]?.requirement)
        configuration.gatedActions["page.open"]?.requirement = .all([.parentMode, permission])
        var device = try Device.withAsks(configuration)
        try device.enterParentMode(as: .anna)
        guard case .asked(let number) = try device.asksFor(Device.link) else { return #expect(Bool(false)) }
        try device.apply(.answerAsk(number, .yes(.always)), as: .olga)
        device.refuses(.answerAsk(number, .yes(.today)), as: .olga, .notFound, .unknown)
        #expect(try device.passes())
        try device.apply(.lock, as: .anna)
        #expect(try !device.passes())
    }

    @Test("a check, which uses nothing up, counts every choice but once, and the other links of a site (W-08)")
    func checked() throws {
        for choice in [AskChoice.once] + Self.lasting.map(\.0) {
            let device = try Device.allowed(choice)
            for (details, isCounted) in [
                (Device.link, choice != .once), ("https://a.org/y", choice == .thisSite),
                ("https://a.org@evil.org/", false),
                ("", false),
            ] {
                let outlook = device.state.outlook(of: "page.open", details: details, for: .ben, at: device.now)
                #expect((outlook.outcome == .granted) == isCounted, "\(choice), \(details)")
            }
        }
    }

    @Test("the journal says which choice was made, and never the words")
    func journal() throws {
        let device = try Device.allowed(.thisSite)
        let entries = device.journal.filter { $0.kind == .answeredRight }
        #expect(entries.map(\.detail) == ["ask 1: Open a page, for mia, this-site"])
        #expect(!device.journal.contains { $0.detail.contains("a.org") })
    }

    @Test("a gate that offers more choices asks less than before")
    func comparison() throws {
        let gates = [Configuration.asks, .choices].compactMap { $0.gatedActions["page.open"] }
        #expect(GateComparison.asks(gates[0], atLeast: gates[1]))
        #expect(!GateComparison.asks(gates[1], atLeast: gates[0]))
    }
}
