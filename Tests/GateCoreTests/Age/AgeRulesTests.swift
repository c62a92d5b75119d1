import GateModel
import Testing

@testable import GateCore

@Suite("The age range of a person is made of halves of years alone (Y-01)")
struct AgeRulesTests {
    private static let gates = [[13, 16, 18], [2], [25], [2, 4, 25], [7, 12]]
    private static let births: [CivilDate] = everyDay(from: 2011, to: 2013)
    private static let days: [CivilDate] = everyDay(from: 2014, to: 2031)

    /// Every day of these years.
    private static func everyDay(from first: Int, to last: Int) -> [CivilDate] {
        (first...last).flatMap { year in
            (1...12).flatMap { month in (1...31).compactMap { CivilDate(year: year, month: month, day: $0) } }
        }
    }

    private static func range(_ born: CivilDate, on day: CivilDate, _ gates: [Int]) -> AgeRange? {
        AgeRules.range(of: .child(born: born), in: HalfYear(day), gates: gates)
    }

    /// The answers of many years, one for each day.
    private static func transcript(_ born: CivilDate, _ gates: [Int]) -> [AgeRange?] {
        days.map { range(born, on: $0, gates) }
    }

    @Test("all who were born in the same half of a year get the same answers for ever", arguments: gates)
    func sameHalfYear(gates: [Int]) {
        let groups = Dictionary(grouping: Self.births) { "\($0.year) \($0.month <= 6)" }
        #expect(groups.count == 6)
        for (half, births) in groups {
            let first = Self.transcript(births[0], gates)
            // Each step of 29 days is tried, and the last day.
            let others = stride(from: 0, to: births.count, by: 29).map { births[$0] } + [births[births.count - 1]]
            for born in others { #expect(Self.transcript(born, gates) == first, "\(half): \(born)") }
        }
    }

    @Test("an answer changes only on 1 January and on 1 July, and then towards older ages", arguments: gates)
    func changes(gates: [Int]) throws {
        for born in stride(from: 0, to: Self.births.count, by: 37).map({ Self.births[$0] }) {
            let transcript = Self.transcript(born, gates)
            for (index, pair) in zip(transcript, transcript.dropFirst()).enumerated() where pair.0 != pair.1 {
                let day = Self.days[index + 1]
                #expect(day.day == 1 && (day.month == 1 || day.month == 7), "\(born): \(day)")
                #expect(pair.0?.low ?? 0 < pair.1?.low ?? 0)
            }
            let passed = Set(transcript.compactMap { $0?.low })
            #expect(gates.filter { (4...17).contains($0) }.allSatisfy(passed.contains))
        }
    }

    @Test("nobody is told to be older than they are, and at the latest half a year late to be as old", arguments: gates)
    func neverOlder(gates: [Int]) throws {
        for born in stride(from: 0, to: Self.births.count, by: 41).map({ Self.births[$0] }) {
            for day in Self.days {
                let age = born.completedYears(on: day)
                let range = try #require(Self.range(born, on: day, gates))
                #expect(range.low ?? 0 <= age && range.source == .guardian)
                // No half-year has more than 184 days.
                let before = CivilDate(WallTime(unixMilliseconds: (day.daysSince1970 - 184) * 86_400_000))
                #expect(range.high.map { $0 >= born.completedYears(on: before) } ?? true)
            }
        }
    }

    @Test("a range is what lies between two gates beside each other, and always says something", arguments: gates)
    func bands(gates: [Int]) throws {
        let bands = Set(zip([nil] + gates.map(Optional.some), gates.map { $0 - 1 } + [nil]).map { [$0, $1] })
        for born in stride(from: 0, to: Self.births.count, by: 61).map({ Self.births[$0] }) {
            for range in Set(Self.transcript(born, gates)) {
                let range = try #require(range)
                #expect(bands.contains([range.low, range.high]) && (range.low ?? range.high) != nil)
            }
        }
    }

    @Test("a child of thirteen in March is told to be thirteen from 1 July on, one of October from the next January on")
    func example() throws {
        func range(_ born: String, on day: String) throws -> AgeRange? {
            Self.range(try #require(CivilDate(born)), on: try #require(CivilDate(day)), [13, 16, 18])
        }
        let (younger, teenager) = (
            AgeRange(low: nil, high: 12, source: .guardian), AgeRange(low: 13, high: 15, source: .guardian)
        )
        #expect(try range("2013-03-14", on: "2026-06-30") == younger)
        #expect(try range("2013-03-14", on: "2026-07-01") == teenager)
        #expect(try range("2013-10-02", on: "2026-12-31") == younger)
        #expect(try range("2013-10-02", on: "2027-01-01") == teenager)
        #expect(try range("2026-07-01", on: "2026-07-01") == younger)
    }

    @Test("a clock or a date that is wrong makes nobody of an age; nothing is known of a child without a date")
    func unknown() throws {
        let born = try #require(CivilDate(year: 2013, month: 7, day: 1))
        func range(_ year: Int, _ month: Int) throws -> AgeRange? {
            Self.range(born, on: try #require(CivilDate(year: year, month: month, day: 1)), [13])
        }
        #expect(try range(2013, 6) == nil && range(2013, 7) != nil)
        #expect(try range(2164, 12) != nil && range(2165, 1) == nil)
        let present = HalfYear(born)
        #expect(AgeRules.range(of: .child(born: nil), in: present, gates: [13]) == nil)
        #expect(AgeRules.range(of: .shared, in: present, gates: [13]) == nil)
    }

    @Test(
        "a grown-up is at least as old as the highest gate that is not above eighteen, and nothing else is told",
        arguments: [([13, 16, 18], 18), ([13, 16], 16), ([13, 18, 21], 18), ([12, 17, 21], 17), ([21], nil)])
    func grownUp(gates: [Int], low: Int?) {
        let range = AgeRules.range(of: .grownUp, in: HalfYear(number: 4052), gates: gates)
        #expect(range == low.map { AgeRange(low: $0, high: nil, source: .grownUp) })
    }

    @Test("a device has one to three gates, from two to twenty-five years, two years apart")
    func possibleGates() {
        for gates in [[13, 16, 18], [2], [25], [2, 4, 6], [23, 25]] { #expect(AgeSettings.areGates(gates)) }
        for gates in [[], [1], [26], [13, 14], [16, 13], [13, 13], [4, 8, 12, 16], [-1], [Int.max]] {
            #expect(!AgeSettings.areGates(gates), "\(gates)")
        }
        #expect(AgeSettings.areGates(AgeSettings.usualGates) && !AgeSettings().isOn)
    }
}
