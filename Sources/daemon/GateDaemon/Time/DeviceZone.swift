import GateModel

/// The device's time zone as the core needs it: a value with the changes of some weeks. It is read again when the wall
/// clock has left these weeks, and whenever `/etc/localtime` may be another file: after a change in `/etc`, when the
/// wall clock was set, and when a deadline came. Confined to the event loop.
final class DeviceZone {
    private static let day: Int64 = 86_400_000

    private let clock: any Clock
    private var known = ZoneOffsets()
    /// The times for which `known` is returned. The offsets in it reach three weeks further on both sides.
    private var times: Range<WallTime>

    init(_ clock: any Clock) {
        self.clock = clock
        times = WallTime(unixMilliseconds: 0)..<WallTime(unixMilliseconds: 0)
    }

    func offsets(at time: WallTime) -> ZoneOffsets {
        if !times.contains(time) { read(around: time) }
        return known
    }

    /// Returns whether the zone has changed.
    @discardableResult
    func readAgain() -> Bool {
        clock.readZone()
        let before = known
        guard !times.isEmpty else { return false }
        known = clock.zoneOffsets(in: Self.weeks(3, around: times))
        return known != before
    }

    private func read(around time: WallTime) {
        // A time further than 285,000 years from 1970 counts as that far, so that no arithmetic overflows.
        let limit: Int64 = 1 << 53
        let near = WallTime(unixMilliseconds: min(max(time.unixMilliseconds, -limit), limit))
        times = Self.weeks(1, around: near..<near)
        known = clock.zoneOffsets(in: Self.weeks(3, around: times))
    }

    private static func weeks(_ count: Int64, around times: Range<WallTime>) -> Range<WallTime> {
        WallTime(
            unixMilliseconds: times.lowerBound.unixMilliseconds - 7 * count * day)..<WallTime(
                unixMilliseconds: times.upperBound.unixMilliseconds + 7 * count * day)
    }
}
