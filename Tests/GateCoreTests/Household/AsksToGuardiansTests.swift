import CommandSupport
import GateModel
import Testing

@testable import GateCore

extension HouseholdDevice {
    /// Mia's tablet, where questions may wait for three days. Nobody can show a question there.
    static func withAsks(_ change: (inout Configuration) -> Void = { _ in }) throws -> HouseholdDevice {
        var configuration = Configuration.asks
        configuration.household = .ofTablet
        change(&configuration)
        var tablet = try HouseholdDevice(list: nil)
        tablet.device = try Device.withAsks(configuration)
        try tablet.device.apply(.applyList(.millers(expires: .max)), as: .carrier)
        return tablet
    }

    /// What guardians are told.
    var told: [RequestWords] { device.state.requestsForGuardians.map(\.words) }

    /// Anna's answer to an ask, as the broker brings it, with what the test changes.
    @discardableResult
    mutating func hears(
        _ isApproved: Bool, to words: RequestWords, choice: String = AskEcho.once,
        _ change: (inout GuardianCommand) -> Void = { _ in }
    ) throws -> CommandResult.Refusal? {
        let echo = AskEcho(nonce: words.ask?.nonce ?? [], choice: choice)
        return try obey(.answer(RequestAnswer(number: words.number, ask: echo, isApproved: isApproved))) { command in
            command.challenge = []
            command.expires = words.ask?.until ?? command.expires
            change(&command)
        }
    }
}

@Suite("A question that waits is answered by a guardian elsewhere (W-03)")
struct AsksToGuardiansTests {
    private var tablet: HouseholdDevice

    init() throws {
        tablet = try .withAsks()
    }

    private mutating func asks(_ details: String = "a") throws -> RequestWords {
        _ = try tablet.device.asksFor(details)
        return try #require(tablet.told.last)
    }

    @Test("guardians are told who asks, for what, until when, and a nonce that no other ask has")
    mutating func told() throws {
        let first = try asks()
        #expect(first.number == 1 && first.asked.title == "Open a page" && first.asked.details == "a")
        #expect(first.ask?.person == "mia" && first.ask?.isAllowed == false)
        #expect(first.ask?.until == Device.newYear.advanced(by: .days(3)))
        #expect(first.areOfKnownForm)
        let second = try asks("b")
        #expect(second.ask?.nonce.count == HouseholdAsk.nonceByteCount && second.ask?.nonce != first.ask?.nonce)
        // The nonce is stored, so a guardian's answer counts after a restart, too.
        tablet.device = try tablet.device.restarted(rebooted: true, tablet.device.state.configuration)
        #expect(tablet.told == [first, second])
    }

    @Test("guardians are told nothing without a guardian elsewhere, and nothing of an ask from before an upgrade")
    mutating func notTold() throws {
        let words = try asks()
        var list = SignedHouseholdList.millers(2, expires: .max)
        for index in list.list.members.indices { list.list.members[index].guardian = nil }
        var alone = tablet
        try alone.device.apply(.applyList(list), as: .carrier)
        #expect(alone.told.isEmpty)

        var stored = tablet.device.stored
        stored.asks[words.number]?.nonce = []
        tablet.device = Device(stored, configuration: tablet.device.state.configuration)
        #expect(tablet.told.isEmpty)
    }

    @Test("while the call is open, guardians are told its question, and afterwards the ask under the same number")
    mutating func afterTheCall() throws {
        try tablet.device.apply(.reachBroker(true), as: .carrier)
        guard case .waits(let wait) = try tablet.device.asksFor("a") else {
            Issue.record("nobody shows it")
            return
        }
        #expect(tablet.told.map(\.number) == [1] && tablet.told[0].ask == nil)
        try tablet.device.turn(by: .seconds(181))
        #expect(Heard(tablet.device.settled[wait]?.first) == .asked(1))
        #expect(tablet.told.map(\.number) == [1] && tablet.told[0].ask?.person == "mia")
        #expect(try tablet.hears(true, to: tablet.told[0]) == nil)
        #expect(try tablet.device.asksFor("a") == .granted)
    }

    @Test("a yes lets the same words pass once, in the guardian's name, and is told until it is used")
    mutating func allowed() throws {
        let words = try asks()
        #expect(try tablet.hears(true, to: words) == nil)
        let entry = tablet.device.journal.last { $0.kind == .answeredRight }
        #expect(entry?.actor?.guardian?.name == "Anna" && entry?.detail.contains("mia") == true)
        #expect(tablet.told.map(\.ask?.isAllowed) == [true] && tablet.told[0].ask?.nonce == words.ask?.nonce)
        #expect(tablet.device.states() == [1: .allowed])
        #expect(try tablet.device.asksFor("a") == .granted)
        #expect(tablet.told.isEmpty)
        #expect(try tablet.device.asksFor("a") == .asked(2))
    }

    /// Mia's tablet after Mia has asked, where a grown-up who says yes has these choices.
    private static func offering(_ choices: [AskChoice]) throws -> HouseholdDevice {
        var tablet = try HouseholdDevice.withAsks { configuration in
            configuration.household?.homeAssistant = HouseholdSettings.HomeAssistant(may: [.answer])
            configuration.gatedActions["page.open"]?.requirement = .challenge(
                ChallengeRule(
                    ChallengeSpecification(.confirm, answeredBy: .grownUp, mayWait: .days(3), choices: choices)))
        }
        _ = try tablet.device.asksFor("a")
        return tablet
    }

