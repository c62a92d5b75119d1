package import GateModel

/// A date that is chosen in a few presses: first the year, then the month, then the day. Nothing outside of the limits can be pressed,
/// and where only one year is left it need not be.
package struct DateChoosing: Hashable, Sendable {
    /// The choices that stand there.
    private enum Step: Hashable {
        /// The years of a page, from this one on. Can go to: another page, the months of a year.
        case years(from: Int)
        /// Can go to: the years, the next or the last year, the days of a month.
        case months(of: Int)
        /// Can go to: the months, the next or the last month; a day ends it.
        case days(year: Int, month: Int)
    }

    /// Something that can be pressed.
    package enum Choice: Hashable, Sendable {
        case year(Int)
        /// From 1.
        case month(Int)
        /// From 1.
        case day(Int)
    }

    /// A press, of a choice or of a button around them.
    package enum Press: Hashable, Sendable {
        case choice(Choice)
        /// The page, the year or the month before.
        case earlier
        case later
        /// To what was chosen before.
        case back
    }

    /// A choice where it stands.
    package struct Cell: Hashable, Sendable {
        package let choice: Choice
        package let isWithinLimits: Bool
        /// Whether it is what was answered so far.
        package let isAnswer: Bool
    }

    /// All that stands there.
    package struct Picture: Hashable, Sendable {
        /// The part of the date that was chosen so far, or the years of the page.
        package let title: String
        /// How many stand beside each other.
        package let columns: Int
        /// Row by row; `nil`: an empty place, before the first day of a month.
        package let cells: [Cell?]
        /// The weekdays above the columns; empty: there are none.
        package let weekdays: [String]
        package let hasEarlier: Bool
        package let hasLater: Bool
        package let hasBack: Bool
    }

    private static let yearsOfPage = 20
    private static let columnsOfYears = 4
    private static let columnsOfMonths = 3

    private let limits: ClosedRange<CivilDate>
    private let answer: CivilDate?
    private let weekBeginsOnSunday: Bool
    private var step: Step

    /// Begins with the years around the answer; without one, with those within the limits that are nearest to today.
    package init(
        within limits: ClosedRange<CivilDate>, answer: CivilDate?, today: CivilDate, weekBeginsOnSunday: Bool = false
    ) {
        (self.limits, self.weekBeginsOnSunday) = (limits, weekBeginsOnSunday)
        self.answer = answer.flatMap { limits.contains($0) ? $0 : nil }
        let start = self.answer ?? min(max(today, limits.lowerBound), limits.upperBound)
        let isOneYear = limits.lowerBound.year == limits.upperBound.year
        step = isOneYear ? .months(of: start.year) : .years(from: Self.page(of: start.year))
    }

    private static func page(of year: Int) -> Int { year - year % yearsOfPage }

    // MARK: What was pressed

    /// - Returns: the date, once its day was pressed; what is outside of the limits is dropped.
    package mutating func pressed(_ press: Press) -> CivilDate? {
        let picture = picture
        switch press {
        case .choice(let choice):
            guard picture.cells.contains(where: { $0?.choice == choice && $0?.isWithinLimits == true }) else {
                return nil
            }
            return chosen(choice)
        case .earlier: if picture.hasEarlier { move(by: -1) }
        case .later: if picture.hasLater { move(by: 1) }
        case .back: if picture.hasBack { goBack() }
        }
        return nil
    }

    private mutating func chosen(_ choice: Choice) -> CivilDate? {
        switch (step, choice) {
        case (.years, .year(let year)): step = .months(of: year)
        case (.months(let year), .month(let month)): step = .days(year: year, month: month)
        case (.days(let year, let month), .day(let day)): return CivilDate(year: year, month: month, day: day)
        case (.years, .month), (.years, .day), (.months, .year), (.months, .day), (.days, .year), (.days, .month): break
        }
        return nil
    }

    private mutating func move(by count: Int) {
        switch step {
        case .years(let first): step = .years(from: first + count * Self.yearsOfPage)
        case .months(let year): step = .months(of: year + count)
        case .days(let year, let month):
            let index = year * 12 + month - 1 + count
            step = .days(year: index / 12, month: index % 12 + 1)
        }
    }

    private mutating func goBack() {
        switch step {
        case .years: break
        case .months(let year): step = .years(from: Self.page(of: year))
        case .days(let year, _): step = .months(of: year)
        }
    }

    // MARK: What stands there

    package var picture: Picture {
        switch step {
        case .years(let first):
            let years = max(first, 1)..<(first + Self.yearsOfPage)
            return picture(
                "\(years.lowerBound)–\(years.upperBound - 1)", columns: Self.columnsOfYears,
                years.map { cell(.year($0), Self.days(ofYear: $0)) }, hasBack: false)
        case .months(let year):
            return picture(
                "\(year)", columns: Self.columnsOfMonths, (1...12).map { cell(.month($0), Self.days(of: $0, year)) },
                hasBack: limits.lowerBound.year != limits.upperBound.year)
        case .days(let year, let month):
            let all = Self.days(of: month, year)
            let days = (all.lowerBound.day...all.upperBound.day).compactMap { day in
                CivilDate(year: year, month: month, day: day).map { cell(.day(day), $0...$0) }
            }
            let empty = Array(repeating: Cell?.none, count: column(of: all.lowerBound))
            return picture(
                "\(DateWords.months[month - 1]) \(year)", columns: 7, empty + days, weekdays: weekdays, hasBack: true)
        }
    }

    private func picture(
        _ title: String, columns: Int, _ cells: [Cell?], weekdays: [String] = [], hasBack: Bool
    ) -> Picture {
        let days = shownDays
        return Picture(
            title: title, columns: columns, cells: cells, weekdays: weekdays,
            hasEarlier: limits.lowerBound < days.lowerBound, hasLater: limits.upperBound > days.upperBound,
            hasBack: hasBack)
    }

    private func cell(_ choice: Choice, _ days: ClosedRange<CivilDate>) -> Cell {
        Cell(
            choice: choice, isWithinLimits: days.overlaps(limits), isAnswer: answer.map(days.contains) ?? false)
    }

    private var shownDays: ClosedRange<CivilDate> {
        switch step {
        case .years(let first):
            Self.days(ofYear: max(first, 1)).lowerBound...Self.days(ofYear: first + Self.yearsOfPage - 1).upperBound
        case .months(let year): Self.days(ofYear: year)
        case .days(let year, let month): Self.days(of: month, year)
        }
    }

    private var weekdays: [String] {
        let fromMonday = DateWords.weekdays
        return weekBeginsOnSunday ? [fromMonday[6]] + fromMonday.dropLast() : fromMonday
    }

    /// 1 January 1970 was a Thursday.
    private func column(of day: CivilDate) -> Int {
        let fromMonday = Int((day.daysSince1970 % 7 + 7 + 3) % 7)
        return weekBeginsOnSunday ? (fromMonday + 1) % 7 : fromMonday
    }

    private static func days(ofYear year: Int) -> ClosedRange<CivilDate> {
        days(of: 1, year).lowerBound...days(of: 12, year).upperBound
    }

    private static func days(of month: Int, _ year: Int) -> ClosedRange<CivilDate> {
        let last = (28...31).last { CivilDate(year: year, month: month, day: $0) != nil } ?? 28
        guard let first = CivilDate(year: year, month: month, day: 1),
            let end = CivilDate(year: year, month: month, day: last)
        else { preconditionFailure("a month has a first and a last day") }
        return first...end
    }
}

extension DateChoosing {
    /// The words on its button.
    package static func label(of choice: Choice) -> String {
        switch choice {
        case .year(let year): "\(year)"
        case .month(let month): DateWords.months[month - 1]
        case .day(let day): "\(day)"
        }
    }
}
