/// A moment of the device's boot clock (CLOCK_BOOTTIME). It goes on while the device sleeps, and nobody can set it, so
/// Gate's own deadlines are such moments.
public struct BootTime: Hashable, Sendable, Comparable, InstantProtocol {
    /// Nanoseconds since the boot.
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The deadline of something that does not end by itself.
    public static let never = BootTime(nanoseconds: .max)

    public static func < (left: BootTime, right: BootTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// A result that does not fit becomes the latest or the earliest moment.
    public func advanced(by duration: Duration) -> BootTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
        return BootTime(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// The time from this moment to `other`; negative if `other` is earlier.
    public func duration(to other: BootTime) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }
}

/// A moment of the wall clock, which can be set. It tells people when something happened, and it is used for times that
/// others state: the end of a purchase, a date of birth, how long a household's list is valid.
public struct WallTime: Hashable, Sendable, Comparable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var unixMilliseconds: Int64

    public init(unixMilliseconds: Int64) {
        self.unixMilliseconds = unixMilliseconds
    }

    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.unixMilliseconds < right.unixMilliseconds
    }

    /// Later than every other moment: the end of something that does not end by itself.
    package static let never = WallTime(unixMilliseconds: .max)

    /// This moment plus the duration, which is rounded up to milliseconds; this moment if the sum is out of range.
    package func advanced(by duration: Duration) -> WallTime {
        let (sum, isTooFar) = unixMilliseconds.addingReportingOverflow(duration.millisecondsRoundedUp)
        return isTooFar ? self : WallTime(unixMilliseconds: sum)
    }

    /// How long after another time this is; negative if it is earlier.
    package func duration(since other: WallTime) -> Duration {
        let (difference, isTooFar) = unixMilliseconds.subtractingReportingOverflow(other.unixMilliseconds)
        return .milliseconds(isTooFar ? (self < other ? .min : .max) : difference)
    }
}

extension Duration {
    /// Whole nanoseconds. Durations of more than 292 years are clamped to what 64 bits hold.
    @inlinable
    package var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || overflowOfSum ? (seconds < 0 ? .min : .max) : sum
    }

    /// Whole milliseconds, rounded up, so that waiting this long is never too short.
    @inlinable
    package var millisecondsRoundedUp: Int64 {
        let nanoseconds = clampedNanoseconds
        return nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
    }
}

/// A moment, together with the time zone of the device.
package struct LocalTime: Hashable, Sendable {
    package var time: WallTime
    /// How many minutes the device's clock is ahead of UTC at that moment.
    package var minutesEastOfUTC: Int

    package init(_ time: WallTime, minutesEastOfUTC: Int = 0) {
        self.time = time
        self.minutesEastOfUTC = minutesEastOfUTC
    }

    /// Milliseconds since 1970-01-01T00:00 of the local clock. If they do not fit, the zone is ignored.
    private var milliseconds: Int64 {
        let (sum, isTooFar) = time.unixMilliseconds.addingReportingOverflow(Int64(minutesEastOfUTC) * 60_000)
        return isTooFar ? time.unixMilliseconds : sum
    }

    package var day: CivilDate { CivilDate(WallTime(unixMilliseconds: milliseconds)) }

    /// Milliseconds since midnight by the local clock.
    package var millisecondsOfDay: Int {
        let rest = Int(milliseconds % 86_400_000)
        return rest < 0 ? rest + 86_400_000 : rest
    }
}
