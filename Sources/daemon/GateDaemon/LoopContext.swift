import GateModel
import Logging
import NIOCore
import TTRPCTransport

/// The event loop that the parts of the daemon share, and what all of them need on it. Used only on that loop.
final class LoopContext {
    let eventLoop: any EventLoop
    let work: PacedWork
    let clock: any Clock
    let zone: DeviceZone
    let startTime: BootTime
    let limits: DaemonLimits
    let logger: Logger
    var statistics = Statistics()
    /// The number of the newest request since the start.
    var lastRequest: UInt64 = 0
    var openWork = OpenWork()
    /// Whether an orderly stop has begun. From then on, connections and commands are refused.
    var isStopping = false

    init(eventLoop: any EventLoop, clock: any Clock, limits: DaemonLimits, logger: Logger) {
        self.eventLoop = eventLoop
        work = PacedWork(eventLoop: eventLoop)
        self.clock = clock
        zone = DeviceZone(clock)
        startTime = clock.bootTime()
        self.limits = limits
        self.logger = logger
    }

    func later(_ delay: Duration, _ body: @escaping () -> Void) {
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay), body)
    }

    /// Counts a refusal because of a limit, and returns it.
    func refused(_ error: GateError) -> GateError {
        statistics.refused += 1
        return error
    }
}

/// Counts the work that has begun, like commits, hashes and verifications, and resumes tasks that wait for its end.
struct OpenWork {
    private var count = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []

    var isNone: Bool { count == 0 }

    mutating func began() {
        count += 1
    }

    mutating func ended() {
        count -= 1
        guard count == 0 else { return }
        let done = waiters
        waiters = []
        for waiter in done { waiter.resume() }
    }

    mutating func add(_ waiter: CheckedContinuation<Void, Never>) {
        // It may have ended since the caller looked: a task that prefers an executor must first return to its actor.
        guard count > 0 else { return waiter.resume() }
        waiters.append(waiter)
    }
}
