import GateModel
import GateScreens
import HostileTexts
import Testing

@Suite("The page of age ranges (Y-01)")
struct AgesPageTests {
    /// 2026-11-25 and 2026-06-30, at noon.
    private static let november = WallTime(unixMilliseconds: (20_782 * 24 + 12) * 3_600_000)
    private static let june = WallTime(unixMilliseconds: (20_634 * 24 + 12) * 3_600_000)
    private static let anna = GatePerson(
        name: "Anna", kind: .grownUp, user: GatePerson.UnixUser(name: "anna", uid: 1000))

    private static func moment(_ uid: UInt32 = 1000, _ wall: WallTime = november) -> SettingsMoment {
        SettingsMoment(
            boot: BootTime(nanoseconds: 1_000_000_000_000), wall: wall, clock: .utc,
            habits: WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ","), uid: uid, userName: { _ in nil })
    }

    private static func app(
        _ app: String = "org.example.chat", of person: String = "Mia", _ choice: AgeChoice = .ask,
        isWaiting: Bool = false
    ) -> AgeApp {
        AgeApp(person: person, app: app, choice: choice, isWaiting: isWaiting)
    }

    private static let waiting = app(isWaiting: true)

    /// The window of Anna, who is a grown-up, or of somebody else who may see the list in parent mode.
    private static func machine(_ apps: [AgeApp], isOn: Bool = true, gates: [Int] = [13, 16, 18])
        -> SettingsStateMachine
    {
        var machine = SettingsStateMachine()
        let settings = AgeSettings(isOn: isOn, gates: gates)
        _ = machine.told(
            mode: .closed, signIn: .closed, entitlements: .closed, drafts: [],
            ages: AgeState(settings: settings, waiting: apps.filter(\.isWaiting)))
        machine.journalRefused()
        machine.came(\.people, .success([anna]), generation: machine.generation)
        machine.came(\.ages, .success(AgeFacts(settings, apps)), generation: machine.generation)
        return machine
    }

    private static func groups(
        _ apps: [AgeApp], isOn: Bool = true, gates: [Int] = [13, 16, 18], at moment: SettingsMoment = moment()
    ) -> [SettingsGroup] {
        machine(apps, isOn: isOn, gates: gates).page(.ages, at: moment).groups
    }

    private static func buttons(_ groups: [SettingsGroup]) -> [SettingsButton] {
        groups.flatMap(\.rows).flatMap { $0.buttons + $0.details.flatMap(\.buttons) }
    }

    @Test("one row turns age ranges on and off, below what apps hear; another one has the ages")
    func settings() {
        let off = AgeSettings(isOn: false), on = AgeSettings(isOn: true)
        let groups = Self.groups([], isOn: false)
        #expect(groups.map(\.id) == ["settings"])
        #expect(
            groups[0].text == "Apps may ask how old your child is. They hear only “13 to 15”, never the birthday.")
        #expect(
            groups[0].rows.map(\.title) == [
                "Apps are told no ages", "12 or younger, 13 to 15, 16 to 17, 18 or older",
            ])
        #expect(Self.buttons(groups).map(\.act) == [.setAges(on), .open(.ages(off))])
        let turnedOn = Self.groups([])
        #expect(turnedOn.map(\.id) == ["settings", "none"])
        #expect(turnedOn[0].rows[0].title == "Apps can be told an age range")
        #expect(Self.buttons(turnedOn).map(\.act) == [.setAges(off), .open(.ages(on))])
        #expect(Self.groups([], gates: [16])[0].text.contains("“16 or older”"))
    }

    @Test("what waits comes first: a no takes one act, and a yes two")
    func waitingApp() {
        let groups = Self.groups([Self.app("org.example.draw", of: "Mia", .always), Self.waiting])
        #expect(groups.map(\.title) == ["", "Waiting", "Mia"])
        #expect(groups.map { !$0.text.isEmpty } == [true, true, false])
        let row = groups[1].rows[0]
        #expect(row.title == "“org.example.chat”" && row.text == "Asks how old Mia is.")
        #expect(row.buttons.map(\.act) == [.chooseAge(.notNow, app: "org.example.chat", person: "Mia")])
        #expect(row.buttons.map(\.spoken) == ["Not now: “org.example.chat”, Mia"])
        #expect(
            row.details.flatMap(\.buttons).map(\.act)
                == [AgeChoice.always, .forNow, .never].map { .chooseAge($0, app: "org.example.chat", person: "Mia") })
        #expect(row.details.flatMap(\.buttons).map(\.title) == ["Always", "Now only", "Never"])
    }

    @Test(
        "an app that was answered says what it is told, and unfolds into every other choice",
        arguments: [
            (AgeChoice.ask, "asks a grown-up"), (.always, "is always told"), (.never, "is never told"),
            (.forNow, "is told until the half-year ends"), (.notNow, "is not told until the half-year ends"),
        ])
    func answered(choice: AgeChoice, text: String) {
        let row = Self.groups([Self.app("org.example.chat", of: "Mia", choice)])[1].rows[0]
        #expect(row.title == "“org.example.chat”" && row.text == text && row.buttons.isEmpty)
        let others = [AgeChoice.always, .forNow, .notNow, .never, .ask].filter { $0 != choice }
        #expect(
            row.details.flatMap(\.buttons).map(\.act)
                == others.map { .chooseAge($0, app: "org.example.chat", person: "Mia") })
    }

    @Test("a choice for now says on which day it ends", arguments: [(november, "31.12.2026"), (june, "30.06.2026")])
    func end(wall: WallTime, date: String) {
        let details = Self.groups([Self.app("org.example.chat", of: "Mia", .always)], at: Self.moment(1000, wall))[1]
            .rows[0].details
        #expect(
            details.map(\.title).prefix(2) == [
                "It is told the age range until \(date). Then a grown-up is asked again.",
                "It is told nothing until \(date). Then a grown-up is asked again.",
            ])
    }

    @Test("each person has a heading, and what was chosen stays in sight while age ranges are off")
    func people() {
        let apps = [
            Self.app("a", of: "Ben", .always), Self.app("b", of: "Ben", .ask), Self.app("a", of: "Mia", .never),
        ]
        for isOn in [true, false] {
            let groups = Self.groups(apps, isOn: isOn)
            #expect(groups.map(\.title) == ["", "Ben", "Mia"])
            #expect(groups.map { $0.rows.map(\.title) }.dropFirst() == [["“a”", "“b”"], ["“a”"]])
            #expect(groups[0].rows[0].text.contains("counts again") == !isOn)
        }
    }

    @Test("who is no grown-up has nothing to press, and who may not see the list has no such page")
    func others() {
        let apps = [Self.app("org.example.draw", of: "Mia", .always), Self.waiting]
        #expect(Self.buttons(Self.groups(apps, at: Self.moment(1002))).isEmpty)
        var machine = Self.machine(apps)
        #expect(machine.pages.contains(.ages))
        let denied = GateError(.permissionDenied, .notPermitted, "Only grown-ups.")
        machine.came(\.ages, .failure(denied), generation: machine.generation)
        #expect(!machine.pages.contains(.ages))
    }

    @Test("the number in the list of pages is that of the apps that wait, which the daemon tells only grown-ups")
    func count() {
        var machine = Self.machine([Self.app("a", of: "Mia", .always), Self.app("b", isWaiting: true), Self.waiting])
        #expect(SettingsPage.ID.allCases.filter { machine.count(of: $0, at: Self.moment()) == 2 } == [.ages])
        let none = AgeState(settings: AgeSettings(gates: []), waiting: [])
        let parts = machine.told(mode: nil, signIn: nil, entitlements: nil, drafts: nil, ages: none)
        #expect(parts == [.ages] && machine.count(of: .ages, at: Self.moment()) == 0)
    }

    @Test("an app's name stands alone in its line, whatever it says", arguments: HostileTexts.all)
    func hostile(words: String) {
        let row = Self.groups([Self.app(words, isWaiting: true)])[1].rows[0]
        #expect(row.title.hasPrefix("“") && row.title.hasSuffix("”") && !row.title.contains("\n"))
        #expect(row.text == "Asks how old Mia is." && row.buttons.map(\.title) == ["Not now"])
        #expect(row.buttons[0].act == .chooseAge(.notNow, app: words, person: "Mia"))
    }

    @Test("the dialog takes one to three ages, and says what is wrong with others")
    func dialog() throws {
        let dialog = SettingsDialog.ages(AgeSettings(isOn: true, gates: [13, 16]))
        #expect(dialog.initial() == [.ages: "13, 16"])
        func request(_ text: String) throws(SettingsDialog.Mistake) -> SettingsDialog.Request {
            try dialog.request(SettingsDialog.Filled(texts: [.ages: text]))
        }
        for text in ["12, 15, 18", " 12 15 18 ", "12;15;18", "12、15、18"] {
            #expect(try request(text) == .setAges(AgeSettings(isOn: true, gates: [12, 15, 18])))
        }
        for text in ["", "13, 14", "18, 13", "1", "26", "4, 8, 12, 16", "13, x", "-13"] {
            #expect(throws: SettingsDialog.Mistake.self) { try request(text) }
        }
    }
}
