import GateModel
import GateScreens
import HostileTexts
import Testing

@Suite("The page of questions that wait (W-03, W-06)")
struct QuestionsPageTests {
    private static let anna: UInt32 = 1000
    private static let mia: UInt32 = 1002

    private static func moment(_ uid: UInt32 = anna) -> SettingsMoment {
        SettingsMoment(
            boot: BootTime(nanoseconds: 1_000_000_000_000), wall: WallTime(unixMilliseconds: 1_773_144_000_000),
            clock: .utc, habits: WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ","), languages: ["de"],
            uid: uid, userName: { _ in nil })
    }

    private static func ask(
        _ state: Ask.State = .waiting, id: UInt64 = 12, uid: UInt32 = mia, details: String = "https://example.org/",
        choices: [AskChoice] = [.once]
    ) -> Ask {
        Ask(
            id: id, uid: uid, person: uid == mia ? "Mia" : "Anna", gatedAction: "link.open",
            titles: LocalizedText("Open a web page", [.init(language: "de", text: "Eine Webseite öffnen")]),
            details: details, state: state, ends: WallTime(unixMilliseconds: 1_773_144_000_000 + 3_600_000),
            choices: state == .allowed ? [] : choices, choice: state == .allowed ? .once : nil)
    }

    private static func machine(_ asks: [Ask], people: [GatePerson] = []) -> SettingsStateMachine {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [], asks: asks)
        machine.journalRefused()
        machine.came(\.people, .success(people), generation: machine.generation)
        return machine
    }

    private static func groups(_ asks: [Ask], of uid: UInt32 = anna, people: [GatePerson] = []) -> [SettingsGroup] {
        machine(asks, people: people).page(.questions, at: moment(uid)).groups
    }

    private static func row(_ ask: Ask, of uid: UInt32 = anna, people: [GatePerson] = []) throws -> SettingsRow {
        try #require(groups([ask], of: uid, people: people).flatMap(\.rows).first { $0.id == "\(ask.id)" })
    }

    private static func acts(_ row: SettingsRow) -> [SettingsAct] { row.buttons.map(\.act) }

    private static func actsInside(_ row: SettingsRow) -> [SettingsAct] { row.details.flatMap(\.buttons).map(\.act) }

    private static let yes = SettingsAct.answerAsk(12, .yes(.once))
    private static let no = SettingsAct.answerAsk(12, .no)
    private static let notUntilTomorrow = SettingsAct.answerAsk(12, .notUntilTomorrow)

    @Test("what waits comes first, in the order in which it was asked, and what was answered after it")
    func order() {
        let groups = Self.groups([
            Self.ask(.refused, id: 3), Self.ask(id: 4), Self.ask(.allowed, id: 5), Self.ask(id: 6),
        ])
        #expect(groups.map(\.id) == ["waiting", "answered"])
        #expect(groups.map { $0.rows.map(\.id) } == [["4", "6"], ["3", "5"]])
        #expect(Self.groups([]).map(\.id) == ["waiting"])
        #expect(Self.groups([])[0].rows.map(\.title) == ["Nothing waits for an answer."])
        #expect(groups[0].text == "Open a question to allow it.")
        #expect(Self.groups([Self.ask()], of: Self.mia)[0].text.isEmpty && Self.groups([])[0].text.isEmpty)
    }

    @Test("a no takes one act; a yes takes two, and the second one stands below all words (S-13)")
    func waiting() throws {
        let row = try Self.row(Self.ask())
        #expect(row.title == "Mia asks: Eine Webseite öffnen")
        #expect(row.text == "https://example.org/\nwaits until 13:00")
        #expect(Self.acts(row) == [Self.no])
        #expect(row.buttons[0].spoken == "Not now: Mia: Eine Webseite öffnen, https://example.org/")
        #expect(row.details.map(\.title) == ["https://example.org/", "Once", "Not until tomorrow"])
        #expect(Self.actsInside(row) == [Self.yes, Self.notUntilTomorrow])
        #expect(row.details[1].buttons[0].spoken == "Allow once: Mia: Eine Webseite öffnen, https://example.org/")
        #expect([Self.yes, Self.no].allSatisfy { $0.confirmation == nil })
    }

    @Test("a yes can be taken back until it is used, and a no can become a yes")
    func answered() throws {
        let allowed = try Self.row(Self.ask(.allowed))
        #expect(allowed.text == "https://example.org/\nallowed once, until 13:00")
        #expect(Self.acts(allowed) == [Self.no] && Self.actsInside(allowed).isEmpty)
        #expect(allowed.buttons[0].title == "Take back")
        let refused = try Self.row(Self.ask(.refused))
        #expect(refused.text == "https://example.org/\nrefused; can be asked again from 13:00")
        #expect(Self.acts(refused).isEmpty && Self.actsInside(refused) == [Self.yes])
        let newer = try Self.row(Self.ask(.unrecognized))
        #expect(newer.text == "https://example.org/\nanswered")
        #expect(Self.acts(newer).isEmpty && Self.actsInside(newer).isEmpty)
    }

    @Test(
        "a child sees what became of its own questions, takes them back, and answers none (W-06)",
        arguments: [
            (Ask.State.waiting, "A grown-up has not answered yet. It waits until 13:00.", true),
            (.allowed, "A grown-up said yes. Do the same again: it works once, until 13:00.", true),
            (.refused, "A grown-up said no. You can ask again from 13:00.", false), (.unrecognized, "answered", false),
        ])
    func child(state: Ask.State, text: String, canBeTakenBack: Bool) throws {
        let row = try Self.row(Self.ask(state), of: Self.mia)
        #expect(row.title == "Eine Webseite öffnen" && row.text == "https://example.org/\n\(text)")
        #expect(Self.acts(row) == (canBeTakenBack ? [.withdrawAsk(12)] : []))
        #expect(row.details.isEmpty)
    }

    @Test("what waits on another device names it, and is nobody's own here, whatever the user's number (W-03)")
    func ofOtherDevice() throws {
        var ask = Self.ask()
        ask.device = "Mia's tablet"
        for uid in [Self.anna, Self.mia] {
            let row = try Self.row(ask, of: uid)
            #expect(row.title == "Mia (Mia's tablet) asks: Eine Webseite öffnen")
            #expect(Self.acts(row) == [Self.no] && Self.actsInside(row) == [Self.yes, Self.notUntilTomorrow])
            #expect(Self.machine([ask]).count(of: .questions, at: Self.moment(uid)) == 1)
        }
    }

    @Test("a grown-up takes an own question back, and can say yes to it")
    func ownOfGrownUp() throws {
        let anna = GatePerson(name: "Anna", kind: .grownUp, user: .init(name: "anna", uid: Self.anna))
        let row = try Self.row(Self.ask(uid: Self.anna), people: [anna])
        #expect(Self.acts(row) == [.withdrawAsk(12)] && Self.actsInside(row) == [Self.yes, Self.notUntilTomorrow])
        #expect(try Self.row(Self.ask(uid: Self.anna)).details.isEmpty)
    }

    @Test("the number beside the page counts what others ask and nobody has answered, and goes with the daemon")
    func count() {
        let asks = [
            Self.ask(id: 3), Self.ask(id: 4), Self.ask(.refused, id: 5), Self.ask(.allowed, id: 6),
            Self.ask(id: 7, uid: Self.anna),
        ]
        var machine = Self.machine(asks)
        #expect(machine.count(of: .questions, at: Self.moment()) == 2)
        #expect(SettingsPage.ID.allCases.filter { machine.count(of: $0, at: Self.moment()) > 0 } == [.questions])
        #expect(machine.count(of: .questions, at: Self.moment(Self.mia)) == 1)
        #expect(SettingsWords.waiting(2) == "2 questions wait" && SettingsWords.waiting(0).isEmpty)
        // The daemon says nothing about asks, then that there is one less.
        _ = machine.told(mode: nil, signIn: nil, entitlements: nil, drafts: nil)
        #expect(machine.count(of: .questions, at: Self.moment()) == 2)
        _ = machine.told(mode: nil, signIn: nil, entitlements: nil, drafts: nil, asks: Array(asks.dropFirst()))
        #expect(machine.count(of: .questions, at: Self.moment()) == 1)
        machine.lost(GateError(.unavailable, .unspecified, "There is no daemon."))
        #expect(machine.count(of: .questions, at: Self.moment()) == 0)
        #expect(machine.page(.questions, at: Self.moment()).id == .padlock)
    }

    @Test("while an answer is on its way it can't be given again, and a refusal is said")
    func running() throws {
        var machine = Self.machine([Self.ask()])
        let starts = [machine.began(Self.yes), machine.began(Self.yes)]
        #expect(starts == [true, false])
        let row = machine.page(.questions, at: Self.moment()).groups[0].rows[0]
        #expect(row.details[1].buttons.map(\.isEnabled) == [false] && row.buttons.map(\.isEnabled) == [true])
        machine.ended(Self.yes, GateError(.notFound, .unknown, "It is over."))
        #expect(machine.notice != nil)
    }

    @Test(
        "what a program asks for changes only its own words, and is seen as a whole before a yes",
        arguments: HostileTexts.all)
    func hostile(words: String) throws {
        let row = try Self.row(Self.ask(details: words))
        #expect(row.title == "Mia asks: Eine Webseite öffnen")
        #expect(row.text.split(separator: "\n").count <= 2 && row.text.hasSuffix("waits until 13:00"))
        let texts = [row.text] + row.details.flatMap { [$0.title, $0.text] } + row.buttons.map(\.spoken)
        for text in texts {
            #expect(text.unicodeScalars.allSatisfy { !["\r", "\u{1b}", "\u{7}", "\u{202e}"].contains($0) })
        }
        #expect(row.details.map(\.title).suffix(2) == ["Once", "Not until tomorrow"])
        #expect(Self.actsInside(row) == [Self.yes, Self.notUntilTomorrow])
        #expect(!row.details[0].title.contains("\n"))
    }

    @Test("long words are cut in the row, and whole below it")
    func long() throws {
        let words = String(repeating: "x", count: 200)
        let row = try Self.row(Self.ask(details: words))
        #expect(row.text == String(repeating: "x", count: 160) + "…\nwaits until 13:00")
        #expect(row.details[0].title == words)
        let bare = try Self.row(Self.ask(details: ""))
        #expect(bare.text == "waits until 13:00" && bare.details.map(\.id) == ["once", "not-until-tomorrow"])
    }

    @Test(
        "\"not until tomorrow\" stands below the choices, says what it is for, and is told to the child in these words (W-07)"
    )
    func untilTomorrow() throws {
        let row = try Self.row(Self.ask())
        let last = try #require(row.details.last)
        #expect(last.text == "Mia can't ask again before tomorrow: Eine Webseite öffnen")
        #expect(last.buttons[0].spoken == "Not until tomorrow: Mia: Eine Webseite öffnen, https://example.org/")
        #expect(Self.notUntilTomorrow.confirmation == nil)

        var refused = Self.ask(.refused)
        refused.isUntilTomorrow = true
        #expect(try Self.row(refused).text == "https://example.org/\nnot until tomorrow, 13:00")
        #expect(Self.actsInside(try Self.row(refused)) == [Self.yes])
        #expect(
            try Self.row(refused, of: Self.mia).text
                == "https://example.org/\nA grown-up said: not until tomorrow. You can ask for this again from 13:00.")
    }

    @Test("that another device has not taken an answer is said beside the question, also if that is over (W-03)")
    func notTaken() throws {
        var waiting = Self.ask()
        (waiting.device, waiting.refusal) = ("Mia's tablet", "It offers these: once.")
        let row = try Self.row(waiting)
        #expect(
            row.text == "https://example.org/\nwaits until 13:00\nYour answer did not count: It offers these: once.")
        #expect(Self.actsInside(row) == [Self.yes, Self.notUntilTomorrow])

        var closed = Self.ask(.closed, choices: [])
        (closed.device, closed.refusal) = ("Mia's tablet", "It was\u{202e} answered.")
        let over = try Self.row(closed)
        #expect(over.text.hasPrefix("https://example.org/\nover\nYour answer did not count: "))
        #expect(!over.text.contains("\u{202e}") && Self.acts(over).isEmpty && over.details.isEmpty)
        #expect(Self.machine([closed]).count(of: .questions, at: Self.moment()) == 0)
    }
}
