/// A date that may lack its day, or its month and day.
public struct FormDate: Hashable, Sendable {
    /// 1 to 9999.
    public let year: Int
    /// The month, from 1.
    public let month: Int?
    /// The day, from 1. Never without a month.
    public let day: Int?

    /// `nil`: not a date as FHIR writes it: YYYY, YYYY-MM or YYYY-MM-DD, from year 0001, and a day that there is.
    public init?(_ text: String) {
        var reader = CalendarTextReader(text)
        guard let date = FormDate(reading: &reader), reader.isAtEnd else { return nil }
        self = date
    }

    /// `nil`: there is no such date, or a day without a month.
    package init?(year: Int, month: Int?, day: Int?) {
        guard (1...9999).contains(year), (1...12).contains(month ?? 1), month != nil || day == nil else { return nil }
        if let month, let day, CivilDate(year: year, month: month, day: day) == nil { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// `nil`: before year 1 or after year 9999.
    public init?(_ day: CivilDate) {
        guard (1...9999).contains(day.year) else { return nil }
        (year, month, self.day) = (day.year, day.month, day.day)
    }

    /// The first day of the first or the last year, where the calendar does not go as far.
    package init(nearest day: CivilDate) {
        let year = min(max(day.year, 1), 9999)
        self.year = year
        (month, self.day) = year == day.year ? (day.month, day.day) : (1, 1)
    }

    init?(reading reader: inout CalendarTextReader) {
        guard let year = reader.number(digitCount: 4, in: 1...9999) else { return nil }
        self.year = year
        guard reader.skip("-") else {
            (month, day) = (nil, nil)
            return
        }
        guard let month = reader.number(digitCount: 2, in: 1...12) else { return nil }
        self.month = month
        guard reader.skip("-") else {
            day = nil
            return
        }
        guard let day = reader.number(digitCount: 2, in: 1...31),
            CivilDate(year: year, month: month, day: day) != nil
        else { return nil }
        self.day = day
    }

    /// The date as FHIR writes it, as exact as it is.
    public var text: String {
        [(year, 4), (month, 2), (day, 2)].compactMap { number, digitCount in number?.padded(to: digitCount) }
            .joined(separator: "-")
    }

    /// `nil`: the day, or the month, is not known.
    public var civilDate: CivilDate? {
        guard let month, let day else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// Below zero: `left` is earlier. Above: it is later. 0: they are the same, and equally exact. `nil`: that can't be
    /// told, since one of them is less exact: 2024-05 is neither before 2024-05-17 nor after it.
    package static func compare(_ left: FormDate, _ right: FormDate) -> Int? {
        if left.year != right.year { return left.year < right.year ? -1 : 1 }
        for (ours, theirs) in [(left.month, right.month), (left.day, right.day)] {
            switch (ours, theirs) {
            case (nil, nil): return 0
            case (.some, nil), (nil, .some): return nil
            case (.some(let ours), .some(let theirs)):
                if ours != theirs { return ours < theirs ? -1 : 1 }
            }
        }
        return 0
    }
}

extension FormDate: CustomStringConvertible {
    public var description: String { text }
}