    @Test("a yes from elsewhere without a choice is for once, also where the policy's first choice is another one")
    func once() throws {
        for isHomeAssistant in [true, false] {
            var tablet = try Self.offering([.always, .today, .once])
            let words = try #require(tablet.told.first)
            if isHomeAssistant {
                try tablet.device.apply(.obeyHomeAssistant(.answer(1, isApproved: true)), as: .carrier)
            } else {
                #expect(try tablet.hears(true, to: words) == nil)
            }
            #expect(tablet.device.state.asks(visibleTo: .ben).map(\.choice) == [.once])
            #expect(try tablet.device.asksFor("a") == .granted)
            #expect(try tablet.device.asksFor("a") == .asked(2))
        }
    }

    @Test("a yes for longer is told to no other device, and no other device takes it back or shortens it")
    func lasting() throws {
        for choice in [AskChoice.today, .always] {
            var tablet = try Self.offering([.once, .today, .always])
            let words = try #require(tablet.told.first)
            try tablet.device.apply(.answerAsk(1, .yes(choice)), as: .olga)
            #expect(tablet.told.isEmpty)
            for isApproved in [true, false] {
                #expect(try tablet.hears(isApproved, to: words)?.check == .closed)
            }
            #expect(try tablet.device.asksFor("a") == .granted)
            #expect(try tablet.device.asksFor("a") == .granted)
        }
    }

    @Test("a later no takes back a yes that was not used; a no to a waiting ask refuses the same words for a day")
    mutating func refused() throws {
        let words = try asks()
        #expect(try tablet.hears(true, to: words) == nil)
        #expect(try tablet.hears(false, to: words) { $0.guardian = .phone } == nil)
        #expect(tablet.device.stored.keptGrants.isEmpty)
        #expect(try tablet.device.asksFor("a") == .refused)
        #expect(tablet.device.journal.last { $0.kind == .refused }?.actor?.guardian?.name == "Tom")
        #expect(tablet.told.isEmpty)

        let other = try asks("b")
        #expect(try tablet.hears(false, to: other) == nil)
        #expect(try tablet.device.asksFor("b") == .refused)
    }

    /// What can become of an ask before the answer arrives.
    enum Fate: CaseIterable {
        case waiting, allowed, refused, used, withdrawn, expired, allowedAfterNo
    }

    @Test("each answer in each state of the ask", arguments: Fate.allCases)
    mutating func each(fate: Fate) throws {
        let words = try asks()
        switch fate {
        case .waiting: break
        case .allowed: try tablet.device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        case .refused: try tablet.device.apply(.answerAsk(1, isAllowed: false), as: .olga)
        case .used:
            try tablet.device.apply(.answerAsk(1, isAllowed: true), as: .olga)
            #expect(try tablet.device.asksFor("a") == .granted)
        case .withdrawn: try tablet.device.apply(.withdrawAsk(1), as: .ben)
        case .expired:
            try tablet.device.pass(.days(3))
            try tablet.device.turn(by: .seconds(1))
        case .allowedAfterNo:
            try tablet.device.apply(.answerAsk(1, isAllowed: false), as: .olga)
            try tablet.device.apply(.answerAsk(1, isAllowed: true), as: .olga)
        }
        let before = tablet.device.stored.asks
        for isApproved in [true, false] {
            var other = tablet
            let check = try other.hears(isApproved, to: words)?.check
            switch (fate, isApproved) {
            case (.waiting, _), (.allowed, false): #expect(check == nil, "\(isApproved)")
            case (.expired, _): #expect(check == .expired, "\(isApproved)")
            case (_, _):
                #expect(check == .closed, "\(isApproved)")
                #expect(other.device.stored.asks == before)
            }
        }
    }

    @Test("Home Assistant says yes once or no to an ask by its number, and to nothing that was allowed already")
    func homeAssistant() throws {
        for isApproved in [true, false] {
            var tablet = try HouseholdDevice.withAsks {
                $0.household?.homeAssistant = HouseholdSettings.HomeAssistant(may: [.answer])
            }
            _ = try tablet.device.asksFor("a")
            let order = Command.obeyHomeAssistant(.answer(1, isApproved: isApproved))
            try tablet.device.apply(order, as: .carrier)
            #expect(tablet.device.journal.last?.detail.hasSuffix("for Home Assistant") == true)
            #expect(tablet.device.refusal(order, as: .carrier)?.reason == .closed)
            #expect(
                tablet.device.refusal(.obeyHomeAssistant(.answer(1, isApproved: false)), as: .carrier)?.reason
                    == .closed)
            #expect(try tablet.device.asksFor("a") == (isApproved ? .granted : .refused))
        }
        var tablet = try HouseholdDevice.withAsks()
        _ = try tablet.device.asksFor("a")
        #expect(
            tablet.device.refusal(.obeyHomeAssistant(.answer(1, isApproved: true)), as: .carrier)?.reason
                == .notPermitted)
    }
}
