/// How far the device's clock is ahead of UTC, for some weeks around a moment. It is a time zone as a plain value, so
/// that rules about the time of day need no zone database.
package struct ZoneOffsets: Hashable, Sendable {
    /// The clock is set to another distance from UTC, for example when summer time begins or ends.
    package struct Change: Hashable, Sendable {
        package var time: WallTime
        /// The distance from this moment on.
        package var minutesEastOfUTC: Int

        package init(at time: WallTime, minutesEastOfUTC: Int) {
            self.time = time
            self.minutesEastOfUTC = minutesEastOfUTC
        }
    }

    /// The distance before the first change.
    private let minutesAtFirst: Int
    private let changes: [Change]

    /// - Parameter changes: in the order of their times. After the last one, the distance stays.
    package init(minutesEastOfUTC: Int = 0, changes: [Change] = []) {
        minutesAtFirst = minutesEastOfUTC
        self.changes = changes
    }

    package func minutesEastOfUTC(at time: WallTime) -> Int {
        changes.last { $0.time <= time }?.minutesEastOfUTC ?? minutesAtFirst
    }

    package func localTime(_ time: WallTime) -> LocalTime {
        LocalTime(time, minutesEastOfUTC: minutesEastOfUTC(at: time))
    }

    /// The first moment at which the clock shows this time, or a later one if the clock skips it. Of an hour that comes
    /// twice, this is the first one.
    ///
    /// - Parameter localMinutes: minutes since 1970-01-01T00:00 of the local clock.
    package func firstMoment(showing localMinutes: Int64) -> WallTime {
        var (minutes, begin) = (minutesAtFirst, WallTime(unixMilliseconds: .min))
        func moment() -> WallTime {
            max(begin, WallTime(unixMilliseconds: (localMinutes - Int64(minutes)) * 60_000))
        }
        for change in changes {
            if moment() < change.time { break }
            (minutes, begin) = (change.minutesEastOfUTC, change.time)
        }
        return moment()
    }

    /// When the day ends that the clock shows at this moment. If the clock was set back across midnight since, the day
    /// that had begun counts.
    package func endOfDay(at time: WallTime) -> WallTime {
        let (today, minutesOfDay) = (localTime(time).day.daysSince1970, Int64(Schedule.minutesOfDay))
        let midnight = firstMoment(showing: (today + 1) * minutesOfDay)
        return time < midnight ? midnight : firstMoment(showing: (today + 2) * minutesOfDay)
    }
}
