import GateModel
import Testing

@Suite("Schedules (Z-01)")
struct ScheduleTests: ZoneSamples {
    /// - Parameter days: by weekday, from 0 for Monday.
    private static func schedule(_ days: [Int: [Schedule.Span]]) -> Schedule {
        Schedule("open", days: (0..<7).map { days[$0] ?? [] })
    }

    /// A span with hours and minutes as a number: 1530 is 15:30.
    private static func span(_ begin: Int, _ end: Int) -> Schedule.Span {
        func minutes(_ clock: Int) -> Int { clock / 100 * 60 + clock % 100 }
        return Schedule.Span(minutes(begin), minutes(end) + (end > begin ? 0 : Schedule.minutesOfDay))
    }

    /// "open until 2026-03-29T02:00", in UTC.
    private static func read(_ schedule: Schedule, _ moment: String, _ zone: ZoneOffsets = ZoneOffsets()) -> String {
        let reading = schedule.reading(at: utc(moment), in: zone)
        return (reading.isOpen ? "open" : "closed") + (reading.until.map { " until \($0.utcText.prefix(16))" } ?? "")
    }

    @Test("a span is open from its beginning up to its end, several a day, and on the days that it names")
    func spans() {
        let spans = [Self.span(900, 1200), Self.span(1400, 1800)]
        let schedule = Self.schedule([0: spans, 2: spans])
        // 2026-06-01 is a Monday.
        #expect(Self.read(schedule, "2026-06-01T08:59") == "closed until 2026-06-01T09:00")
        #expect(Self.read(schedule, "2026-06-01T09:00") == "open until 2026-06-01T12:00")
        #expect(Self.read(schedule, "2026-06-01T12:00") == "closed until 2026-06-01T14:00")
        #expect(Self.read(schedule, "2026-06-01T17:59") == "open until 2026-06-01T18:00")
        #expect(Self.read(schedule, "2026-06-01T18:00") == "closed until 2026-06-03T09:00")
        #expect(Self.read(schedule, "2026-06-03T18:00") == "closed until 2026-06-08T09:00")
    }

    @Test("a span across midnight belongs to the day on which it begins, over the ends of weeks, months and years, too")
    func midnight() {
        let friday = Self.schedule([4: [Self.span(2000, 100)]])
        #expect(Self.read(friday, "2026-06-05T00:30") == "closed until 2026-06-05T20:00")
        #expect(Self.read(friday, "2026-06-05T23:59") == "open until 2026-06-06T01:00")
        #expect(Self.read(friday, "2026-06-06T00:59") == "open until 2026-06-06T01:00")
        #expect(Self.read(friday, "2026-06-06T01:00") == "closed until 2026-06-12T20:00")
        let sunday = Self.schedule([6: [Self.span(2200, 200)]])
        #expect(Self.read(sunday, "2027-03-01T01:00") == "open until 2027-03-01T02:00", "from February")
        let tuesday = Self.schedule([1: [Self.span(2200, 200)]])
        #expect(Self.read(tuesday, "2028-03-01T01:00") == "open until 2028-03-01T02:00", "from a leap day")
        let thursday = Self.schedule([3: [Self.span(2200, 200)]])
        #expect(Self.read(thursday, "2027-01-01T01:00") == "open until 2027-01-01T02:00", "from the year before")
        #expect(Self.read(thursday, "2027-01-01T02:00") == "closed until 2027-01-07T22:00")
    }

    @Test("spans without a gap are one, and what is open all week never closes")
    func withoutGap() {
        let night = Self.schedule([0: [Self.span(2000, 2400)], 1: [Self.span(0, 200)]])
        #expect(Self.read(night, "2026-06-01T21:00") == "open until 2026-06-02T02:00")
        let always = Self.schedule(Dictionary(uniqueKeysWithValues: (0..<7).map { ($0, [Self.span(0, 2400)]) }))
        #expect(Self.read(always, "2026-06-01T21:00") == "open")
        #expect(Self.read(always, "2026-10-25T00:30", Self.berlin) == "open")
        #expect(Self.read(Schedule("never"), "2026-06-01T21:00") == "closed")
    }

    @Test("what begins in the hour that spring skips opens as the clock jumps, and what lies within it does not open")
    func spring() {
        let begins = Self.schedule([6: [Self.span(230, 400)]])
        #expect(Self.read(begins, "2026-03-29T00:59", Self.berlin) == "closed until 2026-03-29T01:00")
        #expect(Self.read(begins, "2026-03-29T01:00", Self.berlin) == "open until 2026-03-29T02:00")
        #expect(Self.read(begins, "2026-03-08T06:59", Self.newYork) == "closed until 2026-03-08T07:00")
        #expect(Self.read(begins, "2026-03-08T07:00", Self.newYork) == "open until 2026-03-08T08:00")
        let within = Self.schedule([6: [Self.span(210, 250)]])
        #expect(Self.read(within, "2026-03-29T00:59", Self.berlin) == "closed until 2026-04-05T00:10")
        let ends = Self.schedule([5: [Self.span(2000, 230)]])
        #expect(Self.read(ends, "2026-03-29T00:59", Self.berlin) == "open until 2026-03-29T01:00")
        // Lord Howe skips half an hour.
        let half = Self.schedule([6: [Self.span(210, 300)]])
        #expect(Self.read(half, "2026-10-03T15:29", Self.lordHowe) == "closed until 2026-10-03T15:30")
        #expect(Self.read(half, "2026-10-03T15:30", Self.lordHowe) == "open until 2026-10-03T16:00")
    }

