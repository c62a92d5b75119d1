/// A unit of durations such as `18 years`.
package enum CalendarUnit: String, Sendable, CaseIterable {
    case year
    case month
    case week
    case day
    case hour
    case minute
    case second
    case millisecond

    /// Reads "year" and "years".
    init?(word: String) {
        self.init(rawValue: word.hasSuffix("s") ? String(word.dropLast()) : word)
    }

    /// `nil` for UCUM's years and months too: their length is fixed, unlike the calendar's.
    init?(ucum code: String) {
        switch code {
        case "wk": self = .week
        case "d": self = .day
        case "h": self = .hour
        case "min": self = .minute
        case "s": self = .second
        case "ms": self = .millisecond
        case _: return nil
        }
    }

    /// Whether it measures a time of day and not a date.
    var isOfClock: Bool {
        switch self {
        case .year, .month, .week, .day: false
        case .hour, .minute, .second, .millisecond: true
        }
    }

    /// By FHIRPath's table: a year has 365 days and a month 30.
    var milliseconds: Int {
        switch self {
        case .year: 365 * CalendarUnit.day.milliseconds
        case .month: 30 * CalendarUnit.day.milliseconds
        case .week: 7 * CalendarUnit.day.milliseconds
        case .day: 86_400_000
        case .hour: 3_600_000
        case .minute: 60_000
        case .second: 1000
        case .millisecond: 1
        }
    }
}
