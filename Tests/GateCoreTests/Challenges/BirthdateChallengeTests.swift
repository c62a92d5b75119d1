import GateModel
import GateScripting
import Testing

@testable import GateCore

@Suite("Dates of birth")
struct BirthdateChallengeTests {
    @Test("somebody is old enough from the birthday on, and not the day before (F-25)")
    func comingOfAge() {
        #expect(verdict("2007-06-15", on: "2025-06-15") == .right)
        #expect(verdict("2007-06-15", on: "2025-06-14") == .wrong)
        #expect(verdict("2007-06-16", on: "2025-06-15") == .wrong)
        #expect(verdict("1979-05-01", on: "2025-06-15") == .right)
        #expect(verdict("2020-01-01", on: "2025-06-15") == .wrong)
        #expect(verdict("2025-06-15", on: "2025-06-15") == .wrong)
    }

    @Test("the age comes from the policy")
    func minimumAge() {
        #expect(verdict("2004-06-15", on: "2025-06-15", minimumAge: 21) == .right)
        #expect(verdict("2004-06-16", on: "2025-06-15", minimumAge: 21) == .wrong)
        #expect(verdict("2025-06-15", on: "2025-06-15", minimumAge: 0) == .right)
    }

    @Test("somebody born on 29 February comes of age on 1 March in common years, and on 29 February in leap years")
    func leapDays() {
        #expect(verdict("2008-02-29", on: "2026-02-28") == .wrong)
        #expect(verdict("2008-02-29", on: "2026-03-01") == .right)
        #expect(verdict("2008-02-29", on: "2028-02-28", minimumAge: 20) == .wrong)
        #expect(verdict("2008-02-29", on: "2028-02-29", minimumAge: 20) == .right)
        // On a leap day, somebody born on the day before or after it.
        #expect(verdict("2010-02-28", on: "2028-02-29") == .right)
        #expect(verdict("2010-03-01", on: "2028-02-29") == .wrong)
    }

