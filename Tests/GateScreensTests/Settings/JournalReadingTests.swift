import GateModel
import GateScreens
import GateTexts
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

    @Test("it is read in pages, the newest first; new entries join the first one")
    func pages() {
        var journal = JournalReading()
        journal.came((1...120).map { Self.entry($0, .granted, uid: 1) })
        #expect(Self.numbers(journal) == Array((71...120).reversed()).map(UInt64.init))
        #expect(journal.shown(Self.moment).hasOlder)
        journal.came([Self.entry(121, .granted, uid: 1)])
        #expect(Self.numbers(journal).first == 121)
        journal.turned(by: 1)
        journal.turned(by: 1)
        #expect(Self.numbers(journal) == Array((1...21).reversed()).map(UInt64.init))
        #expect(!journal.shown(Self.moment).hasOlder)
        journal.turned(by: -5)
        #expect(journal.page == 0)
    }

    @Test("it is filtered by subject, by user and by time, from the first page on")
    func filters() {
        var journal = JournalReading()
        journal.came([
            Self.entry(1, .started, uid: nil, hoursAgo: 24 * 40), Self.entry(2, .granted, uid: 7, hoursAgo: 24 * 20),
            Self.entry(3, .answeredWrong, uid: 8, hoursAgo: 24 * 3), Self.entry(4, .locked, uid: 7, hoursAgo: 13),
            Self.entry(5, .parentEntered, uid: 8, hoursAgo: 11),
        ])
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

    @Test("it keeps no more than the daemon does, and those that are the newest")
    func limit() {
        var journal = JournalReading()
        journal.came((1...JournalReading.maximumEntries).map { Self.entry($0, .granted, uid: 1) })
        journal.came((1...1001).map { Self.entry(JournalReading.maximumEntries + $0, .granted, uid: 1) })
        #expect(journal.entries.count == JournalReading.maximumEntries)
        #expect(journal.entries.last?.number == UInt64(JournalReading.maximumEntries + 1001))
    }

    @Test("each kind of entry has words and a subject", arguments: AuditEntry.Kind.allCases)
    func words(kind: AuditEntry.Kind) throws {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        _ = machine.journalCame([Self.entry(1, kind, uid: 1)])
        let page = machine.page(.journal, at: Self.moment)
        let row = try #require(page.groups.last?.rows.first)
        #expect(row.title.contains(" ") && row.title != kind.rawValue)
        #expect(kind.subject != .all)
    }

    @Test("the plot says in words what it shows")
    func plot() throws {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        _ = machine.journalCame([
            Self.entry(1, .answeredRight, uid: 1, hoursAgo: 1), Self.entry(2, .answeredWrong, uid: 1, hoursAgo: 1),
            Self.entry(3, .answeredWrong, uid: 1, hoursAgo: 30),
        ])
        let plot = try #require(machine.page(.journal, at: Self.moment).groups.first?.plot)
        #expect(plot.spoken == "In the last 30 days: parent mode for 0 seconds; answers: 1 right, 2 wrong.")
        #expect(plot.table.map(\.title) == ["2026-03-10", "2026-03-09"])
        #expect(plot.bars.suffix(2).map(\.rightAnswers) == [0, 0.5])
        #expect(plot.bars.suffix(2).map(\.wrongAnswers) == [0.5, 0.5])
        #expect(plot.bars.allSatisfy { $0.parentTime == 0 })
    }

    @Test("the places of the lists make a filter; a place that is not there makes none")
    func choices() throws {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        _ = machine.journalCame([Self.entry(1, .locked, uid: 7)])
        let choices = try #require(machine.page(.journal, at: Self.moment).groups.last?.filter)
        #expect(choices.chosen(subject: 1, period: 2, user: 1) == JournalFilter(subject: .mode, period: .week, user: 7))
        #expect(choices.chosen(subject: 99, period: -1, user: 0) == JournalFilter())
    }
}
