package import GateModel

/// A date, perhaps without day or month, or a date with a time, perhaps without minutes, seconds or time zone.
package struct CalendarMoment: Sendable {
    /// In the moment's own time zone.
    package let date: FormDate
    /// `nil` if the moment is known to the day at most.
    package let time: ClockTime?
    /// Positive east of UTC; `nil` without a time zone.
    package let offsetMinutes: Int?

    package init(_ date: FormDate, _ time: ClockTime? = nil, offsetMinutes: Int? = nil) {
        self.date = date
        self.time = time
        self.offsetMinutes = offsetMinutes
    }

    /// `nil` if the seconds have more places than `ExactDecimal` can hold.
    package init?(_ moment: FormDateTime) {
        self.init(text: moment.text)
    }

    /// The local time, to the millisecond.
    package init(_ moment: LocalTime) {
        let milliseconds = moment.millisecondsOfDay
        let time = ClockTime(
            hour: milliseconds / 3_600_000, minute: milliseconds / 60_000 % 60,
            second: ExactDecimal(digits: Int128(milliseconds % 60_000), places: 3))
        self.init(FormDate(nearest: moment.day), time, offsetMinutes: moment.minutesEastOfUTC)
    }

    /// Reads "2024-05-17T10:30:00+02:00". The time zone, seconds, minutes or the whole time may be missing. `nil` if
    /// there is no such moment.
    package init?(text: String) {
        let parts = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
        guard let date = FormDate(String(parts[0])) else { return nil }
        guard parts.count == 2, !parts[1].isEmpty else {
            self.init(date)
            return
        }
        let clock = parts[1].prefix { !"Z+-".contains($0) }
        guard date.day != nil, let time = ClockTime(text: clock) else { return nil }
        let zone = parts[1][clock.endIndex...]
        guard !zone.isEmpty else {
            self.init(date, time)
            return
        }
        guard let offsetMinutes = Self.offsetMinutes(zone) else { return nil }
        self.init(date, time, offsetMinutes: offsetMinutes)
    }

    /// Reads "Z" or "+02:00", up to 14 hours.
    private static func offsetMinutes(_ text: Substring) -> Int? {
        if text == "Z" { return 0 }
        guard let time = ClockTime(text: text.dropFirst()), let minute = time.minute, time.second == nil else {
            return nil
        }
        let minutes = time.hour * 60 + minute
        guard minutes <= maximumOffsetMinutes else { return nil }
        return text.hasPrefix("-") ? -minutes : minutes
    }

    static let maximumOffsetMinutes = 14 * 60

    package var text: String {
        guard let time else { return date.text }
        guard let offsetMinutes else { return "\(date.text)T\(time.text)" }
        guard offsetMinutes != 0 else { return "\(date.text)T\(time.text)Z" }
        let (hours, minutes) = abs(offsetMinutes).quotientAndRemainder(dividingBy: 60)
        let zone = "\(offsetMinutes < 0 ? "-" : "+")\(hours.padded(to: 2)):\(minutes.padded(to: 2))"
        return "\(date.text)T\(time.text)\(zone)"
    }
}

// MARK: - Comparing

extension CalendarMoment {
    /// Negative if `left` is earlier, positive if it is later. `nil` if that is unknown, because one of them is less
    /// exact or has no time zone. A date without a time is taken to be in the other's time zone.
    package static func compare(_ left: CalendarMoment, _ right: CalendarMoment) -> Int? {
        guard let ours = left.time, let theirs = right.time else {
            let order = FormDate.compare(left.date, right.date)
            return order == 0 && (left.time == nil) != (right.time == nil) ? nil : order
        }
        switch (left.offsetMinutes, right.offsetMinutes) {
        case (let ourOffset?, let theirOffset?) where ourOffset != theirOffset:
            guard let left = left.inUTC, let right = right.inUTC else { return nil }
            return compare(left, right)
        case (_?, _?), (nil, nil):
            let order = FormDate.compare(left.date, right.date)
            return order == 0 ? ClockTime.compare(ours, theirs) : order
        case (_?, nil), (nil, _?):
            guard let ourMinutes = left.minutesSince1970, let theirMinutes = right.minutesSince1970 else { return nil }
            let distance = ourMinutes - theirMinutes
            // So far apart that the missing time zone can't change the order.
            return abs(distance) > Int64(maximumOffsetMinutes) + 60 ? distance.signum().asInt : nil
        }
    }

    /// `nil` without a time or time zone, or outside of the calendar.
    var inUTC: CalendarMoment? { shifted(toOffset: 0) }

    /// The same moment in another time zone. `nil` without a time or time zone, or outside of the calendar.
    func shifted(toOffset other: Int) -> CalendarMoment? {
        guard let time, let offsetMinutes, let utc = minutesSince1970 else { return nil }
        let minutes = utc + Int64(other)
        let (day, minuteOfDay) = (
            minutes.quotientRoundedDown(by: 1440), minutes - minutes.quotientRoundedDown(by: 1440) * 1440
        )
        guard let date = FormDate(daysSince1970: day) else { return nil }
        // If only the hour is known, the minutes stay unknown, unless the zones differ by part of an hour.
        let hasMinutes = time.minute != nil || (offsetMinutes - other) % 60 != 0
        let clock = ClockTime(
            hour: Int(minuteOfDay / 60), minute: hasMinutes ? Int(minuteOfDay % 60) : nil, second: time.second)
        return CalendarMoment(date, clock, offsetMinutes: other)
    }

    /// Without seconds. A moment without a time zone counts as UTC.
    private var minutesSince1970: Int64? {
        guard let time, let day = date.civilDate else { return nil }
        return day.daysSince1970 * 1440 + Int64(time.hour * 60 + (time.minute ?? 0) - (offsetMinutes ?? 0))
    }
}

extension Int64 {
    fileprivate var asInt: Int { Int(self) }

    /// Rounds towards minus infinity, unlike `/`.
    fileprivate func quotientRoundedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension FormDate {
    /// More than the days from year 1 to year 9999.
    static let calendarDays = 4_000_000

    /// `nil` before year 1 and after year 9999.
    init?(daysSince1970 days: Int64) {
        guard days.magnitude <= Self.calendarDays else { return nil }
        self.init(CivilDate(WallTime(unixMilliseconds: days * 86_400_000)))
    }
}

extension CalendarMoment: CustomStringConvertible {
    package var description: String { text }
}
