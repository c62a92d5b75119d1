import CTimerFD
public import Epoll
public import GateModel
import Glibc
import NIOCore

/// Wakes the daemon when a deadline is due. There is one alarm, which is set to the nearest deadline of the state.
public protocol Alarm: AnyObject {
    /// Wakes at this moment, or at once if it is past; `nil`: never. Replaces what was set before.
    func set(_ deadline: BootTime?)
}

/// Makes the daemon's alarm on its event loop. The alarm calls `wake` on that loop.
public typealias AlarmMaker =
    @Sendable (_ loop: EpollLoop, _ wake: @escaping @Sendable () -> Void) throws -> any Alarm & Sendable

/// An alarm on CLOCK_BOOTTIME, which also counts while the device sleeps. An event loop's own timers don't, so a lease
/// would last longer by the time that the lid was shut.
final class BootTimeAlarm: Alarm, EpollSource, Sendable {
    private let descriptor: CInt
    private let wake: @Sendable () -> Void

    /// - Throws: `IOError`.
    init(on loop: EpollLoop, wake: @escaping @Sendable () -> Void) throws {
        descriptor = boot_timer_create()
        self.wake = wake
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "boot_timer_create") }
        _ = try loop.watch(descriptor, for: .readable, self)
    }

    deinit {
        close(descriptor)
    }

    func set(_ deadline: BootTime?) {
        // 0 would disarm the timer.
        _ = boot_timer_set(descriptor, deadline.map { max($0.nanoseconds, 1) } ?? 0)
    }

    func ready(_ readiness: Readiness) {
        var rings: UInt64 = 0
        guard read(descriptor, &rings, MemoryLayout.size(ofValue: rings)) > 0 else { return }
        wake()
    }
}
