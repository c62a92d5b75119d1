import GateModel
import Testing

@testable import GateScreens

@Suite("A date in a few presses (K-08)")
struct DateChoosingTests {
    private static func day(_ text: String) throws -> CivilDate { try #require(CivilDate(text)) }

    private static func choosing(
        _ first: String, _ last: String, answer: String? = nil, today: String = "2026-11-28", sunday: Bool = false
    ) throws -> DateChoosing {
        DateChoosing(
            within: try day(first)...day(last), answer: try answer.map(day), today: try day(today),
            weekBeginsOnSunday: sunday)
    }

    private static func offered(_ picture: DateChoosing.Picture) -> [String] {
        picture.cells.compactMap { $0 }.filter(\.isWithinLimits).map { DateChoosing.label(of: $0.choice) }
    }

    @Test("a child's date of birth takes three presses: year, month and day")
    func threePresses() throws {
        var choosing = try Self.choosing("1910-01-01", "2026-11-28")
        #expect(choosing.picture.title == "2007–2026")
        #expect(choosing.pressed(.choice(.year(2015))) == nil)
        #expect(choosing.picture.title == "2015")
        #expect(choosing.pressed(.choice(.month(2))) == nil)
        #expect(choosing.picture.title == "February 2015")
        #expect(choosing.pressed(.choice(.day(28))) == CivilDate(year: 2015, month: 2, day: 28))
    }

    @Test("the calendar opens within the limits, and offers nothing outside them")
    func limits() throws {
        var choosing = try Self.choosing("1910-01-01", "2008-11-10")
        #expect(choosing.picture.title == "1989–2008" && !choosing.picture.hasLater && choosing.picture.hasEarlier)
        #expect(Self.offered(choosing.picture) == (1989...2008).map(String.init))
        #expect(choosing.pressed(.choice(.year(2009))) == nil && choosing.picture.title == "1989–2008")
        _ = choosing.pressed(.later)
        #expect(choosing.picture.title == "1989–2008")
        _ = choosing.pressed(.choice(.year(2008)))
        #expect(Self.offered(choosing.picture).last == "November" && !choosing.picture.hasLater)
        _ = choosing.pressed(.choice(.month(11)))
        #expect(Self.offered(choosing.picture) == (1...10).map(String.init))
        #expect(choosing.pressed(.choice(.day(11))) == nil)
    }

    @Test("one press moves a page, a year or a month, and the chosen date can be chosen again")
    func moving() throws {
        var choosing = try Self.choosing("1910-01-01", "2026-12-31", answer: "1979-12-31")
        #expect(choosing.picture.title == "1967–1986")
        #expect(choosing.picture.cells.contains { $0?.choice == .year(1979) && $0?.isAnswer == true })
        _ = choosing.pressed(.earlier)
        #expect(choosing.picture.title == "1947–1966")
        _ = choosing.pressed(.choice(.year(1959)))
        _ = choosing.pressed(.later)
        #expect(choosing.picture.title == "1960")
        _ = choosing.pressed(.choice(.month(12)))
        _ = choosing.pressed(.later)
        #expect(choosing.picture.title == "January 1961")
        _ = choosing.pressed(.back)
        _ = choosing.pressed(.back)
        #expect(choosing.picture.title == "1947–1966" && !choosing.picture.hasBack)
    }

    @Test("if dates to come are possible, pages begin with round years")
    func future() throws {
        let choosing = try Self.choosing("1910-01-01", "2027-01-01")
        #expect(choosing.picture.title == "2020–2039")
        #expect(Self.offered(choosing.picture) == (2020...2027).map(String.init))
    }

    @Test("limits within one year leave no year to choose")
    func oneYear() throws {
        let choosing = try Self.choosing("2026-03-01", "2026-09-30")
        #expect(choosing.picture.title == "2026" && !choosing.picture.hasBack)
        #expect(Self.offered(choosing.picture).count == 7)
    }

    @Test("days stand below their weekdays, with Monday or Sunday first")
    func weekdays() throws {
        for (sunday, first, empty) in [(false, "Mon", 6), (true, "Sun", 0)] {
            // 1 November 2026 was a Sunday.
            var choosing = try Self.choosing("2026-01-01", "2026-12-31", sunday: sunday)
            _ = choosing.pressed(.choice(.month(11)))
            #expect(choosing.picture.weekdays.first == first && choosing.picture.weekdays.count == 7)
            #expect(choosing.picture.cells.prefix { $0 == nil }.count == empty)
            #expect(choosing.picture.columns == 7)
        }
    }

    @Test("the first and the last year of the calendar are offered")
    func ends() throws {
        let all = try Self.day("0001-01-01")...Self.day("9999-12-31")
        let first = DateChoosing(within: all, answer: all.lowerBound, today: all.lowerBound)
        #expect(Self.offered(first.picture).first == "1" && !first.picture.hasEarlier)
        let last = DateChoosing(within: all, answer: all.upperBound, today: all.lowerBound)
        #expect(Self.offered(last.picture).last == "9999" && !last.picture.hasLater)
    }
}
