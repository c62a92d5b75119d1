import GateModel
import GateScreens
import Testing

@Suite("Figures of a month from the journal")
struct MonthFiguresTests {
    private static let hour: Int64 = 3_600_000
    private static let day = 24 * hour
    /// Noon of 10 March 2026, in UTC.
    private static let noon: Int64 = 1_773_144_000_000
    private static let now = WallTime(unixMilliseconds: noon)

    private static func entry(
        _ kind: AuditEntry.Kind, hoursAgo: Double, _ mode: Mode = .child, _ detail: String = ""
    ) -> AuditEntry {
        let time = WallTime(unixMilliseconds: noon - Int64(hoursAgo * Double(hour)))
        return AuditEntry(number: 1, time: time, kind: kind, actor: nil, mode: mode, detail: detail)
    }

    private static func month(_ entries: [AuditEntry], _ clock: LocalClock = .utc) -> [MonthFigures.Day] {
        var figures = MonthFigures()
        figures.came(entries, now: now, clock: clock)
        return figures.days(now: now, clock: clock)
    }

    @Test("the figures cover thirty days, up to today")
    func days() {
        let days = Self.month([])
        #expect(days.count == 30)
        #expect(days.map { "\($0.date)" }.first == "2026-02-09")
        #expect(days.map { "\($0.date)" }.last == "2026-03-10")
        #expect(days.allSatisfy { $0.isEmpty })
    }

    @Test(
        "parent mode counts from its beginning to its end, whatever ends it",
        arguments: [
            AuditEntry.Kind.parentLeft, .locked, .leaseExpired, .overridden,
        ])
    func stay(end: AuditEntry.Kind) {
        let entries = [
            Self.entry(.parentEntered, hoursAgo: 3, .parent, "for 5h"),
            Self.entry(end, hoursAgo: 1, .child, "child: x"),
        ]
        #expect(Self.month(entries)[29].parentTime == .seconds(7200))
    }

    @Test("parent mode over midnight is split between both days")
    func midnight() {
        let entries = [
            Self.entry(.parentEntered, hoursAgo: 13, .parent, "for 5h"), Self.entry(.locked, hoursAgo: 10),
        ]
        let days = Self.month(entries)
        #expect(days[28].parentTime == .seconds(3600))
        #expect(days[29].parentTime == .seconds(7200))
    }

    @Test("parent mode that still lasts counts until now")
    func running() {
        let entries = [
            Self.entry(.parentEntered, hoursAgo: 0.5, .parent, "for 1h"),
            Self.entry(.granted, hoursAgo: 0.25, .parent, "link.open"),
        ]
        #expect(Self.month(entries)[29].parentTime == .seconds(1800))
    }

    @Test("a restart ends parent mode, but no later than its lease if the device was off")
    func restart() {
        let crashed = [
            Self.entry(.parentEntered, hoursAgo: 4, .parent, "for 2h"), Self.entry(.started, hoursAgo: 3.5),
        ]
        #expect(Self.month(crashed)[29].parentTime == .seconds(1800))
        let off = [Self.entry(.parentEntered, hoursAgo: 10, .parent, "for 15m"), Self.entry(.started, hoursAgo: 1)]
        #expect(Self.month(off)[29].parentTime == .seconds(900))
    }

    @Test("an extension and an administrator's override set the end of the lease from their own time on")
    func extended() {
        let extended = [
            Self.entry(.parentEntered, hoursAgo: 10, .parent, "for 15m"),
            Self.entry(.extended, hoursAgo: 9.9, .parent, "for 30m"), Self.entry(.started, hoursAgo: 1),
        ]
        #expect(Self.month(extended)[29].parentTime == .seconds(36 * 60))
        let set = [
            Self.entry(.overridden, hoursAgo: 10, .parent, "parent for 1h: party"), Self.entry(.started, hoursAgo: 1),
        ]
        #expect(Self.month(set)[29].parentTime == .seconds(3600))
    }

    @Test("a clock that was set back gives no negative time, and entries older than the month are left out")
    func clocks() {
        let back = [Self.entry(.parentEntered, hoursAgo: 1, .parent), Self.entry(.locked, hoursAgo: 2)]
        #expect(Self.month(back).allSatisfy { $0.parentTime == .zero })
        let old = [
            Self.entry(.parentEntered, hoursAgo: 24 * 40, .parent), Self.entry(.locked, hoursAgo: 24 * 29 + 11),
            Self.entry(.answeredRight, hoursAgo: 24 * 45), Self.entry(.answeredWrong, hoursAgo: -24 * 3),
        ]
        let days = Self.month(old)
        #expect(days[0].parentTime == .seconds(3600))
        #expect(days.dropFirst().allSatisfy { $0.isEmpty })
    }

    @Test("figures are the same for entries one by one or all at once, and old days are dropped")
    func oneByOne() {
        let entries = [
            Self.entry(.answeredRight, hoursAgo: 50), Self.entry(.parentEntered, hoursAgo: 13, .parent, "for 5h"),
            Self.entry(.answeredWrong, hoursAgo: 12.5, .parent), Self.entry(.locked, hoursAgo: 10),
            Self.entry(.parentEntered, hoursAgo: 1, .parent, "for 5h"),
        ]
        var figures = MonthFigures()
        for entry in entries { figures.came([entry], now: entry.time, clock: .utc) }
        let days = figures.days(now: Self.now, clock: .utc)
        #expect(days == Self.month(entries))
        #expect(days[27].rightAnswers == 1)
        #expect(days[29].parentTime == .seconds(3 * 3600))
        let later = WallTime(unixMilliseconds: Self.noon + 40 * Self.day)
        figures.came([], now: later, clock: .utc)
        #expect(figures.days(now: Self.now, clock: .utc)[27].isEmpty)
    }

    @Test("answers are counted on the device's local day")
    func zones() {
        let entries = [
            Self.entry(.answeredRight, hoursAgo: 11), Self.entry(.answeredWrong, hoursAgo: 11),
            Self.entry(.answeredWrong, hoursAgo: 1), Self.entry(.challengeOpened, hoursAgo: 1),
        ]
        let west = Self.month(entries, LocalClock { _ in -5 * 3600 })
        #expect(west[28].rightAnswers == 1)
        #expect(west[28].wrongAnswers == 1)
        #expect(west[29].wrongAnswers == 1)
        let utc = Self.month(entries)
        #expect(utc[29].rightAnswers == 1)
        #expect(utc[29].wrongAnswers == 2)
    }

    @Test("a day on which the clock goes forward has 23 hours")
    func summerTime() {
        // In Berlin on 29 March 2026, at 01:00 UTC.
        let change: Int64 = 1_774_746_000_000
        let berlin = LocalClock { $0.unixMilliseconds < change ? 3600 : 7200 }
        let midnight = WallTime(unixMilliseconds: change - 2 * Self.hour)
        #expect("\(berlin.day(midnight))" == "2026-03-29")
        let next = berlin.nextMidnight(after: midnight)
        #expect(next.unixMilliseconds - midnight.unixMilliseconds == 23 * Self.hour)
        #expect(berlin.timeOfDay(next) == "00:00")
    }
}
