import GateClient
import GateDaemon
import GateModel
import Synchronization

/// A clock that stands still until it is turned, and never goes back. The wall clock moves with it.
final class TestingClock: Clock {
    let bootID = "testing"
    private let now = Mutex(BootTime(nanoseconds: 1_000 * 1_000_000_000))

    /// The wall clock's time at the boot, so that it is 2026-01-01T00:00:00Z 1,000 s later, when the device starts.
    private static let millisecondsAtBoot: Int64 = 1_767_225_600_000 - 1_000_000

    /// Turns the clock to this moment; a moment before now changes nothing.
    func turn(to moment: BootTime) {
        now.withLock { $0 = max($0, moment) }
    }

    func bootTime() -> BootTime {
        now.withLock { $0 }
    }

    func wallTime() -> WallTime {
        WallTime(unixMilliseconds: Self.millisecondsAtBoot + bootTime().nanoseconds / 1_000_000)
    }

    /// The same clock for clients. Its grace is long, because on a busy machine the daemon may report deadlines late.
    var ofClients: ClientClock {
        ClientClock(
            grace: .seconds(60),
            read: { ClientClock.Reading(boot: self.bootTime(), wall: self.wallTime()) },
            sleep: { moment in while self.bootTime() < moment { try await Task.sleep(for: .milliseconds(10)) } })
    }
}

/// An alarm that rings when the test says so.
final class TestingAlarm: Alarm, Sendable {
    private struct Setting {
        var deadline: BootTime?
        var wake: (@Sendable () -> Void)?
    }

    private let setting = Mutex(Setting())

    var deadline: BootTime? {
        setting.withLock { $0.deadline }
    }

    func connect(_ wake: @escaping @Sendable () -> Void) {
        setting.withLock { $0.wake = wake }
    }

    func set(_ deadline: BootTime?) {
        setting.withLock { $0.deadline = deadline }
    }

    /// Wakes the daemon if the alarm is due. Called on the event loop.
    func ring(at now: BootTime) {
        let wake = setting.withLock { setting -> (@Sendable () -> Void)? in
            guard let deadline = setting.deadline, deadline <= now else { return nil }
            setting.deadline = nil
            return setting.wake
        }
        wake?()
    }
}

/// Random numbers that are the same in every run, so that the same questions are asked. The generator is SplitMix64
/// (Steele, Lea, Flood: "Fast splittable pseudorandom number generators").
struct TestingChance: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
