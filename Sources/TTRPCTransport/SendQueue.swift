import NIOCore
import TTRPC

/// What is on its way to one peer: frames that are not yet handed to the channel, and what the kernel has not yet
/// taken.
///
/// The channel's water marks are at one byte, so that it is writable exactly when the kernel has taken everything.
/// A class, since a flush calls out to handlers that look at the queue again.
final class SendQueue {
    /// Frames that wait for the next flush, one behind the other.
    var frames = ByteBuffer()
    /// A flush is calling out; whoever is called must not look at the queue's state.
    private(set) var isFlushing = false
    /// Ends when the write deadline is due; there is one only while the kernel does not take everything.
    var progressTask: Scheduled<Void>?

    /// Buffers larger than this are not kept for the next frames, so that an idle peer costs little.
    private static let keptCapacity = 4096

    private let limits: ConnectionLimits
    /// All bytes that the channel was ever given, and those it had left when it was looked at last.
    private var handedOver: UInt64 = 0
    private var bufferedAtSettle = 0
    private var handedOverSinceSettle = 0
    private var owesDrained = false
    private var owesRead = false

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    func queuedBytes(_ context: ChannelHandlerContext) -> Int {
        frames.readableBytes + bufferedBytes(context)
    }

    /// Whether the peer is past the high-water mark. If so, somebody will be told when it has caught up.
    func noteBacklog(_ context: ChannelHandlerContext) -> Bool {
        guard estimatedBytes > limits.backlogBytes, queuedBytes(context) > limits.backlogBytes else { return false }
        owesDrained = true
        return true
    }

    func isOverLimit(_ context: ChannelHandlerContext) -> Bool {
        estimatedBytes > limits.maximumQueuedBytes && queuedBytes(context) > limits.maximumQueuedBytes
    }

    /// Whether more may be read from a peer; where not, `settle` says when.
    func mayRead() -> Bool {
        guard bufferedAtSettle > limits.backlogBytes else { return true }
        owesRead = true
        return false
    }

    /// Hands a frame that others share to the channel without copying it.
    func append(_ frame: ByteBuffer, _ context: ChannelHandlerContext) {
        handOver(context)
        write(frame, context)
    }

    func flush(_ context: ChannelHandlerContext) {
        guard frames.readableBytes > 0 || handedOverSinceSettle > 0 else { return }
        isFlushing = true
        // The queue is empty while the flush calls out; then its buffer is taken back, if the kernel has taken all.
        var written = frames
        frames = ByteBuffer()
        if written.readableBytes > 0 { write(written, context) }
        context.flush()
        isFlushing = false
        if frames.readableBytes == 0, written.capacity <= SendQueue.keptCapacity {
            written.clear()
            frames = written
        }
    }

    /// What is left after a flush, or after the kernel has taken more.
    enum Rest {
        /// Nothing. Whether somebody must hear of it, and whether reading goes on.
        case empty(owesDrained: Bool, owesRead: Bool)
        /// Something. `watch`: look at the progress when the write deadline is due.
        case waiting(watch: ProgressWatch?)
    }

    /// How far the kernel was when the watch began.
    struct ProgressWatch: Hashable, Sendable {
        fileprivate let taken: UInt64
    }

    func settle(_ context: ChannelHandlerContext) -> Rest {
        handedOverSinceSettle = 0
        guard !context.channel.isWritable else {
            bufferedAtSettle = 0
            guard frames.readableBytes == 0 else { return .waiting(watch: nil) }
            defer {
                owesDrained = false
                owesRead = false
            }
            return .empty(owesDrained: owesDrained, owesRead: owesRead)
        }
        bufferedAtSettle = bufferedBytes(context)
        if bufferedAtSettle > limits.backlogBytes { owesDrained = true }
        return .waiting(watch: progressTask == nil ? ProgressWatch(taken: taken(context)) : nil)
    }

    /// What has happened between the begin of a watch and the write deadline.
    enum Progress {
        /// Everything was taken.
        case done
        /// Something was taken; go on watching.
        case watchOn(ProgressWatch)
        /// Nothing was taken.
        case stuck
    }

    func progressDue(_ watch: ProgressWatch, _ context: ChannelHandlerContext) -> Progress {
        progressTask = nil
        guard !context.channel.isWritable else { return .done }
        let taken = taken(context)
        return taken > watch.taken ? .watchOn(ProgressWatch(taken: taken)) : .stuck
    }

    /// At least what is queued: what the kernel has taken since the last look is still in it.
    private var estimatedBytes: Int { frames.readableBytes + bufferedAtSettle + handedOverSinceSettle }

    private func taken(_ context: ChannelHandlerContext) -> UInt64 {
        handedOver - UInt64(bufferedBytes(context))
    }

    private func bufferedBytes(_ context: ChannelHandlerContext) -> Int {
        guard !context.channel.isWritable else { return 0 }
        return (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    private func handOver(_ context: ChannelHandlerContext) {
        guard frames.readableBytes > 0 else { return }
        let written = frames
        frames = ByteBuffer()
        write(written, context)
    }

    private func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        handedOver += UInt64(bytes.readableBytes)
        handedOverSinceSettle += bytes.readableBytes
        context.write(NIOAny(bytes), promise: nil)
    }
}
