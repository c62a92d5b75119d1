/// A moment of the device's boot clock (CLOCK_BOOTTIME), which runs on while the device sleeps and which no one can
/// set. Every deadline is one of these.
public struct BootTime: Hashable, Sendable, Comparable, InstantProtocol {
    /// Nanoseconds since the device was booted.
    public var nanoseconds: Int64

    /// The moment so many nanoseconds after the boot.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The deadline of what ends by something else.
    public static let never = BootTime(nanoseconds: .max)

    public static func < (left: BootTime, right: BootTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Saturates: a deadline too far away to be told stays far away.
    public func advanced(by duration: Duration) -> BootTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
        return BootTime(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// The time from this moment to another one; negative where that one is earlier.
    public func duration(to other: BootTime) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }
}

/// A moment of the wall clock. For people to read, in the journal; no rule depends on it.
public struct WallTime: Hashable, Sendable, Comparable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var unixMilliseconds: Int64

    /// The moment so many milliseconds after 1 January 1970, 00:00 UTC.
    public init(unixMilliseconds: Int64) {
        self.unixMilliseconds = unixMilliseconds
    }

    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.unixMilliseconds < right.unixMilliseconds
    }
}

extension Duration {
    /// Whole nanoseconds, clamped to what 64 bits hold (292 years).
    @inlinable
    package var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, overflowOfSum) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflow || overflowOfSum ? (seconds < 0 ? .min : .max) : sum
    }

    /// Whole milliseconds, rounded up, so that waiting this long is always long enough.
    @inlinable
    package var millisecondsRoundedUp: Int64 {
        let nanoseconds = clampedNanoseconds
        return nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
    }
}

/// A moment, as the clock on the wall has it where the device is.
package struct LocalTime: Hashable, Sendable {
    /// The moment.
    package var time: WallTime
    /// How far the device's time zone is ahead of UTC at that moment.
    package var minutesEastOfUTC: Int

    /// Makes a moment in a time zone.
    package init(_ time: WallTime, minutesEastOfUTC: Int = 0) {
        self.time = time
        self.minutesEastOfUTC = minutesEastOfUTC
    }

    /// The milliseconds since 1970 began here.
    private var milliseconds: Int64 {
        let (sum, isTooFar) = time.unixMilliseconds.addingReportingOverflow(Int64(minutesEastOfUTC) * 60_000)
        return isTooFar ? time.unixMilliseconds : sum
    }

    /// The day here.
    package var day: CivilDate { CivilDate(WallTime(unixMilliseconds: milliseconds)) }

    /// The milliseconds since midnight here.
    package var millisecondsOfDay: Int {
        let rest = Int(milliseconds % 86_400_000)
        return rest < 0 ? rest + 86_400_000 : rest
    }
}
