import CommandSupport
import GateModel
import Testing

@testable import GateCore

@Suite("A guardian elsewhere chooses how much a yes allows, and what kind of no it is (W-03, W-04, W-07)")
struct AskChoicesElsewhereTests {
    private static let halfHour = AskChoice.time(.seconds(1800))

    /// Mia's tablet, where a grown-up who says yes has these choices. She has asked for "https://a.example/".
    private static func tablet(_ choices: [AskChoice] = [.once, .today, .always, .thisSite, halfHour]) throws
        -> HouseholdDevice
    {
        var tablet = try HouseholdDevice.withAsks { configuration in
            configuration.household?.homeAssistant = HouseholdSettings.HomeAssistant(may: [.answer])
            configuration.gatedActions["page.open"]?.requirement = .challenge(
                ChallengeRule(
                    ChallengeSpecification(.confirm, answeredBy: .grownUp, mayWait: .days(3), choices: choices)))
        }
        _ = try tablet.device.asksFor("https://a.example/")
        return tablet
    }

    private func words(_ tablet: HouseholdDevice) throws -> RequestWords { try #require(tablet.told.first) }

    @Test("guardians are told what can be chosen, and what was chosen as long as they can take it back")
    func told() throws {
        for choice in [AskChoice.once, .today, Self.halfHour] {
            var tablet = try Self.tablet()
            let words = try words(tablet)
            #expect(words.ask?.choices == [.once, .today, .always, .thisSite, Self.halfHour] && words.areOfKnownForm)
            #expect(try tablet.hears(true, to: words, choice: choice.text) == nil)
            let allowed = try #require(tablet.told.first?.ask)
            #expect(allowed.isAllowed && allowed.choices == [choice] && allowed.nonce == words.ask?.nonce)
            #expect(tablet.device.state.asks(visibleTo: .ben).map(\.choice) == [choice])
        }
        // Words that are no link have no site.
        var tablet = try Self.tablet([.thisSite, .today])
        _ = try tablet.device.asksFor("beach.jpg")
        #expect(tablet.told.map(\.ask?.choices) == [[.thisSite, .today], [.today]])
    }

    @Test("a yes is worth what the guardian has chosen, and the journal says so in the guardian's name")
    func chosen() throws {
        for choice in [AskChoice.once, .today, .always, .thisSite, Self.halfHour] {
            var tablet = try Self.tablet()
            #expect(try tablet.hears(true, to: words(tablet), choice: choice.text) == nil)
            let entry = tablet.device.journal.last { $0.kind == .answeredRight }
            #expect(entry?.detail.hasSuffix(", \(choice.text)") == true && entry?.actor?.guardian?.name == "Anna")
            #expect(try tablet.device.asksFor("https://a.example/") == .granted)
            let again = try tablet.device.asksFor("https://a.example/")
            #expect(again == (choice == .once ? .asked(2) : .granted), "\(choice)")
            let elsewhere = try tablet.device.asksFor("https://a.example/maps")
            #expect((elsewhere == .granted) == (choice == .thisSite), "\(choice)")
        }
    }

    @Test("an amount begins when the answer arrives, and ends for good: the same answer again gives no more time")
    func amount() throws {
        var tablet = try Self.tablet()
        let words = try words(tablet)
        try tablet.device.pass(.seconds(3600))
        #expect(try tablet.hears(true, to: words, choice: "30m") == nil)
        try tablet.device.pass(.seconds(1799))
        #expect(try tablet.hears(true, to: words, choice: "30m")?.check == .closed)
        #expect(try tablet.device.asksFor("https://a.example/") == .granted)
        try tablet.device.pass(.seconds(2))
        for _ in 0..<2 {
            #expect(try tablet.hears(true, to: words, choice: "30m")?.check == .closed)
            #expect(try tablet.hears(false, to: words)?.check == .closed)
            #expect(tablet.told.isEmpty)
            tablet.device = try tablet.device.restarted(tablet.device.state.configuration)
        }
        #expect(try tablet.device.asksFor("https://a.example/") == .asked(2))
    }

    @Test("what is not offered, what nobody knows, and nothing at all are refused with the choices that there are")
    func notOffered() throws {
        for choice in ["always", "this-site", "45m", "30m ", "ONCE", "forever", "", "until-tomorrow", "0m"] {
            var tablet = try Self.tablet([.once, .today, Self.halfHour])
            let refusal = try tablet.hears(true, to: words(tablet), choice: choice)
            #expect(refusal?.check == .refused, "\(choice)")
            #expect(refusal?.message.contains("once, today, 30m") == true, "\(choice)")
            #expect(tablet.device.states() == [1: .waiting] && tablet.device.stored.keptGrants.isEmpty, "\(choice)")
        }
        // The same question can still be answered.
        var tablet = try Self.tablet([.today])
        #expect(try tablet.hears(true, to: words(tablet))?.check == .refused)
        #expect(try tablet.hears(true, to: words(tablet), choice: "today") == nil)
    }

    @Test("a later no takes back what was allowed for longer, also what guardians are not told any more")
    func laterNo() throws {
        for choice in [AskChoice.once, .today, .always, .thisSite, Self.halfHour] {
            var tablet = try Self.tablet()
            let words = try words(tablet)
            #expect(try tablet.hears(true, to: words, choice: choice.text) == nil)
            #expect(tablet.told.isEmpty == [.always, .thisSite].contains(choice))
            #expect(try tablet.hears(false, to: words) { $0.guardian = .phone } == nil, "\(choice)")
            #expect(tablet.device.stored.keptGrants.isEmpty)
            #expect(try tablet.device.asksFor("https://a.example/") == .refused, "\(choice)")
            #expect(try tablet.hears(true, to: words, choice: choice.text)?.check == .closed)
        }
    }

    @Test("of two guardians' answers for a device that was off, a yes does not survive the other's no, in either order")
    func eitherOrder() throws {
        for isYesFirst in [true, false] {
            var tablet = try Self.tablet()
            let words = try words(tablet)
            for isYes in [isYesFirst, !isYesFirst] {
                _ = try tablet.hears(isYes, to: words, choice: isYes ? "always" : "once") { command in
                    if !isYes { command.guardian = .phone }
                }
            }
            #expect(try tablet.device.asksFor("https://a.example/") == .refused, "\(isYesFirst)")
        }
    }

    @Test(
        "\"not until tomorrow\" from elsewhere refuses everything of this action, and an unknown kind of no is a plain one"
    )
    func untilTomorrow() throws {
        var tablet = try Self.tablet()
        #expect(try tablet.hears(false, to: words(tablet), choice: "until-tomorrow") == nil)
        let entry = tablet.device.journal.last { $0.kind == .refused }
        #expect(entry?.detail.hasSuffix(", not until tomorrow") == true && entry?.actor?.guardian?.name == "Anna")
        #expect(try tablet.device.asksFor("https://b.example/") == .refused)

        var plain = try Self.tablet()
        #expect(try plain.hears(false, to: words(plain), choice: "until-summer") == nil)
        #expect(try plain.device.asksFor("https://b.example/") == .asked(2))
    }

    @Test("a yes for today that arrives when the day is over is refused in words for that")
    func dayIsOver() throws {
        var tablet = try Self.tablet()
        let words = try words(tablet)
        try tablet.device.pass(.days(1))
        let refusal = try tablet.hears(true, to: words, choice: "today") {
            $0.expires = Device.newYear.advanced(by: .days(1))
        }
        #expect(refusal?.check == .expired && refusal?.message.contains("day") == true)
        #expect(tablet.device.states() == [1: .waiting])
    }

    @Test("Home Assistant allows once and for a time, and its no can be until tomorrow; nothing that stays, and no day")
    func homeAssistant() throws {
        for choice in [AskChoice.once, Self.halfHour] {
            var tablet = try Self.tablet()
            let words = try words(tablet)
            try tablet.device.apply(.obeyHomeAssistant(.answer(1, .yes(choice))), as: .carrier)
            #expect(tablet.device.state.asks(visibleTo: .ben).map(\.choice) == [choice])
            // A guardian can take it back.
            #expect(tablet.told.map(\.ask?.choices) == [[choice]])
            #expect(try tablet.hears(false, to: words) == nil)
        }
        for choice in [AskChoice.today, .always, .thisSite] {
            let tablet = try Self.tablet()
            let order = Command.obeyHomeAssistant(.answer(1, .yes(choice)))
            #expect(tablet.device.refusal(order, as: .carrier)?.reason == .notPermitted, "\(choice)")
            #expect(tablet.device.states() == [1: .waiting])
        }
        var tablet = try Self.tablet()
        let other = Command.obeyHomeAssistant(.answer(1, .yes(.time(.seconds(60)))))
        #expect(tablet.device.refusal(other, as: .carrier)?.reason == .invalidRequest)
        try tablet.device.apply(.obeyHomeAssistant(.answer(1, .notUntilTomorrow)), as: .carrier)
        #expect(tablet.device.journal.last?.detail.hasSuffix("for Home Assistant") == true)
        #expect(try tablet.device.asksFor("https://b.example/") == .refused)
    }

    @Test("guardians are told sixteen asks at most: those that wait before those that were allowed")
    func sixteen() throws {
        var tablet = try Self.tablet()
        // One person has five open at a time, so each is allowed for today before the next.
        for number in 1...20 as ClosedRange<UInt64> {
            if number > 1 { #expect(try tablet.device.asksFor("https://a.example/\(number)") == .asked(number)) }
            let words = try #require(tablet.told.first { $0.number == number })
            if number < 20 { #expect(try tablet.hears(true, to: words, choice: "today") == nil) }
        }
        #expect(tablet.told.map(\.number) == Array(5...20))
        #expect(tablet.told.last?.ask?.isAllowed == false)
    }
}
