import GateModel
import Logging
import NIOCore
import Synchronization

@testable import GateDaemon

/// Clocks that stand until a test turns them, and the alarm that goes with them.
final class StandingClock: Clock {
    private struct State {
        var boot = BootTime(nanoseconds: 1_000_000_000_000)
        /// How far the clock on the wall was set.
        var wallOffset = Duration.zero
        var minutesEastOfUTC = 0
        /// The zone that the daemon finds when it looks again.
        var minutesInFile = 0
        var deadline: BootTime?
        var wake: (@Sendable () -> Void)?
        var wasSet: (@Sendable () -> Void)?
    }

    let bootID = "boot"
    private let state = Mutex(State())

    func bootTime() -> BootTime { state.withLock { $0.boot } }

    /// 2026-01-01T00:00:00Z when the test begins.
    func wallTime() -> WallTime {
        let passed = state.withLock { BootTime(nanoseconds: 1_000_000_000_000).duration(to: $0.boot) + $0.wallOffset }
        return WallTime(unixMilliseconds: 1_767_225_600_000 + passed.clampedNanoseconds / 1_000_000)
    }

    func minutesEastOfUTC(at _: WallTime) -> Int { state.withLock { $0.minutesEastOfUTC } }

    func readZone() { state.withLock { $0.minutesEastOfUTC = $0.minutesInFile } }

    /// Chooses another time zone, as somebody might do. The daemon does not know yet.
    func chooseZone(minutesEastOfUTC minutes: Int) { state.withLock { $0.minutesInFile = minutes } }

    func turn(to moment: BootTime) { state.withLock { $0.boot = moment } }

    func setWall(by duration: Duration) { state.withLock { $0.wallOffset += duration } }

    /// The deadline that the alarm is set to.
    var deadline: BootTime? { state.withLock { $0.deadline } }

    func makeAlarm(wake: @escaping @Sendable () -> Void) -> any Alarm & Sendable {
        state.withLock { $0.wake = wake }
        return StandingAlarm(clock: self)
    }

    func makeWatch(wasSet: @escaping @Sendable () -> Void) -> any WallClockWatch & Sendable {
        state.withLock { $0.wasSet = wasSet }
        return StandingWatch(clock: self)
    }

    /// Rings the alarm; called on the event loop.
    func ring() {
        let wake = state.withLock { state in
            state.deadline = nil
            return state.wake
        }
        wake?()
    }

    /// Reports that the clock was set; called on the event loop.
    func tellOfSetting() { state.withLock { $0.wasSet }?() }

    fileprivate func set(_ deadline: BootTime?) { state.withLock { $0.deadline = deadline } }

    fileprivate func forget() { state.withLock { $0.wasSet = nil } }
}

private final class StandingAlarm: Alarm, Sendable {
    private let clock: StandingClock

    init(clock: StandingClock) {
        self.clock = clock
    }

    func set(_ deadline: BootTime?) { clock.set(deadline) }
}

private final class StandingWatch: WallClockWatch, Sendable {
    private let clock: StandingClock

    init(clock: StandingClock) {
        self.clock = clock
    }

    func end() { clock.forget() }
}

/// An alarm that never rings.
final class SilentAlarm: Alarm, Sendable {
    func set(_ deadline: BootTime?) {}
}

/// A log that a test reads: each line with its metadata.
final class LogLines: LogHandler, Sendable {
    private let lines = Mutex<[String]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") } }

    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        lines.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
    }
}
