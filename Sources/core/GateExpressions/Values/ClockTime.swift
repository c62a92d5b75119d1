package import GateModel

/// A time of day: an hour, perhaps with minutes, perhaps with seconds.
package struct ClockTime: Sendable {
    /// 0 to 23.
    package let hour: Int
    /// 0 to 59.
    package let minute: Int?
    /// From 0 to below 61, with a fraction. Never without minutes.
    package let second: ExactDecimal?

    init(hour: Int, minute: Int? = nil, second: ExactDecimal? = nil) {
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Reads "14", "14:30", "14:30:05" and "14:30:05.250"; `nil` if there is no such time.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        func number(_ text: Substring, below limit: Int) -> Int? {
            guard text.utf8.count == 2, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text)
            else { return nil }
            return number < limit ? number : nil
        }
        guard (1...3).contains(parts.count), let hour = number(Substring(parts[0]), below: 24) else { return nil }
        var (minute, second): (Int?, ExactDecimal?)
        if parts.count > 1 {
            minute = number(Substring(parts[1]), below: 60)
            guard minute != nil else { return nil }
        }
        if parts.count > 2 {
            second = ExactDecimal(text: String(parts[2]))
            // FHIR allows second 60, for leap seconds.
            guard second != nil, number(Substring(parts[2].prefix { $0 != "." }), below: 61) != nil else { return nil }
        }
        self.init(hour: hour, minute: minute, second: second)
    }

    /// `nil` if the seconds have more places than `ExactDecimal` can hold.
    package init?(_ time: FormTime) {
        self.init(text: time.text)
    }

    package var text: String {
        var text = hour.padded(to: 2)
        if let minute { text += ":" + minute.padded(to: 2) }
        if let second { text += (second < ExactDecimal(10) ? ":0" : ":") + second.text }
        return text
    }

    /// Negative if `left` is earlier, positive if it is later; `nil` if one of them is not exact enough to tell.
    package static func compare(_ left: ClockTime, _ right: ClockTime) -> Int? {
        if left.hour != right.hour { return left.hour < right.hour ? -1 : 1 }
        switch (left.minute, right.minute) {
        case (nil, nil): return 0
        case (nil, _?), (_?, nil): return nil
        case (let ours?, let theirs?): if ours != theirs { return ours < theirs ? -1 : 1 }
        }
        switch (left.second, right.second) {
        case (nil, nil): return 0
        case (nil, _?), (_?, nil): return nil
        case (let ours?, let theirs?): return ExactDecimal.compare(ours, theirs)
        }
    }

    /// Unknown minutes and seconds count as 0.
    var secondsSinceMidnight: ExactDecimal {
        let minutes = ExactDecimal((hour * 60 + (minute ?? 0)) * 60)
        return minutes.plus(second ?? ExactDecimal(0)) ?? minutes
    }

    /// Adds hours, minutes or seconds, whichever is the finest part that is known. `days` is the number of midnights
    /// crossed. `nil` if there are more of them than days in the calendar.
    func later(by count: ExactDecimal) -> (time: ClockTime, days: Int)? {
        let (unit, day): (Int, Int) = second != nil ? (1, 86_400) : minute != nil ? (60, 1_440) : (3_600, 24)
        let start = second != nil ? secondsSinceMidnight : ExactDecimal((secondsSinceMidnight.whole ?? 0) / unit)
        guard let sum = start.plus(count),
            let parts = sum.quotientAndRemainder(by: ExactDecimal(day)), var days = parts.quotient.whole,
            days.magnitude <= FormDate.calendarDays
        else { return nil }
        var rest = parts.remainder
        if rest < ExactDecimal(0), let positive = rest.plus(ExactDecimal(day)) { (rest, days) = (positive, days - 1) }
        guard let whole = rest.whole else { return nil }
        if second == nil {
            let minutes = whole * unit / 60
            return (ClockTime(hour: minutes / 60, minute: minute == nil ? nil : minutes % 60), days)
        }
        let seconds = rest.minus(ExactDecimal(whole - whole % 60))
        return (ClockTime(hour: whole / 3600, minute: whole / 60 % 60, second: seconds), days)
    }
}

extension ClockTime: CustomStringConvertible {
    package var description: String { text }
}
