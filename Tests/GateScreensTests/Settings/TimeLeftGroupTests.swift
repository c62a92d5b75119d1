import GateModel
import GateScreens
import Testing

@Suite("How much time a child has left today, on the page of questions (Z-02, Z-04, W-06)")
struct TimeLeftGroupTests {
    private typealias Times = TimesOfBen

    /// One o'clock. The page is Ben's own, if nobody else is named.
    private static func moment(_ uid: UInt32 = Times.ben) -> SettingsMoment {
        SettingsMoment(
            boot: BootTime(nanoseconds: 1_000_000_000_000), wall: Times.minutes(60), clock: .utc,
            habits: WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ","), languages: ["en"], uid: uid,
            userName: { _ in nil })
    }

    private static func gate(
        _ name: String = "game.play", title: LocalizedText = "Play",
        _ requirement: Requirement = .allowance(Allowance("games")), more: [AskChoice] = []
    ) -> GateFacts {
        let summary = GatedActionSummary(name: name, title: title, requirement: "", keep: nil, moreTime: more)
        return GateFacts(
            summary, outlook: AuthorizationOutlook(.granted),
            rule: GateRule(gatedAction: summary, strength: nil, requirement: requirement))
    }

    private static func machine(
        _ times: [UsedTime], _ gates: [GateFacts] = [gate()], schedules: [ScheduleState] = [], asks: [Ask] = [],
        people: [GatePerson] = []
    ) -> SettingsStateMachine {
        var machine = SettingsStateMachine()
        _ = machine.told(
            mode: .closed, signIn: .closed, entitlements: .closed, drafts: [], asks: asks, usage: times,
            schedules: schedules)
        machine.journalRefused()
        machine.came(\.gates, .success(gates), generation: machine.generation)
        machine.came(\.people, .success(people), generation: machine.generation)
        return machine
    }

    private static func group(_ machine: SettingsStateMachine, of uid: UInt32 = Times.ben) -> SettingsGroup? {
        machine.page(.questions, at: moment(uid)).groups.first { $0.id == "time" }
    }

    @Test(
        "the time that is left is said in words",
        arguments: [
            (3600, "1 hour left today"), (2159, "35 minutes left today"), (45, "45 seconds left today"),
            (0, "used up for today"),
        ])
    func left(seconds: Int, text: String) throws {
        let group = try #require(Self.group(Self.machine([Times.used(seconds, isRunning: false)])))
        #expect(group.title == "Time today" && group.rows.map(\.title) == ["Games"])
        #expect(group.rows.map(\.text) == [text] && group.rows[0].buttons.isEmpty)
        let running = try #require(Self.group(Self.machine([Times.used(seconds)])))
        #expect(running.rows.map(\.text) == ["\(text), being used now"])
    }

    @Test("it stands above the questions, and only one's own time of today that is limited does")
    func own() {
        let times = [
            Times.used(60, uid: 1003), Times.used(nil, .gatedAction("web.surf")), Times.used(60, isToday: false),
            Times.used(600, .allowance("school-films")), Times.used(300),
        ]
        let machine = Self.machine(times)
        #expect(machine.page(.questions, at: Self.moment()).groups.map(\.id) == ["time", "waiting"])
        #expect(Self.group(machine)?.rows.map(\.title) == ["School films", "Games"])
        #expect(Self.group(machine, of: 1000) == nil)
        #expect(Self.group(Self.machine([])) == nil)
    }

    @Test("more time is asked for with one press, for each gated action that offers it")
    func moreTime() throws {
        let (play, race) = (Self.gate(more: [.today]), Self.gate("game.race", title: "Race", more: [.today]))
        let one = try #require(Self.group(Self.machine([Times.used(0)], [play]))?.rows.first)
        #expect(one.buttons.map(\.title) == ["More time"] && one.buttons[0].spoken == "More time: Play")
        #expect(one.buttons.map(\.act) == [.askMoreTime("game.play")] && one.buttons[0].act.confirmation == nil)
        let both = try #require(Self.group(Self.machine([Times.used(0)], [play, race]))?.rows.first)
        #expect(both.buttons.map(\.title) == ["More time: Play", "More time: Race"])
        // It is asked already.
        let asked = Self.machine([Times.used(0)], [play, race], asks: [Times.moreTime(.waiting)])
        #expect(Self.group(asked)?.rows.first?.buttons.map(\.act) == [.askMoreTime("game.race")])
        // After a yes. To ask again would only find the same yes, up to its last five minutes.
        let allowed = Self.machine(
            [Times.used(0)], [play], asks: [Times.moreTime(.allowed, until: Times.minutes(90))])
        #expect(Self.group(allowed)?.rows.first?.text == "used up for today, being used now, more time until 13:30")
        #expect(Self.group(allowed)?.rows.first?.buttons == [])
    }

    @Test("it can be asked for again in the last five minutes of a yes, or in the second half of a shorter one")
    func again() throws {
        func canAsk(until minutes: Int, _ choice: AskChoice) -> Bool {
            var yes = Times.moreTime(.allowed, until: Times.minutes(minutes))
            yes.choice = choice
            let machine = Self.machine([Times.used(0)], [Self.gate(more: [.today])], asks: [yes])
            return Self.group(machine)?.rows.first?.buttons.map(\.act) == [.askMoreTime("game.play")]
        }
        #expect(!canAsk(until: 66, .time(.seconds(1800))) && canAsk(until: 65, .time(.seconds(1800))))
        #expect(!canAsk(until: 66, .today) && canAsk(until: 65, .today))
        #expect(!canAsk(until: 63, .time(.seconds(240))) && canAsk(until: 62, .time(.seconds(240))))
        // The page is drawn anew then.
        let yes = Times.moreTime(.allowed, until: Times.minutes(90))
        let machine = Self.machine([Times.used(0)], [Self.gate(more: [.today])], asks: [yes])
        #expect(
            machine.nextRedraw(of: .questions, at: Self.moment())
                == Self.moment().boot.advanced(by: .seconds(25 * 60)))
        #expect(machine.nextRedraw(of: .questions, at: Self.moment(1000)) == nil)
    }

    @Test("where hours alone stand before something that offers more time, a child is told these")
    func hours() throws {
        let schedule = Schedule("after-school")
        let gates = [
            Self.gate("web.surf", title: "Surf", .all([.during(schedule), .parentMode]), more: [.today]),
            Self.gate("web.read", title: "Read", .during(schedule)),
        ]
        func text(_ state: ScheduleState) -> String? {
            Self.group(Self.machine([], gates, schedules: [state]))?.rows.map { "\($0.title): \($0.text)" }
                .joined(separator: "; ")
        }
        #expect(
            text(ScheduleState(name: "after-school", isOpen: true, until: Times.minutes(420)))
                == "Surf: open until 19:00")
        #expect(
            text(ScheduleState(name: "after-school", isOpen: false, until: Times.minutes(420)))
                == "Surf: closed until 19:00")
        #expect(text(ScheduleState(name: "after-school", isOpen: true, until: nil)) == "Surf: open now")
        #expect(text(ScheduleState(name: "after-school", isOpen: false, until: nil)) == "Surf: closed now")
        let anna = GatePerson(name: "Anna", kind: .grownUp, user: .init(name: "anna", uid: 1000))
        #expect(Self.group(Self.machine([], gates, people: [anna]), of: 1000) == nil)
    }

    @Test("while more time is being asked for it can't be asked again, and a refusal is said")
    func running() {
        var machine = Self.machine([Times.used(0)], [Self.gate(more: [.today])])
        let starts = [machine.began(.askMoreTime("game.play")), machine.began(.askMoreTime("game.play"))]
        #expect(starts == [true, false])
        #expect(Self.group(machine)?.rows[0].buttons.map(\.isEnabled) == [false])
        machine.ended(.askMoreTime("game.play"), GateError(.resourceExhausted, .limit, "It was asked too often."))
        #expect(machine.notice != nil && Self.group(machine)?.rows[0].buttons.map(\.isEnabled) == [true])
    }

    // MARK: What is asked

    private static func row(_ ask: Ask, of uid: UInt32) throws -> SettingsRow {
        let groups = machine([], [], asks: [ask]).page(.questions, at: moment(uid)).groups
        return try #require(groups.flatMap(\.rows).first { $0.id == "7" })
    }

    @Test("a grown-up chooses an amount, sees when it would end, and what a yes does")
    func answer() throws {
        var ask = Times.moreTime(.waiting, until: Times.minutes(120))
        ask.choices = [.time(.seconds(900)), .time(.seconds(3600)), .today]
        ask.details = "15m"
        let row = try Self.row(ask, of: 1000)
        #expect(row.title == "Ben asks: More time: Play" && row.text == "For 15 minutes\nwaits until 14:00")
        #expect(row.details.map(\.title) == ["For 15 minutes", "For 1 hour", "Today", "Not until tomorrow"])
        let reach = "For that long, Ben's time does not run out. Everything else is asked as before."
        #expect(row.details.map(\.text).dropLast() == ["until 13:15\n\(reach)", "until 14:00", ""])
        #expect(
            row.details.flatMap(\.buttons).map(\.act)
                == ask.choices.map { .answerAsk(7, .yes($0)) } + [.answerAsk(7, .notUntilTomorrow)])
        // A minute later it would end a minute later.
        let machine = Self.machine([], [], asks: [ask])
        #expect(
            machine.nextRedraw(of: .questions, at: Self.moment(1000))
                == Self.moment().boot.advanced(by: .seconds(60)))
        ask.choices = [.today]
        #expect(Self.machine([], [], asks: [ask]).nextRedraw(of: .questions, at: Self.moment(1000)) == nil)
    }

    @Test("a child sees what became of the question for more time")
    func child() throws {
        let end = Times.minutes(375)
        #expect(try Self.row(Times.moreTime(.waiting, until: end), of: Times.ben).title == "More time: Play")
        var allowed = Times.moreTime(.allowed, until: end)
        allowed.choice = .time(.seconds(1800))
        let row = try Self.row(allowed, of: Times.ben)
        #expect(row.text == "A grown-up said yes. You have more time until 18:15.")
        #expect(try Self.row(allowed, of: 1000).text == "allowed for 30 minutes, until 18:15")
        #expect(
            try Self.row(Times.moreTime(.refused, until: end), of: Times.ben).text
                == "A grown-up said no. You can ask again from 18:15.")
    }
}
