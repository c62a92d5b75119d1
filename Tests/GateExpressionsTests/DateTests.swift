import Testing

@Suite("Dates in expressions")
struct DateTests {
    static let sums: [(String, String)] = [
        ("@1973-12-25 + 7 days", "1974-01-01"), ("@1973-12-25 + 7.9 days", "1974-01-01"),
        ("@2019-03-01 + 24 months", "2021-03-01"),
        ("@2026-01-31 + 1 month", "2026-02-28"), ("@2024-02-29 + 1 year", "2025-02-28"),
        ("@2024-02-29 - 4 years", "2020-02-29"),
        ("@2026-01-01T13:00:00 + 30 minutes", "2026-01-01T13:30:00"),
        ("@1973-12-25T00:00:00.000+10:00 + 42.53 seconds", "1973-12-25T00:00:42.530+10:00"),
        ("@T23:30:00 + 1 hour", "00:30:00"),
        ("@T01:00:00 + 48 hours", "01:00:00"), ("@T00:30:00 - 1 hour", "23:30:00"), ("@2014 + 24 months", "2016"),
        ("@2014 + 23 months", "2015"), ("@2016 + 365 days", "2017"), ("@2014 - 1 month", "2014"),
        ("@2026-02 + 5 weeks", "2026-03"),
        ("@2026-02 + 4 weeks", "2026-02"), ("@2026-02 - 1 day", "2026-02"),
        ("@2026-12-31T23:59:59Z + 1 second", "2027-01-01T00:00:00Z"),
        ("@T10 + 90 minutes", "11"), ("today() - 18 years", "2008-03-01"), ("{} + 1 day", "{}"), ("today() + {}", "{}"),
    ]

    @Test("durations are added by the calendar, as the specification's examples say", arguments: sums)
    func sum(_ source: String, _ expected: String) throws {
        #expect(try result(source) == expected)
    }

    static let durations: [(String, String)] = [
        ("@2025-01-02.duration(@2025-01-07, 'week')", "0"), ("@2025-01-01.duration(@2025-09-01, 'year')", "0"),
        ("@2024-12-01.duration(@2025-09-01, 'year')", "0"), ("@2008-03-01.duration(@2026-03-01, 'year')", "18"),
        ("@2008-03-02.duration(@2026-03-01, 'year')", "17"), ("@2026-03-01.duration(@2008-03-02, 'year')", "-17"),
        ("@2008-02-29.duration(@2026-02-28, 'year')", "17"), ("@2008-02-29.duration(@2026-03-01, 'year')", "18"),
        ("@2008.duration(@2026, 'year')", "18"), ("@2008.duration(@2026-03-01, 'year')", "{}"),
        ("@2008.duration(@2026-03, 'month')", "{}"), ("@2008-01.duration(@2008-03, 'month')", "2"),
        ("@2008-01-31.duration(@2008-02-29, 'month')", "0"), ("@2025-01-01.duration(@2025-01-15, 'week')", "2"),
        ("@2025-01-15.duration(@2025-01-01, 'day')", "-14"), ("@2025-01.duration(@2025-02, 'day')", "{}"),
        ("@2025-01-01T23:00:00.duration(@2025-01-02T01:00:00, 'day')", "0"),
        ("@2025-01-01T23:00:00Z.duration(@2025-01-02T01:00:00+01:00, 'hour')", "1"),
        ("@2025-01-01T10:00.duration(@2025-01-01T11:00, 'second')", "{}"),
        ("@T10:00.duration(@T11:30, 'minute')", "90"),
        ("{}.duration(today(), 'year')", "{}"), ("today().duration({}, 'year')", "{}"),
        ("today().duration(now(), 'year')", "0"),
        // By the calendar of the first one.
        ("@2024-01-01T01:00:00+02:00.duration(@2024-01-01T23:30:00Z, 'day')", "1"),
        ("@2024-01-01T01:00:00+02:00.duration(@2024-01-01T22:59:59Z, 'day')", "0"),
        ("@2023-12-31T23:00:00Z.duration(@2025-01-01T00:30:00+02:00, 'year')", "0"),
    ]

    @Test("duration() counts whole periods, and gives nothing if a missing part would decide", arguments: durations)
    func duration(_ source: String, _ expected: String) throws {
        #expect(try result(source) == expected)
    }
}
