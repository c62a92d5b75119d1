import GateModel
import GateScreens
import Testing

@Suite("What a grown-up can choose on the page of questions (W-04)")
struct QuestionChoicesTests {
    private static func row(_ ask: Ask, of uid: UInt32 = 1000) throws -> SettingsRow {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [], asks: [ask])
        machine.journalRefused()
        machine.came(\.people, .success([]), generation: machine.generation)
        let moment = SettingsMoment(
            boot: BootTime(nanoseconds: 1_000_000_000_000), wall: WallTime(unixMilliseconds: 1_773_144_000_000),
            clock: .utc, habits: WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ","), languages: ["en"],
            uid: uid, userName: { _ in nil })
        return try #require(machine.page(.questions, at: moment).groups.flatMap(\.rows).first { $0.id == "12" })
    }

    private static func ask(
        _ state: Ask.State, details: String = "https://a.org/x", ends: Bool = true, choices: [AskChoice] = [],
        choice: AskChoice? = nil
    ) -> Ask {
        Ask(
            id: 12, uid: 1002, person: "Mia", gatedAction: "link.open", titles: "Open a web page", details: details,
            state: state, ends: ends ? WallTime(unixMilliseconds: 1_773_144_000_000 + 3_600_000) : nil,
            choices: choices, choice: choice)
    }

    @Test("each choice has a row and a button of its own, and above them stands who can make use of a yes")
    func choices() throws {
        let offered: [AskChoice] = [.once, .today, .thisSite, .always, .time(.seconds(1800)), .unrecognized]
        let row = try Self.row(Self.ask(.waiting, choices: offered))
        #expect(
            row.details.map(\.id) == ["words", "once", "today", "this-site", "always", "30m", "not-until-tomorrow"])
        #expect(row.details[0].text == "Exactly this\nAny program that Mia runs can use it.")
        #expect(
            row.details.map(\.title).dropFirst() == [
                "Once", "Today", "Always on this site", "Always", "For 30 minutes", "Not until tomorrow",
            ])
        #expect(row.details.map(\.text).dropFirst().dropLast() == ["", "", "https://a.org", "", "until 12:30"])
        #expect(
            row.details.flatMap(\.buttons).map(\.act)
                == offered.dropLast().map { .answerAsk(12, .yes($0)) } + [.answerAsk(12, .notUntilTomorrow)])
        #expect(row.details[2].buttons[0].spoken == "Allow (Today): Mia: Open a web page, https://a.org/x")
        let bare = try Self.row(Self.ask(.waiting, details: "", choices: [.once, .today]))
        #expect(bare.details.map(\.text).dropLast() == ["Any program that Mia runs can use it.", ""])
    }

    @Test(
        "what was chosen is said, to the grown-up and to the child",
        arguments: [
            (AskChoice.once, "allowed once, until 13:00", "Do the same again: it works once, until 13:00."),
            (.today, "allowed today, until 13:00", "You can do this until 13:00."),
            (.time(.seconds(1800)), "allowed for 30 minutes, until 13:00", "You can do this until 13:00."),
            (.always, "allowed always", "You can always do this."),
            (.thisSite, "always allowed on https://a.org", "You can always open https://a.org."),
        ])
    func allowed(choice: AskChoice, state: String, ownState: String) throws {
        let ask = Self.ask(.allowed, ends: ![.always, .thisSite].contains(choice), choice: choice)
        #expect(try Self.row(ask).text == "https://a.org/x\n\(state)")
        #expect(try Self.row(ask).details.isEmpty)
        #expect(try Self.row(ask, of: 1002).text == "https://a.org/x\nA grown-up said yes. \(ownState)")
    }
}
