/// A day of the Gregorian calendar. Days before its introduction in 1582 are counted by the same rules.
public struct CivilDate: Hashable, Sendable, Comparable {
    /// The year of the Gregorian calendar.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// `nil` if there is no such day, for example 30 February.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.dayCount(ofMonth: month, year: year) else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// The day in UTC at this moment. Years are counted from 1 March here, so that a leap day is the last of its year.
    /// The calendar repeats itself every 400 years, which have 146,097 days.
    public init(_ wallTime: WallTime) {
        let daysSince1970 = Int(wallTime.unixMilliseconds).quotientRoundedDown(by: 86_400_000)
        let days = daysSince1970 + 719_468  // since 0000-03-01
        let era = days.quotientRoundedDown(by: 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Month 0 is March. Five months in a row have 153 days, so this is the month's index.
        let monthOfYear = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthOfYear + 2) / 5 + 1
        month = monthOfYear < 10 ? monthOfYear + 3 : monthOfYear - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var daysSince1970: Int64 {
        let yearFromMarch = month <= 2 ? year - 1 : year
        let era = yearFromMarch.quotientRoundedDown(by: 400)
        let yearOfEra = yearFromMarch - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    /// From 0 for Monday. 1970-01-01 was a Thursday.
    package var weekday: Int { Int(((daysSince1970 + 3) % 7 + 7) % 7) }

    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// The age on `today` of somebody who was born on this day, in years. Somebody born on 29 February turns a year
    /// older on 1 March in common years.
    public func completedYears(on today: CivilDate) -> Int {
        let hadBirthday = (today.month, today.day) >= (month, day)
        return today.year - year - (hadBirthday ? 0 : 1)
    }

    private static func dayCount(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        case _: 31
        }
    }

    package static func isLeap(_ year: Int) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }
}

extension CivilDate: CustomStringConvertible {
    /// As YYYY-MM-DD.
    public var description: String {
        "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }

    /// Reads YYYY-MM-DD. `nil` if the text is not written like that, or there is no such day.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 0x2d || (0x30...0x39).contains($0) }) else {
            return nil
        }
        let numbers = parts.map { $0.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }
}

extension WallTime {
    /// The moment in UTC as ISO 8601 writes it, with milliseconds. Moments more than about 7,900 years before or after
    /// 1970 are written as a number of milliseconds instead, like "9223372036854775807ms".
    public var utcText: String {
        guard abs(unixMilliseconds / 1000) < 250_000_000_000 else { return "\(unixMilliseconds)ms" }
        return "\(CivilDate(self))T\(utcTimeOfDay)Z"
    }

    /// As `utcText`, without milliseconds if they are zero.
    package var briefUTCText: String {
        let text = utcText
        return text.hasSuffix(".000Z") ? text.dropLast(5) + "Z" : text
    }

    /// The time of day in UTC, as HH:MM:SS.sss.
    var utcTimeOfDay: String {
        let ofDay = (unixMilliseconds % 86_400_000 + 86_400_000) % 86_400_000
        let (seconds, milliseconds) = ofDay.quotientAndRemainder(dividingBy: 1000)
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(to: 2) }.joined(separator: ":")
        return "\(clock).\(milliseconds.padded(to: 3))"
    }
}

extension WallTime: CustomStringConvertible {
    public var description: String { utcText }
}

extension Int {
    /// Rounds towards minus infinity. `/` rounds towards zero.
    fileprivate func quotientRoundedDown(by divisor: Int) -> Int {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
