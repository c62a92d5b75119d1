package import GateModel

/// A calendar in which a person chooses a date in a few presses: the year, then the month, then the day. Dates outside
/// of the limits can't be pressed. If the limits leave only one year, it begins with the months.
package struct DateChoosing: Hashable, Sendable {
    private enum Step: Hashable {
        /// A page of years that begins with this one. Can go to: another page, the months of a year.
        case years(from: Int)
        /// The months of a year. Can go to: the years, if there are several; the year before or after; days.
        case months(of: Int)
        /// The days of a month. Can go to: the months of its year, the month before or after. Choosing a day ends it.
        case days(year: Int, month: Int)
    }

    package enum Choice: Hashable, Sendable {
        case year(Int)
        /// Counted from 1.
        case month(Int)
        /// Counted from 1.
        case day(Int)
    }

    /// Something that a person pressed: a choice, or one of the buttons around them.
    package enum Press: Hashable, Sendable {
        case choice(Choice)
        /// To the page, the year or the month before.
        case earlier
        case later
        /// To the step before: from days to months, from months to years.
        case back
    }

    package struct Cell: Hashable, Sendable {
        package let choice: Choice
        package let isWithinLimits: Bool
        /// Whether the present answer lies in it.
        package let isAnswer: Bool
    }

    package struct Picture: Hashable, Sendable {
        /// The month and the year, the year, or the years of the page.
        package let title: String
        package let columns: Int
        /// Row by row; `nil` is an empty cell, before the first day of a month.
        package let cells: [Cell?]
        /// The weekdays above the columns; empty unless days are shown.
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
    /// A year that begins a page. If dates after this year are out of the question, as for a date of birth, the last
    /// possible year ends a page, so that the first page has as many years as possible.
    private let firstOfPage: Int
    private var step: Step

    /// Begins with the years around the answer, or else around the day within the limits nearest to today.
    package init(
        within limits: ClosedRange<CivilDate>, answer: CivilDate?, today: CivilDate, weekBeginsOnSunday: Bool = false
    ) {
        (self.limits, self.weekBeginsOnSunday) = (limits, weekBeginsOnSunday)
        self.answer = answer.flatMap { limits.contains($0) ? $0 : nil }
        let start = self.answer ?? min(max(today, limits.lowerBound), limits.upperBound)
        firstOfPage = limits.upperBound.year <= today.year ? limits.upperBound.year + 1 : 0
        let isOneYear = limits.lowerBound.year == limits.upperBound.year
        step = isOneYear ? .months(of: start.year) : .years(from: Self.page(of: start.year, firstOfPage))
    }

    /// The first year of the page with this year, if a page begins with `first`.
    private static func page(of year: Int, _ first: Int) -> Int {
        let place = (year - first) % yearsOfPage
        return year - (place < 0 ? place + yearsOfPage : place)
    }

    // MARK: Presses

    /// - Returns: the date, if a day was pressed. Presses outside of the limits are ignored.
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
        case .months(let year): step = .years(from: Self.page(of: year, firstOfPage))
        case .days(let year, _): step = .months(of: year)
        }
    }

    // MARK: The picture

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

    /// 1 January 1970 was a Thursday, which is column 3 of a week from Monday.
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
    package static func label(of choice: Choice) -> String {
        switch choice {
        case .year(let year): "\(year)"
        case .month(let month): DateWords.months[month - 1]
        case .day(let day): "\(day)"
        }
    }
}
