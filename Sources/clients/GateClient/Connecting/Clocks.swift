public import GateModel

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

extension BootTime {
    /// The time of the kernel's boot clock (CLOCK_BOOTTIME), which deadlines are given in.
    public static func now() -> BootTime {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return BootTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension WallTime {
    /// The time of the kernel's wall clock (CLOCK_REALTIME).
    public static func now() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(unixMilliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

extension WallTime {
    /// How many seconds local time is ahead of UTC at this moment, in the device's time zone; it changes with summer
    /// time. 0 if the C library can't express the moment as a date.
    package var secondsEastOfUTC: Int {
        var seconds = time_t(unixMilliseconds / 1000)
        var fields = tm()
        return localtime_r(&seconds, &fields) == nil ? 0 : fields.tm_gmtoff
    }
}

extension LocalTime {
    /// The wall clock's time in the device's time zone.
    package static func now() -> LocalTime {
        let time = WallTime.now()
        return LocalTime(time, minutesEastOfUTC: time.secondsEastOfUTC / 60)
    }
}

/// The clock that a client checks deadlines by: the kernel's, or a test's.
package struct ClientClock: Sendable {
    /// One moment, on both clocks of the device.
    package struct Reading: Hashable, Sendable {
        package var boot: BootTime
        package var wall: WallTime

        package init(boot: BootTime, wall: WallTime) {
            (self.boot, self.wall) = (boot, wall)
        }
    }

    package var read: @Sendable () -> Reading
    /// Waits until this moment of the boot clock, or a little longer; throws if cancelled.
    package var sleep: @Sendable (_ until: BootTime) async throws -> Void
    /// How long after a deadline the daemon may take to report it, before it counts as lost. Time that the device
    /// sleeps does not count, so that after a sleep the daemon has the full grace.
    package var grace: Duration

    package init(
        grace: Duration, read: @escaping @Sendable () -> Reading,
        sleep: @escaping @Sendable (_ until: BootTime) async throws -> Void
    ) {
        (self.read, self.sleep, self.grace) = (read, sleep, grace)
    }

    /// The kernel's clocks. `sleep` uses a timer of CLOCK_BOOTTIME, which goes on while the device sleeps.
    package static let kernel = ClientClock(
        grace: .seconds(1), read: { Reading(boot: .now(), wall: .now()) },
        sleep: { try await Task.sleep(for: BootTime.now().duration(to: $0), clock: .continuous) })

    /// Waits until no time is left, and then until the grace has passed, with `GateClientOptions.pause`. `timeLeft` is
    /// `nil` if there is no deadline to wait for.
    /// - Throws: `CancellationError` if cancelled, or if `timeLeft` returns `nil`.
    func sleepPast(
        pausing pause: @Sendable (Duration) async throws -> Void, _ timeLeft: @Sendable (Reading) -> Duration?
    ) async throws {
        var hadGrace = false
        while true {
            let now = read()
            guard let left = timeLeft(now) else { throw CancellationError() }
            guard left <= .zero else {
                hadGrace = false
                // At most 60 s at a time, since a deadline on the wall clock moves if that clock is set.
                try await sleep(now.boot.advanced(by: min(left, .seconds(60))))
                continue
            }
            guard !hadGrace else { return }
            try await pause(grace)
            hadGrace = true
        }
    }
}
