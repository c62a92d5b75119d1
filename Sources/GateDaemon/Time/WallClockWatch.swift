import CTimerFD
import Glibc
public import NIOCore
import NIOPosix

/// Tells the authority when somebody has set the wall clock, which what expires by it must not sleep through.
public protocol WallClockWatch: AnyObject {
    /// Tells nothing any more.
    func end()
}

/// Makes the watch of an authority; `wasSet` is to be called on the event loop.
public typealias WallClockWatchMaker =
    @Sendable (_ eventLoop: any EventLoop, _ wasSet: @escaping @Sendable () -> Void) async throws
    -> any WallClockWatch & Sendable

/// A timer of the kernel that is cancelled when the wall clock is set. Reading it fails then, which closes its channel;
/// a new one takes its place. Where there can be none, the clock counts as set each minute.
final class WallClockTimer: WallClockWatch, Sendable {
    /// How long to wait where no timer can be had.
    private static let retryInterval = TimeAmount.minutes(1)

    private enum State {
        /// A timer is on its way, or there is none for a while. Can go to: watching, ended.
        case arming
        /// Can go to: arming (the clock was set), ended.
        case watching(any Channel)
        /// Goes nowhere.
        case ended
    }

    private let eventLoop: any EventLoop
    private let makeTimer: @Sendable () -> CInt
    private let wasSet: @Sendable () -> Void
    private let state: NIOLoopBoundBox<State>

    private init(
        on eventLoop: any EventLoop, makeTimer: @escaping @Sendable () -> CInt, wasSet: @escaping @Sendable () -> Void
    ) {
        self.eventLoop = eventLoop
        self.makeTimer = makeTimer
        self.wasSet = wasSet
        state = .makeBoxSendingValue(.arming, eventLoop: eventLoop)
    }

    /// - Parameter makeTimer: a descriptor that can't be read on once the clock was set; -1, and errno: there is none.
    static func make(
        on eventLoop: any EventLoop, makeTimer: @escaping @Sendable () -> CInt = { clock_watch_create() },
        wasSet: @escaping @Sendable () -> Void
    ) async -> any WallClockWatch & Sendable {
        let timer = WallClockTimer(on: eventLoop, makeTimer: makeTimer, wasSet: wasSet)
        // A kernel without such timers is no reason not to start.
        try? await eventLoop.flatSubmit { timer.arm().always { timer.armingEnded($0) } }.get()
        return timer
    }

    /// On the event loop.
    func end() {
        let ended = state.value
        state.value = .ended
        switch ended {
        case .watching(let channel): channel.close(promise: nil)
        case .arming, .ended: break
        }
    }

    private func arm() -> EventLoopFuture<Void> {
        let descriptor = makeTimer()
        guard descriptor >= 0 else {
            return eventLoop.makeFailedFuture(IOError(errnoCode: errno, reason: "clock_watch_create"))
        }
        return NIOPipeBootstrap(group: eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ErrorSink())
                }
            }
            .takingOwnershipOfDescriptor(input: descriptor)
            .map { self.armed($0) }
    }

    private func armed(_ channel: any Channel) {
        switch state.value {
        case .arming:
            state.value = .watching(channel)
            channel.closeFuture.whenComplete { _ in self.cancelled() }
        case .watching, .ended:
            channel.close(promise: nil)
        }
    }

    private func cancelled() {
        switch state.value {
        case .watching, .arming: break
        case .ended: return
        }
        state.value = .arming
        arm().whenComplete { result in
            // After the new timer is there: what is set from now on is heard of, and what was set before is told now.
            self.tell()
            self.armingEnded(result)
        }
    }

    private func armingEnded(_ result: Result<Void, any Error>) {
        guard case .failure = result else { return }
        eventLoop.scheduleTask(in: Self.retryInterval) { self.cancelled() }
    }

    private func tell() {
        switch state.value {
        case .watching, .arming: wasSet()
        case .ended: break
        }
    }
}

/// A cancelled timer reads as an error, which is none of ours.
private final class ErrorSink: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
