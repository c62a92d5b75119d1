import GateModel

/// Adds durations to dates, moments and times of day by FHIRPath's rules, with the calendar's months and years.
enum DateArithmetic {
    enum Failure: Error {
        /// The quantity is not a duration, or its unit does not fit the date or time.
        case unit
        /// The result is before year 1 or after year 9999.
        case outsideCalendar
    }

    /// A unit that is finer than the date is first converted to one that the date has. The rest is dropped.
    static func sum(_ date: FormDate, _ quantity: ExpressionQuantity) throws(Failure) -> FormDate {
        let unit = try unit(of: quantity)
        guard !unit.isOfClock, let count = quantity.value.whole else { throw .unit }
        return try sum(date, count, unit)
    }

    static func sum(_ moment: CalendarMoment, _ quantity: ExpressionQuantity) throws(Failure) -> CalendarMoment {
        let unit = try unit(of: quantity)
        guard let time = moment.time, unit.isOfClock else {
            // A moment without a time changes only by whole days.
            let value = unit.isOfClock ? converted(quantity.value, unit, to: .day) : quantity.value
            guard let count = value?.whole else { throw .outsideCalendar }
            let date = try sum(moment.date, count, unit.isOfClock ? .day : unit)
            return CalendarMoment(date, moment.time, offsetMinutes: moment.offsetMinutes)
        }
        let (later, days) = try sum(time, quantity.value, unit)
        return CalendarMoment(try sum(moment.date, days, .day), later, offsetMinutes: moment.offsetMinutes)
    }

    /// The result wraps around at midnight.
    static func sum(_ time: ClockTime, _ quantity: ExpressionQuantity) throws(Failure) -> ClockTime {
        let unit = try unit(of: quantity)
        guard unit.isOfClock else { throw .unit }
        return try sum(time, quantity.value, unit).time
    }

    // MARK: -

    private static func unit(of quantity: ExpressionQuantity) throws(Failure) -> CalendarUnit {
        switch quantity.unit {
        case .calendar(let unit): return unit
        case .ucum(let code):
            guard let unit = CalendarUnit(ucum: code) else { throw .unit }
            return unit
        }
    }

    private static func sum(
        _ time: ClockTime, _ value: ExactDecimal, _ unit: CalendarUnit
    ) throws(Failure) -> (time: ClockTime, days: Int) {
        let finest: CalendarUnit = time.second != nil ? .second : time.minute != nil ? .minute : .hour
        // Only seconds and milliseconds may have a fraction. The fractions of other units are dropped.
        let hasFraction = unit == .second || unit == .millisecond
        let counted = hasFraction ? value : value.whole.map { ExactDecimal($0) }
        guard var count = counted.flatMap({ converted($0, unit, to: finest) }) else { throw .outsideCalendar }
        if finest != .second, let whole = count.whole { count = ExactDecimal(whole) }
        guard let later = time.later(by: count) else { throw .outsideCalendar }
        return later
    }

    private static func converted(_ value: ExactDecimal, _ unit: CalendarUnit, to other: CalendarUnit) -> ExactDecimal?
    {
        guard unit != other else { return value }
        let (from, to) = (unit.milliseconds, other.milliseconds)
        let factor = from % to == 0 ? value.times(ExactDecimal(from / to)) : nil
        // Only the whole part of this quotient is used, except for milliseconds in seconds, which is exact.
        return factor ?? value.times(ExactDecimal(from))?.divided(by: ExactDecimal(to))
    }

    private static func sum(_ date: FormDate, _ count: Int, _ unit: CalendarUnit) throws(Failure) -> FormDate {
        // This keeps everything below from overflowing.
        guard count.magnitude <= FormDate.calendarDays else { throw .outsideCalendar }
        switch (unit, date.month, date.day) {
        case (.year, _, _): return try sum(date, months: count * 12)
        case (.month, nil, _): return try sum(date, months: count / 12 * 12)
        case (.month, _?, _): return try sum(date, months: count)
        case (.week, _, _): return try sum(date, count * 7, .day)
        case (_, nil, _): return try sum(date, months: count / 365 * 12)
        case (_, _?, nil): return try sum(date, months: count / 30)
        case (_, _?, _?):
            guard let day = date.civilDate, let later = FormDate(daysSince1970: day.daysSince1970 + Int64(count)) else {
                throw .outsideCalendar
            }
            return later
        }
    }

    /// If the month does not have that day, the result is its last day.
    private static func sum(_ date: FormDate, months: Int) throws(Failure) -> FormDate {
        let total = date.year * 12 + (date.month ?? 1) - 1 + months
        guard total >= 12, total < 120_000 else { throw .outsideCalendar }
        let (year, month) = (total / 12, total % 12 + 1)
        for day in [date.day, 30, 29, 28] {
            let day = date.day.flatMap { _ in day }
            if let date = FormDate(year: year, month: date.month.map { _ in month }, day: day) { return date }
        }
        throw .outsideCalendar
    }
}
