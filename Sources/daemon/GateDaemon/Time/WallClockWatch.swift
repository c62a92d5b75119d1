import CTimerFD
public import Epoll
import Glibc
import NIOCore

/// Tells the daemon when the wall clock is set, because what expires by wall time may then be over.
public protocol WallClockWatch: AnyObject {
    func end()
}

/// Makes the daemon's watch on its event loop. The watch calls `wasSet` on that loop.
public typealias WallClockWatchMaker =
    @Sendable (_ loop: EpollLoop, _ wasSet: @escaping @Sendable () -> Void) -> any WallClockWatch & Sendable

/// A kernel timer that is cancelled when the wall clock is set. Reading it then fails, and a new timer is made. If no
/// timer can be made, the clock counts as set once a minute. Confined to the event loop, so `Sendable` unchecked.
final class WallClockTimer: WallClockWatch, EpollSource, @unchecked Sendable {
    private static let retryInterval = TimeAmount.minutes(1)

    private enum State {
        /// There is no timer for now. Can go to: watching, ended.
        case waiting
        /// A timer runs. Can go to: waiting, ended, or watching with a new timer when the clock was set.
        case watching(CInt, EpollLoop.Watch)
        case ended
    }

    private let loop: EpollLoop
    private let makeTimer: @Sendable () -> CInt
    private let wasSet: @Sendable () -> Void
    private var state = State.waiting

    /// - Parameter makeTimer: returns a descriptor that can't be read any more once the clock was set, or -1 with
    ///   `errno` if no timer can be made.
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
        // This comes after the new timer is there: a change before it is reported now, and a later one by the timer.
        wasSet()
    }

    private func letGo() {
        guard case .watching(let descriptor, let watch) = state else { return }
        loop.forget(watch)
        close(descriptor)
        state = .waiting
    }
}
