import CTimerFD
public import GateModel
import Glibc
public import NIOCore
import NIOPosix

/// Wakes the authority when a deadline is due. There is one, and it is set to the nearest deadline of the state.
public protocol Alarm: AnyObject {
    /// Wakes at this moment (at once, where it is past); nil: never. Replaces what was set before.
    func set(_ deadline: BootTime?)
}

/// Makes the alarm of an authority; `wake` is to be called on the event loop.
public typealias AlarmMaker =
    @Sendable (_ eventLoop: any EventLoop, _ wake: @escaping @Sendable () -> Void) async throws -> any Alarm & Sendable

/// An alarm on CLOCK_BOOTTIME, which a sleeping device does not hold up: an event loop's own timers count only the time
/// awake, and a lease would outlive its deadline by as long as the lid was shut.
final class BootTimeAlarm: Alarm, Sendable {
    private let descriptor: CInt

    private init(descriptor: CInt) {
        self.descriptor = descriptor
    }

    static func make(
        on eventLoop: any EventLoop, wake: @escaping @Sendable () -> Void
    ) async throws -> any Alarm & Sendable {
        let descriptor = boot_timer_create()
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "boot_timer_create") }
        _ = try await NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AlarmHandler(wake: wake))
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor).get()
        return BootTimeAlarm(descriptor: descriptor)
    }

    func set(_ deadline: BootTime?) {
        // 0 would mean never.
        _ = boot_timer_set(descriptor, deadline.map { max($0.nanoseconds, 1) } ?? 0)
    }
}

private final class AlarmHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        wake()
    }
}
