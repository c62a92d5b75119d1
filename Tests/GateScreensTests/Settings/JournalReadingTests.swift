import GateModel
import GateScreens
import GateTexts
import Synchronization
import Testing

@Suite("The journal in the window for grown-ups")
struct JournalReadingTests {
    private static let now: Int64 = 1_773_144_000_000
    private static let moment = SettingsMoment(
        boot: BootTime(nanoseconds: 0), wall: WallTime(unixMilliseconds: now), clock: .utc,
        habits: WritingHabits(dateFormat: "%Y-%m-%d", decimalSeparator: "."), uid: 0, userName: { _ in nil })

    private static func entry(_ number: Int, _ kind: AuditEntry.Kind, uid: UInt32?, hoursAgo: Int64 = 0) -> AuditEntry {
        AuditEntry(
            number: UInt64(number), time: WallTime(unixMilliseconds: now - hoursAgo * 3_600_000), kind: kind,
            actor: uid.map { AuditEntry.Actor(uid: $0, pid: 1) }, mode: .child, detail: "")
    }

    private static func numbers(_ journal: JournalReading) -> [UInt64] { journal.shown(moment).entries.map(\.number) }

    @Test("the journal is shown in pages with the newest first, and new entries are added to the first page")
    func pages() {
        var journal = JournalReading()
        journal.came((1...120).map { Self.entry($0, .granted, uid: 1) }, at: Self.moment)
        #expect(Self.numbers(journal) == Array((71...120).reversed()).map(UInt64.init))
        #expect(journal.shown(Self.moment).hasOlder)
        journal.came([Self.entry(121, .granted, uid: 1)], at: Self.moment)
        #expect(Self.numbers(journal).first == 121)
        journal.turned(by: 1)
        journal.turned(by: 1)
        #expect(Self.numbers(journal) == Array((1...21).reversed()).map(UInt64.init))
        #expect(!journal.shown(Self.moment).hasOlder)
        journal.turned(by: -5)
        #expect(journal.page == 0)
    }

    @Test("the journal is filtered by subject, by user and by time, from the first page on")
    func filters() {
        var journal = JournalReading()
        journal.came(
            [
                Self.entry(1, .started, uid: nil, hoursAgo: 24 * 40),
                Self.entry(2, .granted, uid: 7, hoursAgo: 24 * 20),
                Self.entry(3, .answeredWrong, uid: 8, hoursAgo: 24 * 3), Self.entry(4, .locked, uid: 7, hoursAgo: 13),
                Self.entry(5, .parentEntered, uid: 8, hoursAgo: 11),
            ], at: Self.moment)
        journal.turned(by: 3)
        func shown(_ filter: JournalFilter) -> [UInt64] {
            journal.filterChanged(to: filter)
            #expect(journal.page == 0)
            return Self.numbers(journal)
        }
        #expect(shown(JournalFilter(subject: .mode)) == [5, 4])
        #expect(shown(JournalFilter(user: 7)) == [4, 2])
        #expect(shown(JournalFilter(period: .today)) == [5])
        #expect(shown(JournalFilter(period: .week)) == [5, 4, 3])
        #expect(shown(JournalFilter(period: .month)) == [5, 4, 3, 2])
        #expect(shown(JournalFilter(subject: .mode, period: .week, user: 8)) == [5])
        #expect(journal.users == [7, 8])
    }

    @Test("a period begins at midnight, also if the clock was changed since")
    func clockChange() {
        // Berlin's clock was changed on 29 March 2026, at 01:00 UTC. It is noon of 2 April, and the last seven days
        // began with 27 March.
        let (change, hour): (Int64, Int64) = (1_774_746_000_000, 3_600_000)
        var moment = Self.moment
        moment.wall = WallTime(unixMilliseconds: change + (4 * 24 + 9) * hour)
        moment.clock = LocalClock { $0.unixMilliseconds < change ? 3600 : 7200 }
        var journal = JournalReading()
        let weekStart = change - 50 * hour
        journal.came(
            [weekStart - 1, weekStart].enumerated().map { index, time in
                var entry = Self.entry(index, .granted, uid: 1)
                entry.time = WallTime(unixMilliseconds: time)
                return entry
            }, at: moment)
        journal.filterChanged(to: JournalFilter(period: .week))
        #expect(journal.shown(moment).entries.map(\.number) == [1])
    }

    @Test("the window keeps at most as many entries as the daemon, and keeps the newest")
    func limit() {
        var journal = JournalReading()
        journal.came((1...JournalReading.maximumEntries).map { Self.entry($0, .granted, uid: 1) }, at: Self.moment)
        journal.came(
            (1...1001).map { Self.entry(JournalReading.maximumEntries + $0, .granted, uid: 1) }, at: Self.moment)
        #expect(journal.entries.count == JournalReading.maximumEntries)
        #expect(journal.entries.last?.number == UInt64(JournalReading.maximumEntries + 1001))
    }

    @Test("the list of users has those with entries, up to a limit")
    func users() {
        var journal = JournalReading()
        journal.came([9, 7, 8, 7].map { Self.entry(1, .granted, uid: $0) }, at: Self.moment)
        #expect(journal.users == [7, 8, 9])
        // All of those before are forgotten; a program may use many numbers.
        journal.came(
            (0..<JournalReading.maximumEntries).map { Self.entry($0 + 2, .granted, uid: UInt32(100 + $0 % 600)) },
            at: Self.moment)
        #expect(journal.users.prefix(3) == [7, 8, 9])
        journal.came((0...1000).map { Self.entry($0, .granted, uid: 100) }, at: Self.moment)
        #expect(journal.users == (0..<UInt32(JournalReading.maximumUsers)).map { 100 + $0 })
    }

