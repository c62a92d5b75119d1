package import GateModel

/// A date, or a date with a time, as exact as it is known. The time may have a time zone or none.
package struct CalendarMoment: Sendable {
    /// In its own time zone.
    package let date: FormDate
    /// `nil`: it is known to the day at most.
    package let time: ClockTime?
    /// East of UTC. `nil`: not known.
    package let offsetMinutes: Int?

    package init(_ date: FormDate, _ time: ClockTime? = nil, offsetMinutes: Int? = nil) {
        self.date = date
        self.time = time
        self.offsetMinutes = offsetMinutes
    }

    /// `nil`: its seconds have more places than there is room for.
    package init?(_ moment: FormDateTime) {
        self.init(text: moment.text)
    }

    /// The clock on the wall, to the millisecond.
    package init(_ moment: LocalTime) {
        let milliseconds = moment.millisecondsOfDay
        let time = ClockTime(
            hour: milliseconds / 3_600_000, minute: milliseconds / 60_000 % 60,
            second: ExactDecimal(digits: Int128(milliseconds % 60_000), places: 3))
        self.init(FormDate(nearest: moment.day), time, offsetMinutes: moment.minutesEastOfUTC)
    }

    /// Reads "2024-05-17T10:30:00+02:00"; time zone, seconds, minutes and the whole time may be missing. `nil`: no such
    /// moment.
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

    /// Reads "Z" and "+02:00", up to 14 hours.
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
    /// Below zero: `left` is earlier. Above: it is later. `nil`: that can't be told, since one of them is less exact, or has
    /// no time zone.
    ///
    /// A date without a time is taken to mean the time zone of the other one.
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
            // Wherever on Earth the other one is.
            return abs(distance) > Int64(maximumOffsetMinutes) + 60 ? distance.signum().asInt : nil
        }
    }

    /// The same in UTC. `nil`: it has no time or no time zone, or is outside of the calendar.
    var inUTC: CalendarMoment? { shifted(toOffset: 0) }

    /// The same in another time zone. `nil`: it has no time or no time zone, or is outside of the calendar.
    func shifted(toOffset other: Int) -> CalendarMoment? {
        guard let time, let offsetMinutes, let utc = minutesSince1970 else { return nil }
        let minutes = utc + Int64(other)
        let (day, minuteOfDay) = (
            minutes.quotientRoundedDown(by: 1440), minutes - minutes.quotientRoundedDown(by: 1440) * 1440
        )
        guard let date = FormDate(daysSince1970: day) else { return nil }
        // Of an hour alone, its minutes stay unknown.
        let hasMinutes = time.minute != nil || (offsetMinutes - other) % 60 != 0
        let clock = ClockTime(
            hour: Int(minuteOfDay / 60), minute: hasMinutes ? Int(minuteOfDay % 60) : nil, second: time.second)
        return CalendarMoment(date, clock, offsetMinutes: other)
    }

    /// In UTC; without a time zone, as if it were UTC. Seconds do not count.
    private var minutesSince1970: Int64? {
        guard let time, let day = date.civilDate else { return nil }
        return day.daysSince1970 * 1440 + Int64(time.hour * 60 + (time.minute ?? 0) - (offsetMinutes ?? 0))
    }
}

extension Int64 {
    fileprivate var asInt: Int { Int(self) }

    /// Towards minus infinity, where `/` goes towards zero.
    fileprivate func quotientRoundedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension FormDate {
    /// More days than there are from year 1 to year 9999.
    static let calendarDays = 4_000_000

    /// `nil`: before year 1 or after year 9999.
    init?(daysSince1970 days: Int64) {
        guard days.magnitude <= Self.calendarDays else { return nil }
        self.init(CivilDate(WallTime(unixMilliseconds: days * 86_400_000)))
    }
}

extension CalendarMoment: CustomStringConvertible {
    package var description: String { text }
}
