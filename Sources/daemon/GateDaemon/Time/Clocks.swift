public import GateModel
import Glibc

/// The source of the daemon's time.
public protocol Clock: AnyObject, Sendable {
    func bootTime() -> BootTime
    func wallTime() -> WallTime
    /// How far the device's time zone is ahead of UTC at that time.
    func minutesEastOfUTC(at time: WallTime) -> Int
    /// Names this boot of the device: boot times of different boots can't be compared.
    var bootID: String { get }
}

extension Clock {
    /// A clock that shows UTC.
    public func minutesEastOfUTC(at _: WallTime) -> Int { 0 }

    /// The clock on the wall, as expressions of forms see it.
    func localTime() -> LocalTime {
        let time = wallTime()
        return LocalTime(time, minutesEastOfUTC: minutesEastOfUTC(at: time))
    }
}

/// The kernel's clocks.
public final class SystemClock: Clock {
    public let bootID: String

    /// Without /proc every start counts as a boot of its own, so that a lockout waits again rather than not at all.
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

    public func minutesEastOfUTC(at time: WallTime) -> Int {
        var seconds = time_t(time.unixMilliseconds / 1000)
        var fields = tm()
        return localtime_r(&seconds, &fields) == nil ? 0 : fields.tm_gmtoff / 60
    }
}

/// The text of a file of at most 4 KiB, without the newline at its end; nil where it can't be read.
/// - Parameter folder: the descriptor of the folder in which a relative path begins.
func readSmallFile(_ path: String, in folder: CInt = AT_FDCWD) -> String? {
    let descriptor = openat(folder, path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let text = String(unsafeUninitializedCapacity: 4096) { buffer in max(0, read(descriptor, buffer.baseAddress, 4096))
    }
    return text.hasSuffix("\n") ? String(text.dropLast()) : text
}
