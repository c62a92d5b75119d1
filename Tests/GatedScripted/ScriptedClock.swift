import GateDaemon
import GateModel
import Synchronization

/// A clock that stands until it is turned.
final class ScriptedClock: Clock {
    private struct State {
        var now: BootTime
        /// How far the clock on the wall was set.
        var wallOffset: Duration
        var minutesEastOfUTC: Int
        var suspended: Duration
        var wasSet: (@Sendable () -> Void)?
    }

    let bootID: String
    private let state: Mutex<State>

    /// 2026-01-01T00:00:00Z, 1,000 seconds after the boot.
    private static let wallTimeAtBoot = WallTime(unixMilliseconds: 1_767_225_600_000 - 1_000_000)

    /// - Parameter suspended: how long the device has slept since its boot.
    init(now: Duration, wallOffset: Duration, minutesEastOfUTC: Int, suspended: Duration, bootID: String) {
        self.bootID = bootID
        state = Mutex(
            State(
                now: BootTime(nanoseconds: now.clampedNanoseconds), wallOffset: wallOffset,
                minutesEastOfUTC: minutesEastOfUTC, suspended: suspended))
    }

    func set(_ moment: BootTime) { state.withLock { $0.now = moment } }

    func setWall(by duration: Duration) { state.withLock { $0.wallOffset += duration } }

    func chooseZone(minutesEastOfUTC minutes: Int) { state.withLock { $0.minutesEastOfUTC = minutes } }

    func sleep(for duration: Duration) {
        state.withLock { state in
            state.now = state.now.advanced(by: duration)
            state.suspended += duration
        }
    }

    func makeWatch(wasSet: @escaping @Sendable () -> Void) -> any WallClockWatch & Sendable {
        state.withLock { $0.wasSet = wasSet }
        return ScriptedWatch()
    }

    /// Reports that the clock was set; called on the event loop.
    func tellOfSetting() { state.withLock { $0.wasSet }?() }

    func bootTime() -> BootTime { state.withLock { $0.now } }

    func wallTime() -> WallTime {
        let (now, offset) = state.withLock { ($0.now, $0.wallOffset) }
        let time = WallTime(unixMilliseconds: Self.wallTimeAtBoot.unixMilliseconds + now.nanoseconds / 1_000_000)
        return time.advanced(by: offset)
    }

    func suspendedNanoseconds() -> Int64 { state.withLock { $0.suspended.clampedNanoseconds } }

    func minutesEastOfUTC(at _: WallTime) -> Int { state.withLock { $0.minutesEastOfUTC } }
}

private final class ScriptedWatch: WallClockWatch, Sendable {
    func end() {}
}

/// An alarm that rings when it is told to, on the event loop.
final class ScriptedAlarm: Alarm, Sendable {
    private struct Setting {
        var deadline: BootTime?
        var wake: (@Sendable () -> Void)?
    }

    private let setting = Mutex(Setting())

    var deadline: BootTime? {
        setting.withLock { $0.deadline }
    }

    var wake: (@Sendable () -> Void)? {
        get { setting.withLock { $0.wake } }
        set { setting.withLock { $0.wake = newValue } }
    }

    func set(_ deadline: BootTime?) {
        setting.withLock { $0.deadline = deadline }
    }

    func ring() {
        set(nil)
        wake?()
    }
}
