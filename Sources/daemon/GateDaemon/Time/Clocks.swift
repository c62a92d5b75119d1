public import GateModel
import Glibc

public protocol Clock: AnyObject, Sendable {
    func bootTime() -> BootTime
    func wallTime() -> WallTime
    /// How long the device has slept since its boot. It is read for each command, and conversions of a `Duration` take
    /// hundreds of instructions.
    func suspendedNanoseconds() -> Int64
    func minutesEastOfUTC(at time: WallTime) -> Int
    /// Reads the device's time zone again, since it may have changed.
    func readZone()
    /// Identifies this boot of the device. Boot times of different boots can't be compared.
    var bootID: String { get }
}

extension Clock {
    /// Zero, for devices that never sleep.
    public func suspendedNanoseconds() -> Int64 { 0 }
    /// 0, for clocks that show UTC.
    public func minutesEastOfUTC(at _: WallTime) -> Int { 0 }
    public func readZone() {}

    /// The wall clock's time in the device's time zone, for expressions in forms.
    func localTime() -> LocalTime {
        let time = wallTime()
        return LocalTime(time, minutesEastOfUTC: minutesEastOfUTC(at: time))
    }

    /// The time zone at these times. The offset is read once for each day, and the exact moment of a change is searched
    /// only if two days differ. So two changes that undo each other within a day are missed.
    func zoneOffsets(in times: Range<WallTime>) -> ZoneOffsets {
        let day: Int64 = 86_400_000
        // Zones change at whole seconds.
        let first = (times.lowerBound.unixMilliseconds / 1000 - 1) * 1000
        var (last, changes) = (first, [ZoneOffsets.Change]())
        func minutes(_ time: Int64) -> Int { minutesEastOfUTC(at: WallTime(unixMilliseconds: time)) }
        while last < times.upperBound.unixMilliseconds {
            var (before, after) = (last, last + day)
            last = after
            guard minutes(before) != minutes(after) else { continue }
            while after - before > 1000 {
                let middle = (before + after) / 2000 * 1000
                if minutes(middle) == minutes(after) { after = middle } else { before = middle }
            }
            changes.append(
                ZoneOffsets.Change(at: WallTime(unixMilliseconds: after), minutesEastOfUTC: minutes(after)))
        }
        return ZoneOffsets(minutesEastOfUTC: minutes(first), changes: changes)
    }
}

/// The kernel's clocks.
public final class SystemClock: Clock {
    public let bootID: String

    /// Without /proc, every start counts as a new boot, so a lockout begins again rather than ends.
    public init() {
        bootID =
            readSmallFile("/proc/sys/kernel/random/boot_id")
            ?? "unknown-\(UInt64.random(in: .min ... .max))"
    }

    public func bootTime() -> BootTime {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return BootTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    public func wallTime() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(unixMilliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The kernel's two clocks differ by exactly this. They are read one after the other, so it is up to a microsecond
    /// too short.
    public func suspendedNanoseconds() -> Int64 {
        let boot = bootTime()
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let awake = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        return max(0, boot.nanoseconds - awake)
    }

    public func minutesEastOfUTC(at time: WallTime) -> Int {
        var seconds = time_t(time.unixMilliseconds / 1000)
        var fields = tm()
        return localtime_r(&seconds, &fields) == nil ? 0 : fields.tm_gmtoff / 60
    }

    /// `localtime_r` reads the zone only once. `tzset` reads it again if the file behind `/etc/localtime` has changed.
    public func readZone() { tzset() }
}

/// The text of a file of at most 4 KiB, without a newline at its end; `nil` if it can't be read.
/// - Parameter folder: the descriptor of the folder that a relative path starts from.
func readSmallFile(_ path: String, in folder: CInt = AT_FDCWD) -> String? {
    let descriptor = openat(folder, path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let text = String(unsafeUninitializedCapacity: 4096) { buffer in max(0, read(descriptor, buffer.baseAddress, 4096))
    }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
}
