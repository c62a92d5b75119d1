import Dispatch
import GateModel
import NIOCore
import NIOEmbedded

@testable import GateDaemon

/// The event loop of a daemon whose time is the simulation's. When the daemon dies, what was to happen on it does not.
final class SimulatedLoop: EventLoop, NIOSerialEventLoopExecutor, @unchecked Sendable {
    let embedded = EmbeddedEventLoop()
    private var isDead = false

    var inEventLoop: Bool { embedded.inEventLoop }
    /// The simulation's time: SwiftNIO's own is the real device's, whose speed must not matter.
    var now: NIODeadline { embedded.now }

    func execute(_ task: @escaping @Sendable () -> Void) {
        embedded.execute { if !self.isDead { task() } }
    }

    func scheduleTask<Result>(
        deadline: NIODeadline, _ task: @escaping @Sendable () throws -> Result
    ) -> Scheduled<Result> {
        embedded.scheduleTask(deadline: deadline) { try self.living(task) }
    }

    func scheduleTask<Result>(
        in delay: TimeAmount, _ task: @escaping @Sendable () throws -> Result
    ) -> Scheduled<Result> {
        embedded.scheduleTask(in: delay) { try self.living(task) }
    }

    private func living<Result>(_ task: () throws -> Result) throws -> Result {
        guard !isDead else { throw EventLoopError.shutdown }
        return try task()
    }

    func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
        embedded.shutdownGracefully(queue: queue, callback)
    }

    /// Runs everything that is due, including what waits for the loop to look at its sockets.
    func run() {
        embedded.advanceTime(by: .milliseconds(1))
    }

    /// Runs this many pieces of long work, each of which tells or answers a few.
    func run(pieces: Int) {
        embedded.advanceTime(by: .nanoseconds(Int64(pieces)))
    }

    func advance(by duration: Duration) {
        embedded.advanceTime(by: TimeAmount(duration))
    }

    func die() {
        isDead = true
    }

    /// Forgets everything that was scheduled.
    func forget() {
        embedded.advanceTime(by: .hours(24 * 365))
    }
}

/// Threads whose work waits until the simulation has it done.
final class SimulatedThreads: BlockingThreads, @unchecked Sendable {
    private var waiting: [@Sendable () -> Void] = []

    var hasWork: Bool { !waiting.isEmpty }

    func submit(_ work: @escaping @Sendable () -> Void) {
        waiting.append(work)
    }

    func doNext() {
        guard hasWork else { return }
        waiting.removeFirst()()
    }

    func end() async { forget() }

    func forget() {
        waiting = []
    }
}

/// Threads whose work takes no time.
final class ImmediateThreads: BlockingThreads {
    func submit(_ work: @escaping @Sendable () -> Void) { work() }
    func end() async {}
}

/// Clocks that the simulation turns, and the alarm that goes with them.
final class SimulatedClock: Clock, Alarm, @unchecked Sendable {
    private(set) var bootID = "boot 1"
    private var boots = 1
    private(set) var boot = BootTime(nanoseconds: 1_000_000_000_000)
    /// The wall clock's time when the boot clock was at zero.
    private var nanosecondsAtBoot: Int64 = 1_767_225_600_000_000_000
    var wall: WallTime { WallTime(unixMilliseconds: (nanosecondsAtBoot + boot.nanoseconds) / 1_000_000) }
    /// The deadline that the alarm is set to.
    private(set) var deadline: BootTime?

    /// How long the device has slept since its boot.
    private(set) var suspended = Duration.zero
    /// The time zone's distance from UTC.
    var minutesEastOfUTC = 0

    func bootTime() -> BootTime { boot }
    func wallTime() -> WallTime { wall }
    func suspendedNanoseconds() -> Int64 { suspended.clampedNanoseconds }
    func minutesEastOfUTC(at _: WallTime) -> Int { minutesEastOfUTC }
    func set(_ deadline: BootTime?) { self.deadline = deadline }

    func turn(by duration: Duration) {
        boot = boot.advanced(by: duration)
    }

    func suspend(for duration: Duration) {
        turn(by: duration)
        suspended += duration
    }

    func turnWall(by duration: Duration) {
        nanosecondsAtBoot += duration.clampedNanoseconds
    }

    func reboot() {
        boots += 1
        bootID = "boot \(boots)"
        nanosecondsAtBoot += boot.nanoseconds
        boot = BootTime(nanoseconds: 5_000_000_000)
        suspended = .zero
    }
}

/// Carries a value out of the authority's isolation; there is only one thread.
struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
