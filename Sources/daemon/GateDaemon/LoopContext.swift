import GateModel
import Logging
import NIOCore
import TTRPCTransport

/// The event loop that the parts of the authority share, and everything that all of them need on it. Used there alone.
final class LoopContext {
    let eventLoop: any EventLoop
    /// Takes long work in pieces: users' turns, and the slices of what is to be told.
    let work: PacedWork
    let clock: any Clock
    let startTime: BootTime
    let limits: DaemonLimits
    let logger: Logger
    var statistics = Statistics()
    /// The number of the last request since the start.
    var lastRequest: UInt64 = 0
    /// The work that was begun here and is not done: commits, hashes, verifications.
    var openWork = OpenWork()
    /// Whether an orderly stop has begun: from then on nobody gets in, and no command is taken.
    var isStopping = false

    init(eventLoop: any EventLoop, clock: any Clock, limits: DaemonLimits, logger: Logger) {
        self.eventLoop = eventLoop
        work = PacedWork(eventLoop: eventLoop)
        self.clock = clock
        startTime = clock.bootTime()
        self.limits = limits
        self.logger = logger
    }

    /// Does this on the event loop after a while.
    func later(_ delay: Duration, _ body: @escaping () -> Void) {
        eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay), body)
    }

    /// Counts a refusal for want of room.
    func refused(_ error: GateError) -> GateError {
        statistics.refused += 1
        return error
    }
}

/// Counts the work that is under way, and resumes those who wait for the last of it to end.
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

    /// Resumes `waiter` when no work is under way any more.
    mutating func add(_ waiter: CheckedContinuation<Void, Never>) {
        // The last of it may have ended on the way here: a task that prefers an executor comes back to its actor first.
        guard count > 0 else { return waiter.resume() }
        waiters.append(waiter)
    }
}
