import GateModel
import GateTexts

/// How much time a person has used of one thing on each of the last seven days: a bar for each day, with its texts.
package struct WeekPlot: Hashable, Sendable {
    package static let dayCount = 7

    /// One day.
    package struct Bar: Hashable, Sendable {
        /// The height of the bar. 1 is the most time that was used or allowed on any of the days.
        package var used: Double
        /// The height of the line at the time that is allowed on such a day; `nil` if no time of a day limits it.
        package var allowed: Double?
        /// The time used in hours and minutes, like `1:05`. A dash if it was not used.
        package var figure: String
        /// The short name of the weekday, or "Today".
        package var day: String
        /// The bar in words, for a screen reader.
        package var spoken: String
    }

    /// The oldest day first. The last one is today.
    package let bars: [Bar]
    /// The heading.
    package let title: String
    /// The legend of the line; empty if there is none.
    package let allowed: String

    /// - Parameters:
    ///   - times: the time used on days up to today, in any order. On other days nothing was used.
    ///   - today: the day that is counted now.
    ///   - allowance: what limits the time; `nil`: nothing does.
    init(_ times: [UsedTime], today: CivilDate, allowance: Allowance?, _ moment: SettingsMoment) {
        let used = Dictionary(times.map { ($0.day.daysSince1970, $0.used) }) { max($0, $1) }
        let last = today.daysSince1970
        let days = (last - Int64(Self.dayCount - 1)...last).map { number in
            (number: number, used: used[number] ?? .zero, allowed: allowance?.time(ofDay: number))
        }
        let most = days.map { max($0.used, $0.allowed ?? .zero) }.max() ?? .zero
        bars = days.map { day in
            Bar(
                used: most == .zero ? 0 : day.used / most,
                allowed: day.allowed.map { most == .zero ? 0 : $0 / most }, figure: Self.figure(day.used),
                day: day.number == last
                    ? localized("Today") : DateWords.weekdays[UsageDay.weekday(of: day.number)],
                spoken: Self.spoken(day.number, day.used, day.allowed, moment))
        }
        title = localized("Hours and minutes per day")
        allowed = days.contains { $0.allowed != nil } ? localized("time allowed") : ""
    }

    private static func figure(_ used: Duration) -> String {
        guard used > .zero else { return "–" }
        let minutes = used.components.seconds / 60
        return "\(minutes / 60):\(Int(minutes % 60).padded(to: 2))"
    }

    /// `Monday, 2026-11-23: 40 minutes, 1 hour allowed`
    private static func spoken(_ day: Int64, _ used: Duration, _ allowed: Duration?, _ moment: SettingsMoment) -> String
    {
        let name = ListText.facts([
            ScheduleWords.day(UsageDay.weekday(of: day)), moment.text(UsageDay.date(of: day)),
        ])
        let time = used > .zero ? DurationWords.text(DurationWords.minutes(used)) : localized("not used")
        let limit = allowed.map { time in
            time > .zero
                ? localized("{time} allowed", ["time": DurationWords.text(time)]) : localized("no time allowed")
        }
        return ListText.pair(name, ListText.facts([time] + (limit.map { [$0] } ?? [])))
    }
}

extension Allowance {
    /// The time that the day with this number has; `nil` if only the week has a limit.
    fileprivate func time(ofDay number: Int64) -> Duration? {
        guard let secondsOfDays else { return nil }
        let weekday = UsageDay.weekday(of: number)
        return .seconds(secondsOfDays.indices.contains(weekday) ? secondsOfDays[weekday] : 0)
    }
}
