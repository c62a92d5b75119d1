import GateModel

/// Counts the whole years, months, weeks and so on between two dates, moments or times: FHIRPath's `duration()`.
enum WholePeriods {
    enum Failure: Error {
        /// Values of this type can't be counted in that unit.
        case unit
    }

    /// Negative if `end` is before `start`; `nil` if one of them is not known exactly enough.
    static func between(_ start: FormDate, _ end: FormDate, _ unit: CalendarUnit) throws(Failure) -> Int? {
        guard !unit.isOfClock else { throw .unit }
        return try between(CalendarMoment(start), CalendarMoment(end), unit)
    }

    static func between(_ start: CalendarMoment, _ end: CalendarMoment, _ unit: CalendarUnit) throws(Failure) -> Int? {
        // The time zone of `start` decides when a day begins.
        let end = start.offsetMinutes.flatMap { end.shifted(toOffset: $0) } ?? end
        switch unit {
        case .year, .month:
            guard let order = FormDate.compare(start.date, end.date) else { return nil }
            return order > 0 ? calendar(end, start, unit).map { -$0 } : calendar(start, end, unit)
        case .week, .day:
            guard let days = days(start, end) else { return nil }
            return unit == .week ? days / 7 : days
        case .hour, .minute, .second, .millisecond:
            guard let first = start.secondsSince1970, let last = end.secondsSince1970 else { return nil }
            for time in [start.time, end.time] where time?.isKnown(to: unit) != true { return nil }
            return clock(first, last, unit)
        }
    }

    static func between(_ start: ClockTime, _ end: ClockTime, _ unit: CalendarUnit) throws(Failure) -> Int? {
        guard unit.isOfClock else { throw .unit }
        for time in [start, end] where !time.isKnown(to: unit) { return nil }
        return clock(start.secondsSinceMidnight, end.secondsSinceMidnight, unit)
    }

    // MARK: - By the calendar

    /// - Precondition: `start` is not after `end`.
    private static func calendar(_ start: CalendarMoment, _ end: CalendarMoment, _ unit: CalendarUnit) -> Int? {
        let years = end.date.year - start.date.year
        switch unit {
        case .year:
            guard let order = rest(start, end, \.inYear, { $0.month == nil }) else { return nil }
            return years - (order > 0 ? 1 : 0)
        case .month:
            guard let first = start.date.month, let last = end.date.month,
                let order = rest(start, end, \.inMonth, { $0.day == nil })
            else { return nil }
            return years * 12 + last - first - (order > 0 ? 1 : 0)
        case .week, .day, .hour, .minute, .second, .millisecond: return nil
        }
    }

    /// Compares the parts that are smaller than the unit; the last period is incomplete if the result is positive.
    /// Times of day are compared only if both values have one.
    private static func rest(
        _ start: CalendarMoment, _ end: CalendarMoment, _ part: (FormDate) -> FormDate?, _ isMissing: (FormDate) -> Bool
    ) -> Int? {
        switch (isMissing(start.date), isMissing(end.date)) {
        case (true, true): return 0
        case (true, false), (false, true): return nil
        case (false, false): break
        }
        guard let ours = part(start.date), let theirs = part(end.date),
            let order = FormDate.compare(ours, theirs)
        else { return nil }
        guard order == 0, let time = start.time, let otherTime = end.time else { return order }
        return ClockTime.compare(time, otherTime)
    }

    private static func days(_ start: CalendarMoment, _ end: CalendarMoment) -> Int? {
        guard let first = start.date.civilDate, let last = end.date.civilDate else { return nil }
        let days = Int(last.daysSince1970 - first.daysSince1970)
        guard days != 0, let time = start.time, let otherTime = end.time else { return days }
        guard let order = ClockTime.compare(time, otherTime) else { return nil }
        return days > 0 ? days - (order > 0 ? 1 : 0) : days + (order < 0 ? 1 : 0)
    }

    // MARK: - By the clock

    private static func clock(_ start: ExactDecimal, _ end: ExactDecimal, _ unit: CalendarUnit) -> Int? {
        let milliseconds = end.minus(start)?.times(ExactDecimal(1000))
        return milliseconds?.quotientAndRemainder(by: ExactDecimal(unit.milliseconds))?.quotient.whole
    }
}

extension FormDate {
    /// The same day in a leap year, which has every day.
    fileprivate var inYear: FormDate? { FormDate(year: 2000, month: month, day: day) }

    /// The same day in January, which has every day.
    fileprivate var inMonth: FormDate? { FormDate(year: 2000, month: 1, day: day) }
}

extension ClockTime {
    fileprivate func isKnown(to unit: CalendarUnit) -> Bool {
        switch unit {
        case .second, .millisecond: second != nil
        case .minute: minute != nil
        case .year, .month, .week, .day, .hour: true
        }
    }
}

extension CalendarMoment {
    /// Without a time zone it counts as UTC. `nil` without a time.
    fileprivate var secondsSince1970: ExactDecimal? {
        guard let time, let day = date.civilDate else { return nil }
        let start = ExactDecimal(Int(day.daysSince1970) * 86_400 - (offsetMinutes ?? 0) * 60)
        return start.plus(time.secondsSinceMidnight)
    }
}
