package import GateModel

/// The device's local time, in which days begin at midnight.
package struct LocalClock: Sendable {
    package static let dayMilliseconds: Int64 = 86_400_000

    private let secondsEastOfUTC: @Sendable (WallTime) -> Int

    /// - Parameter secondsEastOfUTC: how far the clock is ahead of UTC at a moment, with summer time.
    package init(secondsEastOfUTC: @escaping @Sendable (WallTime) -> Int) {
        self.secondsEastOfUTC = secondsEastOfUTC
    }

    /// A clock that shows UTC.
    package static let utc = LocalClock { _ in 0 }

    package func day(_ time: WallTime) -> CivilDate { CivilDate(local(time)) }

    /// When the next local day begins. A day on which summer time begins or ends has 23 or 25 hours.
    package func nextMidnight(after time: WallTime) -> WallTime {
        let midnight = (day(time).daysSince1970 + 1) * Self.dayMilliseconds
        func moment(_ offset: Int) -> WallTime { WallTime(unixMilliseconds: midnight - Int64(offset) * 1000) }
        let guess = moment(secondsEastOfUTC(time))
        let next = moment(secondsEastOfUTC(guess))
        // If summer time skips midnight itself, the two offsets disagree. The result must be later than `time`.
        return next > time ? next : max(guess, WallTime(unixMilliseconds: time.unixMilliseconds + 1))
    }

    /// `18:05`
    package func timeOfDay(_ time: WallTime) -> String {
        let milliseconds = local(time).unixMilliseconds
        let minutes = (milliseconds / 60_000 % 1440 + 1440) % 1440
        return "\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))"
    }

    private func local(_ time: WallTime) -> WallTime {
        let (sum, overflow) = time.unixMilliseconds.addingReportingOverflow(Int64(secondsEastOfUTC(time)) * 1000)
        return WallTime(unixMilliseconds: overflow ? time.unixMilliseconds : sum)
    }
}
