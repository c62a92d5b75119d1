import GateModel
import Synchronization

/// A clock that the sleeping code turns itself, so that no test waits.
final class TurnedClock: Sendable {
    private let time = Mutex(BootTime(nanoseconds: 1_000_000_000_000))

    @Sendable
    func now() -> BootTime { time.withLock(\.self) }

    @Sendable
    func sleep(until deadline: BootTime) async {
        await Task.yield()
        guard !Task.isCancelled else { return }
        time.withLock { $0 = max($0, deadline) }
    }
}
