/// A date, of which only the year, or the year and the month, may be known.
public struct FormDate: Hashable, Sendable {
    /// The year, from 1 to 9999.
    public let year: Int
    /// The month, from 1; `nil` if it is not known.
    public let month: Int?
    /// The day, from 1; `nil` if it is not known. Never without a month.
    public let day: Int?

    /// Reads YYYY, YYYY-MM or YYYY-MM-DD, as FHIR writes dates. `nil` for other texts, year 0000 and impossible days.
    public init?(_ text: String) {
        var reader = CalendarTextReader(text)
        guard let date = FormDate(reading: &reader), reader.isAtEnd else { return nil }
        self = date
    }

    /// `nil` if there is no such date, or there is a day without a month.
    package init?(year: Int, month: Int?, day: Int?) {
        guard (1...9999).contains(year), (1...12).contains(month ?? 1), month != nil || day == nil else { return nil }
        if let month, let day, CivilDate(year: year, month: month, day: day) == nil { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// `nil` for days before year 1 and after year 9999.
    public init?(_ day: CivilDate) {
        guard (1...9999).contains(day.year) else { return nil }
        (year, month, self.day) = (day.year, day.month, day.day)
    }

    /// The same day, or 1 January of year 1 or 9999 for days outside these years.
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

    /// The date as FHIR writes it: YYYY, YYYY-MM or YYYY-MM-DD.
    public var text: String {
        [(year, 4), (month, 2), (day, 2)].compactMap { number, digitCount in number?.padded(to: digitCount) }
            .joined(separator: "-")
    }

    /// The day; `nil` if the day or the month is not known.
    public var civilDate: CivilDate? {
        guard let month, let day else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// Negative if `left` is earlier, positive if it is later, 0 if both are the same and equally exact. `nil` if one
    /// of them is not exact enough to tell: 2024-05 is neither before nor after 2024-05-17.
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
