/// A unit of the calendar, as durations are written with: `18 years`.
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

    /// The unit of UCUM that counts the same; of years and months there is none, since those of UCUM have a fixed length.
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

    /// Whether it is part of a time of day, and not of a date.
    var isOfClock: Bool {
        switch self {
        case .year, .month, .week, .day: false
        case .hour, .minute, .second, .millisecond: true
        }
    }

    /// By FHIRPath's table of conversions, which takes a year for 365 days and a month for 30.
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