    @Test("however fast entries come, their parts are read again at most once a second")
    func pace() {
        func at(_ milliseconds: Int) -> BootTime {
            BootTime(nanoseconds: 0).advanced(by: .milliseconds(milliseconds))
        }
        var pace = JournalPace()
        #expect(pace.taken(at: at(0)) == nil)
        pace.came([.gates])
        #expect(pace.taken(at: at(0)) == [.gates])
        #expect(pace.due == nil)
        for _ in 1...3 {
            pace.came([.gates])
            pace.came([.lockouts])
            #expect(pace.taken(at: at(999)) == nil)
        }
        #expect(pace.due == at(1000))
        #expect(pace.taken(at: at(1000)) == [.gates, .lockouts])
        #expect(pace.due == nil)
        #expect(pace.taken(at: at(5000)) == nil)
        // Entries that change nothing else are still drawn.
        pace.came([])
        #expect(pace.taken(at: at(5000)) == [])
    }

    @Test("a journal that breaks off is read again after a pause that grows until reading has lasted")
    func retry() {
        var retry = RetryPause()
        let pauses = (1...8).map { _ in retry.next(afterLasting: .seconds(1)) }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        let afterLong = retry.next(afterLasting: .seconds(60))
        #expect(afterLong == .seconds(1))
        let afterShort = retry.next(afterLasting: .seconds(59))
        #expect(afterShort == .seconds(2))
    }

    @Test("the name of a user is looked up once, until users may have changed")
    func names() {
        let lookups = Mutex(0)
        let names = UserNames { uid in
            lookups.withLock { $0 += 1 }
            return uid == 1 ? "anna" : nil
        }
        for _ in 1...100 {
            #expect(names.name(of: 1) == "anna")
            #expect(names.name(of: 2) == nil)
        }
        #expect(lookups.withLock { $0 } == 2)
        names.forget()
        #expect(names.name(of: 1) == "anna")
        #expect(lookups.withLock { $0 } == 3)
    }

    @Test("each kind of entry has words and a subject", arguments: AuditEntry.Kind.allCases)
    func words(kind: AuditEntry.Kind) throws {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        _ = machine.journalCame([Self.entry(1, kind, uid: 1)], at: Self.moment)
        let page = machine.page(.journal, at: Self.moment)
        let row = try #require(page.groups.last?.rows.first)
        #expect(row.title.contains(" ") && row.title != kind.rawValue)
        #expect(kind.subject != .all)
    }

    @Test("the plot has its contents as words too")
    func plot() throws {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        _ = machine.journalCame(
            [
                Self.entry(1, .answeredRight, uid: 1, hoursAgo: 1), Self.entry(2, .answeredWrong, uid: 1, hoursAgo: 1),
                Self.entry(3, .answeredWrong, uid: 1, hoursAgo: 30),
            ], at: Self.moment)
        let plot = try #require(machine.page(.journal, at: Self.moment).groups.first?.plot)
        #expect(plot.spoken == "In the last 30 days: parent mode for 0 seconds; answers: 1 right, 2 wrong.")
        #expect(plot.table.map(\.title) == ["2026-03-10", "2026-03-09"])
        #expect(plot.bars.suffix(2).map(\.rightAnswers) == [0, 0.1])
        #expect(plot.bars.suffix(2).map(\.wrongAnswers) == [0.1, 0.1])
        #expect(plot.bars.allSatisfy { $0.parentTime == 0 })
    }

    @Test("a second of parent mode is a low bar, and the longest day has the full height")
    func scale() throws {
        func bar(_ seconds: Int64) throws -> Double? {
            let stay = [(seconds, AuditEntry.Kind.parentEntered, Mode.parent), (0, .locked, .child)]
            var machine = SettingsStateMachine()
            _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
            _ = machine.journalCame(
                stay.enumerated().map { place, event in
                    AuditEntry(
                        number: UInt64(place + 1), time: WallTime(unixMilliseconds: Self.now - event.0 * 1000),
                        kind: event.1, actor: nil, mode: event.2, detail: "")
                }, at: Self.moment)
            return try #require(machine.page(.journal, at: Self.moment).groups.first?.plot).bars.last?.parentTime
        }
        #expect(try bar(1) == 1.0 / 600)
        #expect(try bar(300) == 0.5)
        #expect(try bar(1200) == 1)
    }

    @Test("the chosen places of the lists make a filter, and an invalid place is ignored")
    func choices() throws {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        _ = machine.journalCame([Self.entry(1, .locked, uid: 7)], at: Self.moment)
        let choices = try #require(machine.page(.journal, at: Self.moment).groups.last?.filter)
        #expect(choices.chosen(subject: 1, period: 2, user: 1) == JournalFilter(subject: .mode, period: .week, user: 7))
        #expect(choices.chosen(subject: 99, period: -1, user: 0) == JournalFilter())
    }

    @Test("the lists show the filter that is set, and everybody for a user without entries")
    func places() throws {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        _ = machine.journalCame([Self.entry(1, .locked, uid: 7)], at: Self.moment)
        for (filter, places) in [
            (JournalFilter(), [0, 0, 0]), (JournalFilter(subject: .mode, period: .week, user: 7), [1, 2, 1]),
            (JournalFilter(user: 8), [0, 0, 0]),
        ] {
            machine.filterChanged(to: filter)
            #expect(machine.page(.journal, at: Self.moment).groups.last?.filter?.places == places)
        }
    }
}
