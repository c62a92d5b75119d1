import CTimerFD
public import Epoll
public import GateModel
import Glibc
import NIOCore

/// Wakes the authority when a deadline is due. There is one, and it is set to the nearest deadline of the state.
public protocol Alarm: AnyObject {
    /// Wakes at this moment (at once, where it is past); nil: never. Replaces what was set before.
    func set(_ deadline: BootTime?)
}

/// Makes the alarm of an authority, on its event loop; `wake` is to be called there, too.
public typealias AlarmMaker =
    @Sendable (_ loop: EpollLoop, _ wake: @escaping @Sendable () -> Void) throws -> any Alarm & Sendable

/// An alarm on CLOCK_BOOTTIME, which a sleeping device does not hold up: an event loop's own timers count only the time
/// awake, and a lease would outlive its deadline by as long as the lid was shut.
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
        // 0 would mean never.
        _ = boot_timer_set(descriptor, deadline.map { max($0.nanoseconds, 1) } ?? 0)
    }

    func ready(_ readiness: Readiness) {
        var rings: UInt64 = 0
        guard read(descriptor, &rings, MemoryLayout.size(ofValue: rings)) > 0 else { return }
        wake()
    }
}
