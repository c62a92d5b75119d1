/// How much time something may be used on each day, and in each week, as `allowances` of the policy says.
package struct Allowance: Hashable, Sendable {
    /// The name in the policy, like "games".
    package var name: String
    /// The seconds of the weekdays, Monday first; those that are missing have none. `nil`: only `secondsOfWeek` limits
    /// the use.
    package var secondsOfDays: [Int]?
    /// The seconds of a week, which begins with Monday; `nil`: only `secondsOfDays` limits the use.
    package var secondsOfWeek: Int?
    /// When a day begins, in minutes from its midnight. A child who plays at 1:00 uses the time of the evening before.
    package var dayStart: Int

    /// If both limits are `nil`, there is never any time.
    package init(_ name: String, secondsOfDays: [Int]? = nil, secondsOfWeek: Int? = nil, dayStart: Int = 0) {
        self.name = name
        self.secondsOfDays = secondsOfDays
        self.secondsOfWeek = secondsOfWeek
        self.dayStart = dayStart
    }
}

/// A day by which use is counted: it begins at a time of the local clock that the policy sets, not always at midnight.
package struct UsageDay: Hashable, Sendable {
    /// The civil day on which it begins, in days since 1970-01-01.
    package var number: Int64
    /// When it begins and ends. Not empty.
    package var times: Range<WallTime>

    /// The day to which `now` belongs. A day begins at the first moment at which the local clock shows its start, or a
    /// later time if the clock skips that. So an hour that comes twice does not begin the day a second time.
    ///
    /// - Parameter start: when days begin, in minutes from midnight.
    package init(at now: WallTime, in zone: ZoneOffsets, start: Int) {
        let today = zone.localTime(now).day.daysSince1970
        func begin(_ day: Int64) -> WallTime { Self.begin(of: day, in: zone, start: start) }
        var number = today - 2
        while begin(number + 1) <= now, number < today + 2 { number += 1 }
        self.number = number
        // A zone can skip a whole day. Then the next day begins at the same moment, and this one was passed over above.
        times = min(begin(number), now)..<max(begin(number + 1), now.advanced(by: .milliseconds(1)))
    }

    /// When the day with this number begins.
    package static func begin(of number: Int64, in zone: ZoneOffsets, start: Int) -> WallTime {
        zone.firstMoment(showing: number * Int64(Schedule.minutesOfDay) + Int64(start))
    }

    /// From 0 for Monday. 1970-01-01 was a Thursday.
    package static func weekday(of number: Int64) -> Int { Int(((number + 3) % 7 + 7) % 7) }

    /// The days of the week to which a day belongs, from its Monday up to the day itself.
    package static func weekSoFar(of number: Int64) -> ClosedRange<Int64> {
        number - Int64(weekday(of: number))...number
    }

    package static func date(of number: Int64) -> CivilDate {
        let (milliseconds, isTooFar) = number.multipliedReportingOverflow(by: 86_400_000)
        return CivilDate(WallTime(unixMilliseconds: isTooFar ? 0 : milliseconds))
    }
}

extension Allowance {
    /// How much time is left on a day. Never negative.
    ///
    /// - Parameter used: the time used on the day with a number.
    package func left(on day: Int64, used: (Int64) -> Duration) -> Duration {
        let weekday = UsageDay.weekday(of: day)
        let ofDay = secondsOfDays.map { Duration.seconds($0.indices.contains(weekday) ? $0[weekday] : 0) - used(day) }
        let ofWeek = secondsOfWeek.map { seconds in
            UsageDay.weekSoFar(of: day).reduce(Duration.seconds(seconds)) { $0 - used($1) }
        }
        guard let left = ofDay ?? ofWeek else { return .zero }
        return max(min(left, ofWeek ?? left), .zero)
    }

    /// The next day after `day` that has time left, if nothing more is used until then; `nil` if none of the next two
    /// weeks has any.
    package func nextDay(after day: Int64, used: (Int64) -> Duration) -> Int64? {
        (day + 1...day + 14).first { left(on: $0, used: used) > .zero }
    }

    /// The weekdays that have the same time, those with more than none, in the order of the first of them.
    package var dayGroups: [(days: [ClosedRange<Int>], seconds: Int)] {
        let spans = (secondsOfDays ?? []).map { $0 > 0 ? [Schedule.Span(0, $0)] : [] }
        return Schedule(name, days: spans).dayGroups.map { (days: $0.days, seconds: $0.spans[0].end) }
    }
}

extension Allowance {
    /// Whether it never gives more time than another one. `false` also stands for "that can't be told".
    package func givesNoMore(than other: Allowance) -> Bool {
        let week = secondsOfWeek ?? .max
        guard dayStart == other.dayStart, week <= other.secondsOfWeek ?? .max else { return false }
        guard let others = other.secondsOfDays else { return other.secondsOfWeek != nil }
        guard let secondsOfDays else { return false }
        return zip(secondsOfDays, others).allSatisfy { $0 <= $1 }
    }
}
