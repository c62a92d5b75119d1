import CTimerFD
public import Epoll
import Glibc
import NIOCore

/// Tells the authority when somebody has set the wall clock, which what expires by it must not sleep through.
public protocol WallClockWatch: AnyObject {
    /// Tells nothing any more.
    func end()
}

/// Makes the watch of an authority, on its event loop; `wasSet` is to be called there, too.
public typealias WallClockWatchMaker =
    @Sendable (_ loop: EpollLoop, _ wasSet: @escaping @Sendable () -> Void) -> any WallClockWatch & Sendable

/// A timer of the kernel that is cancelled when the wall clock is set. Reading it fails then; a new one takes its place. Where
/// there can be none, the clock counts as set each minute.
///
/// Confined to the event loop, so it can be `Sendable` unchecked.
final class WallClockTimer: WallClockWatch, EpollSource, @unchecked Sendable {
    /// How long to wait where no timer can be had.
    private static let retryInterval = TimeAmount.minutes(1)

    private enum State {
        /// There is no timer for a while. Can go to: watching, ended.
        case waiting
        /// Can go to: waiting, ended, or to itself with a new timer (the clock was set).
        case watching(CInt, EpollLoop.Watch)
        /// Goes nowhere.
        case ended
    }

    private let loop: EpollLoop
    private let makeTimer: @Sendable () -> CInt
    private let wasSet: @Sendable () -> Void
    private var state = State.waiting

    /// - Parameter makeTimer: a descriptor that can't be read on once the clock was set; -1, and errno, where no timer can be had.
    init(
        on loop: EpollLoop, makeTimer: @escaping @Sendable () -> CInt = { clock_watch_create() },
        wasSet: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.makeTimer = makeTimer
        self.wasSet = wasSet
        arm()
    }

    func end() {
        letGo()
        state = .ended
    }

    /// A kernel without such timers is no reason not to go on.
    private func arm() {
        let descriptor = makeTimer()
        if descriptor >= 0, let watch = try? loop.watch(descriptor, for: .readable, self) {
            state = .watching(descriptor, watch)
        } else {
            if descriptor >= 0 { close(descriptor) }
            loop.assumeIsolated().scheduleTask(in: Self.retryInterval) { self.cancelled() }
        }
    }

    func ready(_ readiness: Readiness) {
        guard case .watching(let descriptor, _) = state else { return }
        var rings: UInt64 = 0
        if read(descriptor, &rings, MemoryLayout.size(ofValue: rings)) < 0, errno == EAGAIN { return }
        cancelled()
    }

    private func cancelled() {
        switch state {
        case .watching, .waiting: break
        case .ended: return
        }
        letGo()
        arm()
        // After the new timer is there: what is set from now on is heard of, and what was set before is told now.
        wasSet()
    }

    private func letGo() {
        guard case .watching(let descriptor, let watch) = state else { return }
        loop.forget(watch)
        close(descriptor)
        state = .waiting
    }
}
