/// The hours of the week at which something is open, as `schedules` of the policy says.
package struct Schedule: Hashable, Sendable {
    package struct Span: Hashable, Sendable {
        /// Minutes from the midnight at which its weekday begins.
        package var begin: Int
        /// Later than `begin`. More than 24 hours if the span ends on the next day.
        package var end: Int

        package init(_ begin: Int, _ end: Int) {
            (self.begin, self.end) = (begin, end)
        }
    }

    package static let minutesOfDay = 24 * 60
    /// Weekdays as a policy and the wire name them, Monday first.
    package static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    /// Their English names, for people.
    package static let weekdayNames = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// The name in the policy, like "after-school".
    package var name: String
    /// The spans of each weekday, Monday first, in the order of their times. Without any span it is never open.
    package var days: [[Span]]

    /// - Parameter days: seven, Monday first.
    package init(_ name: String, days: [[Span]] = Array(repeating: [], count: 7)) {
        self.name = name
        self.days = days
    }
}

/// Whether a schedule is open, and for how long that stays so.
package struct ScheduleReading: Hashable, Sendable {
    package var isOpen: Bool
    /// When it closes or opens; `nil` if it does neither within two weeks.
    package var until: WallTime?
    /// The reading is the same at each of these moments, if the zone is the same.
    package var validity: Range<WallTime>
}

extension Schedule {
    /// Whether the schedule is open at `now`, and until when. A schedule opens at the first moment at which the local
    /// clock shows the beginning of a span, or a later time if the clock skips that; it closes likewise. So nothing
    /// opens a second time in an hour that comes twice, and a span within a skipped hour does not open at all. A span
    /// belongs to the weekday on which it begins.
    package func reading(at now: WallTime, in zone: ZoneOffsets) -> ScheduleReading {
        let today = zone.localTime(now).day.daysSince1970
        // A span of the day before may reach into today. The only span of a week may fall into a skipped hour, so more
        // than one week ahead is read.
        let range = (today - 2)..<(today + 15)
        func midnight(_ day: Int64) -> WallTime {
            zone.firstMoment(showing: day * Int64(Self.minutesOfDay))
        }
        let horizon = midnight(range.upperBound)
        // Spans that began before these days have ended by this moment.
        var closedSince = midnight(range.lowerBound + 1)
        for open in openTimes(on: range, in: zone) {
            if now < open.lowerBound {
                return ScheduleReading(isOpen: false, until: open.lowerBound, validity: closedSince..<open.lowerBound)
            }
            if now < open.upperBound {
                let isEnd = open.upperBound < horizon
                return ScheduleReading(isOpen: true, until: isEnd ? open.upperBound : nil, validity: open)
            }
            closedSince = max(closedSince, open.upperBound)
        }
        return ScheduleReading(isOpen: false, until: nil, validity: closedSince..<max(closedSince, horizon))
    }

    /// When the schedule is open on these days, in order. Spans without a gap between them are joined.
    private func openTimes(on days: Range<Int64>, in zone: ZoneOffsets) -> [Range<WallTime>] {
        var times: [Range<WallTime>] = []
        for day in days {
            let midnight = day * Int64(Self.minutesOfDay)
            for span in self.days[CivilDate(WallTime(unixMilliseconds: midnight * 60_000)).weekday] {
                let begin = zone.firstMoment(showing: midnight + Int64(span.begin))
                let end = zone.firstMoment(showing: midnight + Int64(span.end))
                if let last = times.last, begin <= last.upperBound {
                    times[times.count - 1] = last.lowerBound..<max(last.upperBound, end)
                } else if begin < end {
                    times.append(begin..<end)
                }
            }
        }
        return times
    }
}

extension Schedule {
    /// Whether it is open only when another one is. `false` also stands for "that can't be told".
    package func givesNoMore(than other: Schedule) -> Bool {
        zip(days, other.days).allSatisfy { spans, others in
            spans.allSatisfy { span in others.contains { $0.begin <= span.begin && span.end <= $0.end } }
        }
    }
}

/// A schedule of the policy, as a watcher sees it.
public struct ScheduleState: Hashable, Sendable {
    /// The name of the schedule in the policy, like "after-school".
    public var name: String
    /// Whether gates that need it are open now, as far as this schedule decides.
    public var isOpen: Bool
    /// When it closes or opens next, by the wall clock; `nil` if it does neither within two weeks.
    public var until: WallTime?

    public init(name: String, isOpen: Bool, until: WallTime?) {
        self.name = name
        self.isOpen = isOpen
        self.until = until
    }
}

// MARK: - Words

extension Schedule {
    /// Weekdays that have the same spans.
    package struct DayGroup: Hashable, Sendable {
        /// Weekdays in a row, from 0 for Monday.
        package var days: [ClosedRange<Int>]
        package var spans: [Span]
    }

    /// The weekdays that have spans, those with the same ones together.
    package var dayGroups: [DayGroup] {
        var groups: [DayGroup] = []
        for (day, spans) in days.enumerated() where !spans.isEmpty {
            guard let index = groups.firstIndex(where: { $0.spans == spans }) else {
                groups.append(DayGroup(days: [day...day], spans: spans))
                continue
            }
            if let last = groups[index].days.last, last.upperBound == day - 1 {
                groups[index].days[groups[index].days.count - 1] = last.lowerBound...day
            } else {
                groups[index].days.append(day...day)
            }
        }
        return groups
    }
}

extension Schedule.Span {
    /// For people, in every language: "15:00–19:00".
    package var text: String { "\(Self.clock(begin))–\(Self.clock(end))" }

    /// A time of day: "9:00". Minutes of the next day count from its midnight.
    package static func clock(_ minutes: Int) -> String {
        let ofDay = minutes == Schedule.minutesOfDay ? minutes : minutes % Schedule.minutesOfDay
        return "\(ofDay / 60):\((ofDay % 60).padded(to: 2))"
    }
}
