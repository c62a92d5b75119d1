import GateModel
import Glibc

/// The device's boot clock, which goes on while the device sleeps: what was due meanwhile is due at once when it wakes.
enum BootClock {
    static func now() -> BootTime {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return BootTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Returns early where its task is cancelled.
    static func sleep(until time: BootTime) async {
        try? await Task.sleep(for: max(Duration.zero, now().duration(to: time)), clock: .continuous)
    }

    static func wallTime() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(unixMilliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
