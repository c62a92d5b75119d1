public import GateModel

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

extension BootTime {
    /// The kernel's boot clock, on which deadlines are told.
    public static func now() -> BootTime {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return BootTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}

extension WallTime {
    /// The clock on the wall.
    public static func now() -> WallTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallTime(unixMilliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

extension WallTime {
    /// How far the device's clock is ahead of UTC at this time, by the device's time zone; it changes with summer time.
    package var secondsEastOfUTC: Int {
        var seconds = time_t(unixMilliseconds / 1000)
        var fields = tm()
        return localtime_r(&seconds, &fields) == nil ? 0 : fields.tm_gmtoff
    }
}

extension LocalTime {
    /// The clock on the wall, in the device's time zone.
    package static func now() -> LocalTime {
        let time = WallTime.now()
        return LocalTime(time, minutesEastOfUTC: time.secondsEastOfUTC / 60)
    }
}

/// The clock that deadlines are told by: the kernel's, or that of a device made for tests.
package struct ClientClock: Sendable {
    /// The time at one moment, by both clocks of the device.
    package struct Reading: Hashable, Sendable {
        package var boot: BootTime
        package var wall: WallTime

        package init(boot: BootTime, wall: WallTime) {
            (self.boot, self.wall) = (boot, wall)
        }
    }

    /// Reads the time now.
    package var read: @Sendable () -> Reading
    /// Returns at this moment of the boot clock, or a little later; throws after cancellation.
    package var sleep: @Sendable (_ until: BootTime) async throws -> Void
    /// How long a daemon may take to say that a deadline has passed, before it counts as lost. It is time that the device is awake:
    /// after a sleep the daemon gets all of it.
    package var grace: Duration

    package init(
        grace: Duration, read: @escaping @Sendable () -> Reading,
        sleep: @escaping @Sendable (_ until: BootTime) async throws -> Void
    ) {
        (self.read, self.sleep, self.grace) = (read, sleep, grace)
    }

    /// The kernel's. Its sleep is a timer of CLOCK_BOOTTIME, which runs on while the device sleeps.
    package static let kernel = ClientClock(
        grace: .seconds(1), read: { Reading(boot: .now(), wall: .now()) },
        sleep: { try await Task.sleep(for: BootTime.now().duration(to: $0), clock: .continuous) })

    /// Returns once nothing is left, and the daemon has had its time to say so; `nil`: there is no end to wait for.
    ///
    /// - Parameter pause: as that of the client's options.
    func sleepPast(
        pausing pause: @Sendable (Duration) async throws -> Void, _ timeLeft: @Sendable (Reading) -> Duration?
    ) async throws {
        var hadGrace = false
        while true {
            let now = read()
            guard let left = timeLeft(now) else { throw CancellationError() }
            guard left <= .zero else {
                hadGrace = false
                // Ends by the wall clock are looked at again: it may have been set meanwhile.
                try await sleep(now.boot.advanced(by: min(left, .seconds(60))))
                continue
            }
            guard !hadGrace else { return }
            try await pause(grace)
            hadGrace = true
        }
    }
}
