import NIOCore

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Pauses accepting for a while after a peer could not be accepted for want of a descriptor or of memory. The peer that waits
/// keeps the listener readable, so without a pause the event loop would try again and again, and do nothing else.
final class AcceptPause: ChannelInboundHandler, Sendable {
    typealias InboundIn = any Channel

    private static let duration = TimeAmount.milliseconds(100)

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let error = error as? IOError, [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(error.errnoCode) else {
            return context.fireErrorCaught(error)
        }
        let channel = context.channel
        // SwiftNIO's own back-off, which reads later, does not end the read that is pending.
        try? channel.syncOptions?.setOption(.autoRead, value: false)
        channel.eventLoop.scheduleTask(in: Self.duration) {
            try? channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }
}