    @Test("a day begins and ends in UTC")
    func midnight() {
        let sealed = make(minimumAge: 18)
        let midnight = milliseconds("2025-06-15")
        let eve = WallTime(unixMilliseconds: midnight - 1)
        #expect(
            sealed.verdict(on: .text("2007-06-15"), at: .init(nanoseconds: 0), wallTime: eve, pressedAt: nil) == .wrong)
        let day = WallTime(unixMilliseconds: midnight)
        #expect(
            sealed.verdict(on: .text("2007-06-15"), at: .init(nanoseconds: 0), wallTime: day, pressedAt: nil) == .right)
    }

    @Test("each calendar counts its years from its own beginning")
    func calendars() {
        #expect(verdict("2550-06-15", on: "2025-06-15", .buddhist) == .right)
        #expect(verdict("2550-06-16", on: "2025-06-15", .buddhist) == .wrong)
        #expect(verdict("96-06-15", on: "2025-06-15", .minguo) == .right)
        #expect(verdict("096-06-15", on: "2025-06-15", .minguo) == .right)
        #expect(verdict("96-06-16", on: "2025-06-15", .minguo) == .wrong)
        // Leap years are those of the Gregorian year: 2551 and 97 are 2008.
        #expect(verdict("2551-02-29", on: "2026-03-01", .buddhist) == .right)
        #expect(verdict("97-02-29", on: "2026-03-01", .minguo) == .right)
        #expect(verdict("2552-02-29", on: "2030-03-01", .buddhist).staysOpen)
        // The wrong calendar is noticed.
        #expect(verdict("1979-05-01", on: "2025-06-15", .buddhist).staysOpen)
        #expect(verdict("2522-05-01", on: "2025-06-15").staysOpen)
        #expect(verdict("68-05-01", on: "2025-06-15").staysOpen)
        #expect(verdict("1979-05-01", on: "2025-06-15", .minguo).staysOpen)
    }

    @Test("a future day, a day too long ago and a day that does not exist are refused with the reason")
    func impossibleDays() {
        let tomorrow = SealedChallenge.Verdict.notAnAnswer("That day is still to come. Try again.")
        #expect(verdict("2025-06-16", on: "2025-06-15") == tomorrow)
        #expect(verdict("2107-06-15", on: "2025-06-15") == tomorrow)
        let long = SealedChallenge.Verdict.notAnAnswer("Nobody is that old. Try again.")
        #expect(verdict("1874-06-15", on: "2025-06-15") == long)
        #expect(verdict("1874-06-16", on: "2025-06-15") == .right)
        #expect(verdict("0001-01-01", on: "2025-06-15") == long)
        let never = SealedChallenge.Verdict.notAnAnswer("The calendar has no such day. Try again.")
        for day in [
            "2001-02-29", "1900-02-29", "2000-02-30", "1990-04-31", "1990-06-31", "1990-09-31", "1990-11-31",
            "1990-01-32", "1990-00-10", "1990-13-01", "1990-05-00",
        ] {
            #expect(verdict(day, on: "2025-06-15") == never, "\(day)")
        }
        #expect(verdict("2000-02-29", on: "2025-06-15") == .right)
    }

    @Test("a date is written as year-month-day, with spaces around it at most")
    func strict() {
        #expect(verdict(" 1979-05-01\t", on: "2025-06-15") == .right)
        for nonsense in [
            "", " ", "1979", "1979-05", "1979-5-1", "1979-05-1", "01.05.1979", "05/01/1979", "1979/05/01", "19790501",
            "-1979-05-01", "1979--05-01", "1979-05-01-", "1979-05-01 x", "+979-05-01", "1979-0x-01", "١٩٧٩-٠٥-٠١",
            "11979-05-01", "1979 - 05 - 01", "May 1st, 1979", "1979-05-01\n", "--", "1979−05−01",
        ] {
            #expect(
                verdict(nonsense, on: "2025-06-15")
                    == .notAnAnswer(
                        "Write the date of birth as year-month-day, like 1979-05-01. Try again."),
                "\(nonsense)")
        }
        #expect(make(minimumAge: 18).verdict(on: .released).staysOpen)
        #expect(make(minimumAge: 18).verdict(on: .secret(GateSecret("1979-05-01".utf8))).staysOpen)
    }

    @Test("the example of each calendar is a date of that calendar", arguments: BirthdateCalendar.allCases)
    func examples(calendar: BirthdateCalendar) throws {
        guard case .notAnAnswer(let sentence) = verdict("?", on: "2025-06-15", calendar) else {
            throw OtherChallenge()
        }
        let example = try #require(sentence.split(separator: " ").first { $0.contains("-05-01") })
        #expect(verdict(String(example.dropLast()), on: "2025-06-15", calendar) == .right)
    }

    @Test("days since 1970 are the days of the calendar, for 700 years, one after the other")
    func daysInOrder() throws {
        var date = CivilDate(WallTime(unixMilliseconds: -400 * 366 * 86_400_000))
        for day in (-400 * 366 + 1 as Int64)...(300 * 365) {
            let next = CivilDate(WallTime(unixMilliseconds: day * 86_400_000))
            let expected =
                CivilDate(year: date.year, month: date.month, day: date.day + 1)
                ?? CivilDate(year: date.year, month: date.month + 1, day: 1)
                ?? CivilDate(year: date.year + 1, month: 1, day: 1)
            guard next == expected, date < next else {
                Issue.record("after \(date) came \(next)")
                return
            }
            date = next
        }
        #expect(CivilDate(WallTime(unixMilliseconds: 0)) == CivilDate(year: 1970, month: 1, day: 1))
        #expect(CivilDate(WallTime(unixMilliseconds: -1)) == CivilDate(year: 1969, month: 12, day: 31))
        #expect(CivilDate(WallTime(unixMilliseconds: 951_782_400_000)) == CivilDate(year: 2000, month: 2, day: 29))
        #expect(CivilDate(WallTime(unixMilliseconds: 4_107_542_400_000)) == CivilDate(year: 2100, month: 3, day: 1))
    }

    @Test("a clock that is quite wrong traps nothing", arguments: [Int64.min, -1, 0, .max])
    func anyClock(milliseconds: Int64) {
        let sealed = make(minimumAge: 18)
        let verdict = sealed.verdict(
            on: .text("1979-05-01"), at: BootTime(nanoseconds: 0), wallTime: WallTime(unixMilliseconds: milliseconds),
            pressedAt: nil)
        #expect(verdict.staysOpen)
    }

    @Test("no dump shows the age that is wanted")
    func solutionIsHidden() {
        #expect(make(minimumAge: 37).dumped.allSatisfy { !$0.contains("37") && !$0.contains("olution") })
    }

    private func make(minimumAge: Int, _ calendar: BirthdateCalendar = .gregorian) -> SealedChallenge {
        var random = SeededGenerator(seed: 1)
        let specification = ChallengeSpecification(.birthdate, minimumAge: minimumAge, calendar: calendar)
        return SealedChallenge.make(specification, questions: [], using: &random)
    }

    private func verdict(
        _ answer: String, on today: String, _ calendar: BirthdateCalendar = .gregorian, minimumAge: Int = 18
    ) -> SealedChallenge.Verdict {
        let sealed = make(minimumAge: minimumAge, calendar)
        // At noon.
        let wallTime = WallTime(unixMilliseconds: milliseconds(today) + 43_200_000)
        return sealed.verdict(on: .text(answer), at: BootTime(nanoseconds: 0), wallTime: wallTime, pressedAt: nil)
    }

    /// The time of a date, counted day by day from 1970, unlike in the core.
    private func milliseconds(_ date: String) -> Int64 {
        let fields = date.split(separator: "-").compactMap { Int($0) }
        let isLeap = { (year: Int) in year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        let months = [31, isLeap(fields[0]) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let years = (1970..<fields[0]).reduce(0) { $0 + (isLeap($1) ? 366 : 365) }
        let days = years + months[..<(fields[1] - 1)].reduce(0, +) + fields[2] - 1
        return Int64(days) * 86_400_000
    }
}
