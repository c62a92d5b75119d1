import GateModel
import Testing

@Suite("Dates and times of forms")
struct FormDateTests {
    @Test(
        "dates with and without month and day are read",
        arguments: ["2024", "2024-05", "2024-02-29", "0001-01-01", "9999-12-31"])
    func readsDates(_ text: String) {
        #expect(FormDate(text)?.text == text)
        #expect(FormDateTime(text)?.text == text)
    }

    @Test(
        "a day that does not exist, or is not written as FHIR writes it, is refused",
        arguments: [
            "", "24", "0000", "02024", "2024-", "2024-13", "2024-00", "2024-5-1", "2024-05-00", "2024-05-32",
            "2023-02-29",
            "1900-02-29", "2024-04-31", "2024/05/17", "2024-05-17 ", "-2024", "2024-05-17T", "２０２４",
        ])
    func refusesDates(_ text: String) {
        #expect(FormDate(text) == nil)
        #expect(FormDateTime(text) == nil)
    }

    @Test("a date has the parts that are known")
    func parts() throws {
        let date = try #require(FormDate("2024-05"))
        #expect(date.year == 2024)
        #expect(date.month == 5)
        #expect(date.day == nil)
        #expect(date.civilDate == nil)
        let day = try #require(CivilDate(year: 2024, month: 5, day: 17))
        #expect(FormDate("2024-05-17")?.civilDate == day)
        #expect(FormDate(day)?.text == "2024-05-17")
        let early = try #require(CivilDate(year: 0, month: 1, day: 1))
        #expect(FormDate(early) == nil)
    }

    @Test(
        "dates compare as far as both are known",
        arguments: [
            ("2024-05-17", "2024-05-17", 0), ("2024-05-17", "2024-05-18", -1), ("2024-05-17", "2024-04-30", 1),
            ("2024", "2024", 0), ("2024-05", "2024-05", 0), ("2023", "2024-01-01", -1), ("2024-06", "2024-05-31", 1),
            ("2024", "2024-05", nil), ("2024-05", "2024-05-17", nil), ("2024-05-17", "2024", nil),
        ] as [(String, String, Int?)])
    func comparesDates(_ left: String, _ right: String, _ expected: Int?) throws {
        let (left, right) = (try #require(FormDate(left)), try #require(FormDate(right)))
        #expect(FormDate.compare(left, right) == expected)
        #expect(FormDate.compare(right, left) == expected.map { -$0 })
    }

    @Test(
        "a date with a time needs seconds and a time zone",
        arguments: [
            "2024-05-17T10:30:00Z", "2024-05-17T10:30:00.5+02:00", "2024-05-17T23:59:60-14:00",
            "2024-05-17T00:00:00+00:00",
        ])
    func readsDateTimes(_ text: String) {
        #expect(FormDateTime(text)?.text == text)
        #expect(FormDateTime(text)?.hasTime == true)
        #expect(FormDateTime(text)?.date?.text == "2024-05-17")
    }

    @Test(
        "a date with an incomplete or malformed time is refused",
        arguments: [
            "2024-05-17T10:30Z", "2024-05-17T10:30:00", "2024-05-17 10:30:00Z", "2024-05-17T24:00:00Z",
            "2024-05-17T10:60:00Z", "2024-05-17T10:30:61Z", "2024-05-17T10:30:00.Z", "2024-05-17T10:30:00+2:00",
            "2024-05-17T10:30:00+14:01", "2024-05-17T10:30:00+15:00", "2024-05-17T10:30:00+02:60", "2024-05T10:30:00Z",
            "2024-05-17T10:30:00ZZ", "2024-05-17t10:30:00z",
            "2024-05-17T10:30:00." + String(repeating: "0", count: 60) + "Z",
        ])
    func refusesDateTimes(_ text: String) {
        #expect(FormDateTime(text) == nil)
    }

    @Test(
        "moments compare across time zones, and with dates as far as these go",
        arguments: [
            ("2024-05-17T10:30:00Z", "2024-05-17T12:30:00+02:00", 0),
            ("2024-05-17T10:30:00Z", "2024-05-17T10:30:00.000Z", 0),
            ("2024-05-17T10:30:00.5Z", "2024-05-17T10:30:00.45Z", 1),
            ("2024-05-17T23:00:00-02:00", "2024-05-18T00:30:00Z", 1),
            ("2023-12-31T23:59:60Z", "2024-01-01T00:00:00Z", 0),
            ("2024-05-17", "2024-05-18T00:00:00Z", -1), ("2024-05-17T23:59:59-05:00", "2024-05-17", nil),
            ("2024", "2024-05-17T10:30:00Z", nil), ("2025", "2024-12-31T23:00:00-05:00", 1),
            ("2024-05", "2024-05", 0), ("2024-05", "2024-06-01", -1),
        ] as [(String, String, Int?)])
    func comparesDateTimes(_ left: String, _ right: String, _ expected: Int?) throws {
        let (left, right) = (try #require(FormDateTime(left)), try #require(FormDateTime(right)))
        #expect(FormDateTime.compare(left, right) == expected)
        #expect(FormDateTime.compare(right, left) == expected.map { -$0 })
    }

    @Test("a moment of the wall clock is written in UTC, to the millisecond")
    func wallTime() {
        #expect(FormDateTime(WallTime(unixMilliseconds: 0))?.text == "1970-01-01T00:00:00.000Z")
        #expect(FormDateTime(WallTime(unixMilliseconds: 1_715_941_800_007))?.text == "2024-05-17T10:30:00.007Z")
        #expect(FormDateTime(WallTime(unixMilliseconds: -1))?.text == "1969-12-31T23:59:59.999Z")
        #expect(FormDateTime(WallTime(unixMilliseconds: 300_000_000_000_000)) == nil)
    }

    @Test("times are read, including second 60 and fractions", arguments: ["00:00:00", "23:59:60", "10:30:05.125"])
    func readsTimes(_ text: String) {
        #expect(FormTime(text)?.text == text)
    }

    @Test(
        "malformed times are refused",
        arguments: ["", "10:30", "24:00:00", "10:60:00", "10:30:61", "1:30:00", "10:30:00Z", "10:30:00.", "10-30-00"])
    func refusesTimes(_ text: String) {
        #expect(FormTime(text) == nil)
    }

    @Test(
        "times are compared as moments of the day",
        arguments: [
            ("10:30:00", "10:30:00.00", 0), ("10:30:00", "10:30:00.01", -1), ("09:59:59.9", "10:00:00", -1),
            ("23:00:00", "22:59:60", 0),
        ])
    func comparesTimes(_ left: String, _ right: String, _ expected: Int) throws {
        let (left, right) = (try #require(FormTime(left)), try #require(FormTime(right)))
        #expect(FormTime.compare(left, right) == expected)
        #expect(FormTime.compare(right, left) == -expected)
    }
}