    @Test("of the hour that autumn has twice, the first one counts: what has closed in it does not open again")
    func autumn() {
        let within = Self.schedule([6: [Self.span(200, 230)]])
        #expect(Self.read(within, "2026-10-25T00:00", Self.berlin) == "open until 2026-10-25T00:30")
        #expect(Self.read(within, "2026-10-25T00:30", Self.berlin) == "closed until 2026-11-01T01:00")
        #expect(Self.read(within, "2026-10-25T01:15", Self.berlin) == "closed until 2026-11-01T01:00")
        let begins = Self.schedule([6: [Self.span(230, 400)]])
        #expect(Self.read(begins, "2026-10-25T00:30", Self.berlin) == "open until 2026-10-25T03:00")
        #expect(Self.read(begins, "2026-10-25T01:15", Self.berlin) == "open until 2026-10-25T03:00")
        let ends = Self.schedule([5: [Self.span(2000, 130)]])
        #expect(Self.read(ends, "2026-11-01T05:29", Self.newYork) == "open until 2026-11-01T05:30")
        #expect(Self.read(ends, "2026-11-01T06:15", Self.newYork) == "closed until 2026-11-08T01:00")
        let half = Self.schedule([6: [Self.span(140, 155)]])
        #expect(Self.read(half, "2026-04-04T14:40", Self.lordHowe) == "open until 2026-04-04T14:55")
        #expect(Self.read(half, "2026-04-04T15:15", Self.lordHowe) == "closed until 2026-04-11T15:10")
    }

    @Test("a zone without summer time has the same hours all year")
    func withoutSummerTime() {
        let schedule = Self.schedule([0: [Self.span(1500, 1900)]])
        #expect(Self.read(schedule, "2026-06-01T09:29", Self.kolkata) == "closed until 2026-06-01T09:30")
        #expect(Self.read(schedule, "2026-12-07T13:29", Self.kolkata) == "open until 2026-12-07T13:30")
        #expect(Self.read(schedule, "2026-12-07T18:00", Self.saoPaulo) == "open until 2026-12-07T22:00")
    }

    @Test("a reading holds until its end, and there it turns, in every zone and at every time of the year")
    func turns() {
        var random = SeededRandom(seed: 101)
        for zone in [Self.berlin, Self.newYork, Self.lordHowe, Self.kolkata, Self.saoPaulo] {
            for _ in 0..<60 {
                var days = Schedule("open").days
                for day in 0..<7 where Bool.random(using: &random) {
                    let begin = Int.random(in: 0..<1440, using: &random)
                    days[day] = [Schedule.Span(begin, begin + Int.random(in: 1...1440, using: &random))]
                }
                let schedule = Schedule("open", days: days)
                var time = Self.utc("2026-01-01T00:00")
                for _ in 0..<80 {
                    let reading = schedule.reading(at: time, in: zone)
                    #expect(reading.validity.contains(time))
                    guard let until = reading.until else { break }
                    #expect(until == reading.validity.upperBound)
                    let before = WallTime(unixMilliseconds: until.unixMilliseconds - 1)
                    #expect(schedule.reading(at: before, in: zone).isOpen == reading.isOpen)
                    #expect(schedule.reading(at: reading.validity.lowerBound, in: zone).isOpen == reading.isOpen)
                    #expect(schedule.reading(at: until, in: zone).isOpen != reading.isOpen)
                    // Far from a change of the clock, it is open exactly while the clock shows a time of a span.
                    let day: Int64 = 86_400_000
                    let near = [-3 * day, 3 * day].map {
                        zone.minutesEastOfUTC(at: WallTime(unixMilliseconds: time.unixMilliseconds + $0))
                    }
                    if near[0] == near[1] { #expect(Self.isShown(schedule, zone.localTime(time)) == reading.isOpen) }
                    time = until
                }
            }
        }
    }

    /// Whether the clock shows a time of a span.
    private static func isShown(_ schedule: Schedule, _ time: LocalTime) -> Bool {
        let minute = time.millisecondsOfDay / 60_000
        let yesterday = schedule.days[(time.day.weekday + 6) % 7]
        return schedule.days[time.day.weekday].contains { $0.begin <= minute && minute < $0.end }
            || yesterday.contains { minute + Schedule.minutesOfDay < $0.end }
    }

    @Test("a clock that is off by thousands of years is read all the same")
    func farAway() {
        let schedule = Self.schedule([0: [Self.span(1500, 1900)]])
        for milliseconds in [-(Int64(1) << 53), 0, Int64(1) << 53] {
            let time = WallTime(unixMilliseconds: milliseconds)
            #expect(schedule.reading(at: time, in: Self.berlin).validity.contains(time))
        }
    }
}
