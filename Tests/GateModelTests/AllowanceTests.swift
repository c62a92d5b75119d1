import GateModel
import Testing

@Suite("Days and weeks of allowances (Z-02)")
struct AllowanceTests: ZoneSamples {
    /// "2026-03-29 from 2026-03-28T23:00 to 2026-03-29T22:00", the moments in UTC.
    private static func read(_ moment: String, _ zone: ZoneOffsets = ZoneOffsets(), start: Int = 0) -> String {
        let day = UsageDay(at: utc(moment), in: zone, start: start)
        return "\(UsageDay.date(of: day.number)) from \(day.times.lowerBound.utcText.prefix(16)) to "
            + "\(day.times.upperBound.utcText.prefix(16))"
    }

    @Test("a day begins at its time, also on the first day of a month and of a year")
    func days() {
        #expect(Self.read("2026-06-01T00:00") == "2026-06-01 from 2026-06-01T00:00 to 2026-06-02T00:00")
        #expect(Self.read("2026-06-01T03:59", start: 240) == "2026-05-31 from 2026-05-31T04:00 to 2026-06-01T04:00")
        #expect(Self.read("2026-06-01T04:00", start: 240) == "2026-06-01 from 2026-06-01T04:00 to 2026-06-02T04:00")
        #expect(Self.read("2027-01-01T03:00", start: 240) == "2026-12-31 from 2026-12-31T04:00 to 2027-01-01T04:00")
        #expect(Self.read("2028-03-01T00:30", start: 60) == "2028-02-29 from 2028-02-29T01:00 to 2028-03-01T01:00")
    }

