import GateModel
import GateScreens
import Testing

@Suite("The page of the time that was used (Z-06)")
struct TimePageTests {
    private static let mia: UInt32 = 1002
    /// 2026-11-25, a Wednesday, at noon.
    private static let wednesday: Int64 = 20_782
    private static let noon = WallTime(unixMilliseconds: (wednesday * 24 + 12) * 3_600_000)

    private static func moment(_ uid: UInt32 = 1000) -> SettingsMoment {
        SettingsMoment(
            boot: BootTime(nanoseconds: 1_000_000_000_000), wall: noon, clock: .utc,
            habits: WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ","), languages: ["de"], uid: uid,
            userName: { $0 == 1003 ? "gast" : nil })
    }

    private static let games = UsedTime.Subject.allowance("games")

    /// - Parameter daysAgo: 0 is today, which has as much left as `left` says.
    private static func used(
        _ subject: UsedTime.Subject = games, of person: String = "Mia", uid: UInt32 = mia, daysAgo: Int64 = 0,
        minutes: Int, left: Int? = nil, isRunning: Bool = false
    ) -> UsedTime {
        UsedTime(
            person: person, uid: uid, subject: subject, day: UsageDay.date(of: wednesday - daysAgo),
            used: .seconds(minutes * 60), left: left.map { .seconds($0 * 60) }, isToday: daysAgo == 0,
            isRunning: isRunning)
    }

    /// An hour of games on weekdays, two on Saturdays, none on Sundays.
    private static let gates = [
        gate(
            "game.play", "Spielen",
            .any([
                .parentMode,
                .allowance(
                    Allowance("games", secondsOfDays: [3600, 3600, 3600, 3600, 3600, 7200], dayStart: 240)),
            ])),
        gate("film.watch", "Filme", .allowance(Allowance("films", secondsOfWeek: 3 * 3600))),
        gate("book.read", "Lesen", .parentMode),
    ]

    private static func gate(_ name: String, _ title: String, _ requirement: Requirement) -> GateFacts {
        let titles = LocalizedText(name, [.init(language: "de", text: title)])
        let summary = GatedActionSummary(name: name, title: titles, requirement: "as the daemon says it", keep: nil)
        return GateFacts(
            summary, outlook: nil, rule: GateRule(gatedAction: summary, strength: nil, requirement: requirement))
    }

    private static func machine(_ times: [UsedTime], gates: [GateFacts] = gates) -> SettingsStateMachine {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        machine.came(\.gates, .success(gates), generation: machine.generation)
        machine.came(\.usage, .success(times), generation: machine.generation)
        return machine
    }

    private static func groups(_ times: [UsedTime], gates: [GateFacts] = gates) -> [SettingsGroup] {
        machine(times, gates: gates).page(.time, at: moment()).groups
    }

    @Test("each person's things are told one by one: today in words, and a bar for each of seven days")
    func groups() throws {
        let groups = Self.groups([
            Self.used(.allowance("films"), minutes: 0, left: 180), Self.used(daysAgo: 3, minutes: 90),
            Self.used(minutes: 40, left: 20, isRunning: true),
            Self.used(.gatedAction("book.read"), daysAgo: 6, minutes: 5),
            Self.used(of: "Otto", uid: 1004, minutes: 65, left: 0),
        ])
        #expect(groups.map(\.title) == ["Mia: Films", "Mia: Games", "Mia: Lesen", "Otto: Games"])
        #expect(
            groups.map(\.text) == [
                "Not used today, 3 hours left.", "40 minutes used today, 20 minutes left. It is being used now.",
                "Not used today.", "1 hour 5 minutes used today, nothing left.",
            ])
        #expect(groups.map { $0.week == nil } == [true, false, false, false])
        #expect(groups.allSatisfy { $0.rows.isEmpty && $0.buttons.isEmpty })
        let bars = try #require(groups[1].week).bars
        #expect(bars.map(\.day) == ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Today"])
        #expect(bars.map(\.figure) == ["–", "–", "–", "1:30", "–", "–", "0:40"])
        #expect(bars.map(\.used) == [0, 0, 0, 0.75, 0, 0, 40.0 / 120])
        #expect(bars.map(\.allowed) == [0.5, 0.5, 1, 0, 0.5, 0.5, 0.5])
        #expect(groups[1].week?.allowed == "time allowed")
    }

    @Test("a screen reader is told each bar with its day, what was used and what is allowed")
    func spoken() throws {
        let plot = try #require(Self.groups([Self.used(daysAgo: 4, minutes: 125), Self.used(minutes: 40)]).first?.week)
        #expect(
            plot.bars.map(\.spoken) == [
                "Thursday, 19.11.2026: not used, 1 hour allowed", "Friday, 20.11.2026: not used, 1 hour allowed",
                "Saturday, 21.11.2026: 2 hours 5 minutes, 2 hours allowed",
                "Sunday, 22.11.2026: not used, no time allowed",
                "Monday, 23.11.2026: not used, 1 hour allowed", "Tuesday, 24.11.2026: not used, 1 hour allowed",
                "Wednesday, 25.11.2026: 40 minutes, 1 hour allowed",
            ])
        let free = try #require(Self.groups([Self.used(.gatedAction("book.read"), minutes: 1)]).first?.week)
        #expect(free.bars.last?.spoken == "Wednesday, 25.11.2026: 1 minute")
        #expect(free.allowed.isEmpty && free.bars.allSatisfy { $0.allowed == nil })
    }

    @Test("a week's limit has no line, and nor has an allowance whose rules are not known")
    func withoutLine() {
        let films = UsedTime.Subject.allowance("films")
        for (subject, gates) in [(films, Self.gates), (Self.games, [])] {
            let plot = Self.groups([Self.used(subject, minutes: 10, left: 5)], gates: gates).first?.week
            #expect(plot?.allowed == "" && plot?.bars.allSatisfy { $0.allowed == nil } == true)
            #expect(plot?.bars.last?.used == 1)
        }
    }

    @Test(
        "today is told in whole minutes, as gatectl usage does",
        arguments: [
            (2459, 1140, "40 minutes used today, 19 minutes left."),
            (30, 3570, "30 seconds used today, 59 minutes left."),
            (3600, 0, "1 hour used today, nothing left."), (0, 0, "There is no time for this today."),
            (0, 60, "Not used today, 1 minute left."), (0, nil, "Not used today."), (61, nil, "1 minute used today."),
        ] as [(Int, Int?, String)])
    func words(used: Int, left: Int?, expected: String) {
        var time = Self.used(minutes: 0)
        (time.used, time.left) = (.seconds(used), left.map { .seconds($0) })
        #expect(Self.groups([time]).map(\.text) == [expected])
    }

    @Test("a person who is no longer on the list is called by the user's name, and words of others stay one line")
    func names() {
        let long = String(repeating: "<b>\u{202E}x</b>\n", count: 3)
        let titles = Self.groups([
            Self.used(of: "", uid: 1003, minutes: 1), Self.used(of: "", uid: 1005, minutes: 1),
            Self.used(of: long, uid: 1006, minutes: 1),
        ]).map(\.title)
        #expect(titles.prefix(2) == ["gast: Games", "user 1005: Games"])
        #expect(!titles[2].contains("\n") && !titles[2].contains("\u{202E}"))
        #expect(Self.groups([Self.used(.gatedAction("gone"), minutes: 1)]).map(\.title) == ["Mia: gone"])
    }

    @Test("a day that begins later, or a clock that was set back, does not hide what is counted now")
    func otherDay() {
        // After midnight, the day of yesterday goes on until four.
        let night = Self.used(daysAgo: 0, minutes: 30, left: 30)
        var late = night
        late.day = UsageDay.date(of: Self.wednesday - 1)
        #expect(Self.groups([late]).first?.week?.bars.map(\.day).suffix(2) == ["Mon", "Today"])
        var ahead = night
        ahead.day = UsageDay.date(of: Self.wednesday + 400)
        #expect(Self.groups([ahead]).first?.week?.bars.last?.figure == "0:30")
    }

    @Test("nothing used, a failure and a daemon that does not count are told apart")
    func nothing() {
        let none = Self.groups([])
        #expect(none.flatMap(\.rows).map(\.title) == ["No time was used."] && none[0].week == nil)
        var machine = Self.machine([])
        let lost = GateError(.unavailable, .unspecified, "There is no daemon.")
        machine.came(\.usage, .failure(lost), generation: machine.generation)
        #expect(machine.page(.time, at: Self.moment()).groups.flatMap(\.rows).map(\.title) == ["There is no daemon."])
        machine.came(
            \.usage, .failure(GateError(.unimplemented, .notBuilt, "Not built.")), generation: machine.generation)
        #expect(!machine.pages.contains(.time) && machine.page(.time, at: Self.moment()).id == .padlock)
    }

    @Test("what the watch tells of today makes the week be fetched again, and bars that appear are a new group")
    func changes() {
        var machine = Self.machine([Self.used(minutes: 0, left: 60)])
        let parts = machine.told(
            mode: nil, signIn: nil, entitlements: nil, drafts: nil, usage: [Self.used(minutes: 1, left: 59)])
        #expect(parts == [.usage])
        let before = machine.page(.time, at: Self.moment()).groups.map(\.id)
        machine.came(
            \.usage, .success([Self.used(minutes: 1, left: 59)]), generation: machine.generation)
        #expect(machine.page(.time, at: Self.moment()).groups.map(\.id) != before)
    }
}
