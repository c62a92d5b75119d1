import GateDaemon
import GateModel
import Synchronization

/// A clock that stands until it is turned.
final class ScriptedClock: Clock {
    let bootID: String
    private let now: Mutex<BootTime>

    /// 2026-01-01T00:00:00Z, 1,000 seconds after the boot.
    private static let wallTimeAtBoot = WallTime(unixMilliseconds: 1_767_225_600_000 - 1_000_000)

    init(now: Duration, bootID: String) {
        self.bootID = bootID
        self.now = Mutex(BootTime(nanoseconds: now.clampedNanoseconds))
    }

    func set(_ moment: BootTime) {
        now.withLock { $0 = moment }
    }

    func bootTime() -> BootTime {
        now.withLock { $0 }
    }

    func wallTime() -> WallTime {
        WallTime(unixMilliseconds: Self.wallTimeAtBoot.unixMilliseconds + bootTime().nanoseconds / 1_000_000)
    }
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