    @Test("a day is as long as the clocks of its zone make it when summer time begins and ends")
    func summerTime() {
        #expect(
            Self.read("2026-03-29T12:00", Self.berlin) == "2026-03-29 from 2026-03-28T23:00 to 2026-03-29T22:00")
        #expect(
            Self.read("2026-10-25T12:00", Self.berlin) == "2026-10-25 from 2026-10-24T22:00 to 2026-10-25T23:00")
        #expect(
            Self.read("2026-03-08T12:00", Self.newYork) == "2026-03-08 from 2026-03-08T05:00 to 2026-03-09T04:00")
        #expect(
            Self.read("2026-11-01T12:00", Self.newYork) == "2026-11-01 from 2026-11-01T04:00 to 2026-11-02T05:00")
        #expect(
            Self.read("2026-04-04T20:00", Self.lordHowe) == "2026-04-05 from 2026-04-04T13:00 to 2026-04-05T13:30")
        #expect(
            Self.read("2026-10-03T20:00", Self.lordHowe) == "2026-10-04 from 2026-10-03T13:30 to 2026-10-04T13:00")
    }

    @Test(
        "a day that begins in an hour that comes twice begins at its first, and one that comes in none, right after it")
    func repeatedAndSkipped() {
        // In Santiago the clock goes back from 24:00 to 23:00, and forward from 24:00 to 1:00.
        #expect(
            Self.read("2026-04-05T03:30", Self.santiago, start: 23 * 60 + 15)
                == "2026-04-04 from 2026-04-05T02:15 to 2026-04-06T03:15")
        #expect(
            Self.read("2026-09-06T03:59", Self.santiago) == "2026-09-05 from 2026-09-05T04:00 to 2026-09-06T04:00")
        #expect(
            Self.read("2026-09-06T04:00", Self.santiago, start: 30)
                == "2026-09-06 from 2026-09-06T04:00 to 2026-09-07T03:30")
        // In Berlin it is 2:30 twice. At the second time the day has begun.
        #expect(
            Self.read("2026-10-25T01:10", Self.berlin, start: 150)
                == "2026-10-25 from 2026-10-25T00:30 to 2026-10-26T01:30")
    }

    @Test("over a year, each moment is in one day, and each day begins when the one before ends", arguments: 0..<4)
    func everyMoment(index: Int) {
        let zone = [Self.berlin, Self.newYork, Self.lordHowe, Self.santiago][index]
        for start in [0, 30, 150, 240, 1439] {
            var day = UsageDay(at: Self.utc("2026-01-01T00:00"), in: zone, start: start)
            for _ in 0..<366 {
                let next = UsageDay(at: day.times.upperBound, in: zone, start: start)
                #expect(next.number == day.number + 1 && next.times.lowerBound == day.times.upperBound)
                for moment in [
                    next.times.lowerBound.unixMilliseconds, next.times.upperBound.unixMilliseconds - 1,
                    next.times.lowerBound.unixMilliseconds + 7_000_000,
                ] {
                    #expect(UsageDay(at: WallTime(unixMilliseconds: moment), in: zone, start: start) == next)
                }
                day = next
            }
        }
    }

    @Test("clocks at the ends of time don't trap", arguments: [-(1 << 53), -1, 0, 1 << 53] as [Int64])
    func ends(milliseconds: Int64) {
        let now = WallTime(unixMilliseconds: milliseconds)
        for start in [0, 1439] {
            #expect(UsageDay(at: now, in: Self.berlin, start: start).times.contains(now))
        }
    }

    // MARK: - Time left

    private static let games = Allowance(
        "games", secondsOfDays: [3600, 3600, 3600, 3600, 3600, 7200, 7200], secondsOfWeek: 5 * 3600)
    /// 2026-06-01, a Monday.
    private static let monday: Int64 = 20_605

    private static func left(_ allowance: Allowance, on day: Int64, _ used: [Int64: Int64]) -> Int64 {
        allowance.left(on: monday + day) { .seconds(used[$0 - monday] ?? 0) }.components.seconds
    }

    @Test("what is left is the least of what is left of the day and of the week, and never below zero")
    func left() {
        #expect(UsageDay.weekday(of: Self.monday) == 0)
        #expect(Self.left(Self.games, on: 0, [:]) == 3600)
        #expect(Self.left(Self.games, on: 0, [0: 3000]) == 600)
        #expect(Self.left(Self.games, on: 0, [0: 9000]) == 0)
        #expect(Self.left(Self.games, on: 5, [:]) == 7200)
        // The week begins on Monday; what comes before or after does not count in it.
        #expect(Self.left(Self.games, on: 5, [-1: 9000, 0: 3600, 1: 3600, 2: 3600, 3: 3600, 7: 9000]) == 3600)
        #expect(Self.left(Self.games, on: 5, [0: 3600, 1: 3600, 2: 3600, 3: 3600, 4: 3600]) == 0)
        #expect(Self.left(Self.games, on: 7, [0: 3600, 1: 3600, 2: 3600, 3: 3600, 4: 3600]) == 3600)
    }

    @Test("an allowance may have only a week, only some days, or no time at all")
    func kinds() {
        let week = Allowance("week", secondsOfWeek: 100)
        #expect(Self.left(week, on: 6, [0: 30, 3: 30]) == 40)
        let sunday = Allowance("sunday", secondsOfDays: [0, 0, 0, 0, 0, 0, 100])
        #expect(Self.left(sunday, on: 5, [:]) == 0 && Self.left(sunday, on: 6, [:]) == 100)
        #expect(Self.left(Allowance("never"), on: 0, [:]) == 0)
        // A daemon may say fewer days than there are.
        #expect(Self.left(Allowance("short", secondsOfDays: [5]), on: 1, [:]) == 0)
    }

    @Test("the next day with time is found over the end of a week; within two weeks or not at all")
    func nextDay() {
        func next(_ allowance: Allowance, after day: Int64, _ used: [Int64: Int64] = [:]) -> Int64? {
            allowance.nextDay(after: Self.monday + day) { .seconds(used[$0 - Self.monday] ?? 0) }.map {
                $0 - Self.monday
            }
        }
        #expect(next(Self.games, after: 0) == 1)
        #expect(next(Self.games, after: 2, [0: 3600, 1: 7200, 2: 7200]) == 7)
        #expect(next(Allowance("sunday", secondsOfDays: [0, 0, 0, 0, 0, 0, 100]), after: 6) == 13)
        #expect(next(Allowance("never"), after: 0) == nil)
    }

    @Test("days with the same time are named together")
    func groups() {
        #expect(Self.games.dayGroups.map(\.days) == [[0...4], [5...6]])
        #expect(Self.games.dayGroups.map(\.seconds) == [3600, 7200])
        #expect(Allowance("sunday", secondsOfDays: [0, 0, 0, 0, 0, 0, 100]).dayGroups.map(\.days) == [[6...6]])
    }
}
