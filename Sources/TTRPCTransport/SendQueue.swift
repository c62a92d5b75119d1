import NIOCore
import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The frames on their way to one peer: those that are not yet handed to the channel, and those that the kernel has not yet
/// taken.
///
/// While the kernel takes everything, frames go to it directly, because the way through the channel costs as much again as the
/// system call. Bytes that the kernel does not take go to the channel, which waits for it. After an error they go there, too,
/// and the channel closes itself.
///
/// The channel's water marks are at one byte, the least there is, so that it becomes writable when the kernel has taken
/// everything. It is writable with a single byte left, too. So the bytes left in it are counted, and a write of a single byte
/// reports when it is done.
///
/// A class, since a flush calls handlers that look at the queue again.
final class SendQueue {
    // The fields that a single frame needs come first, so that one access fetches them from memory.
    /// The channel's socket while the channel is active; -1 if it has none.
    private var socket: CInt = -1
    /// A flush is calling handlers, which must not look at the queue's state now.
    private(set) var isFlushing = false
    private var owesDrained = false
    private var owesRead = false
    private var bufferedAtSettle = 0
    private var handedOverSinceSettle = 0
    /// A frame that is shared with other connections, if it is the only one that waits for the next flush. It is not copied.
    private var sharedFrame: ByteBuffer?
    /// Frames that wait for the next flush, one behind the other.
    private var frames = ByteBuffer()
    private let backlogBytes: Int
    private let maximumQueuedBytes: Int
    /// All bytes that the channel was ever given.
    private var handedOver: UInt64 = 0
    /// Runs when the write deadline is due; there is one only while the kernel does not take everything.
    var progressTask: Scheduled<Void>?

    /// Buffers larger than this are not kept for the next frames, so that an idle peer costs little.
    private static let keptCapacity = 4096
    /// Shared frames up to this size, in bytes, are copied behind the others; a larger one is handed to the channel as it is.
    private static let copiedFrameBytes = 1024

    init(limits: ConnectionLimits) {
        backlogBytes = limits.backlogBytes
        maximumQueuedBytes = limits.maximumQueuedBytes
    }

    /// The channel is active.
    func opened(_ context: ChannelHandlerContext) {
        let operations = context.channel.pipeline.syncOperations
        socket = (try? operations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { $0 }) ?? -1
    }

    /// The channel is not active any more, and its descriptor may soon be another's.
    func closed() {
        socket = -1
        progressTask?.cancel()
    }

    func queuedBytes(_ context: ChannelHandlerContext) -> Int {
        waitingBytes + bufferedBytes(context)
    }

    /// Whether `noteBacklog` has to be asked.
    var mayBeBacklogged: Bool { estimatedBytes > backlogBytes }

    /// Whether the peer is past the high-water mark. If so, `settle` says when it has caught up.
    func noteBacklog(_ context: ChannelHandlerContext) -> Bool {
        guard mayBeBacklogged, queuedBytes(context) > backlogBytes else { return false }
        owesDrained = true
        return true
    }

    func isOverLimit(_ context: ChannelHandlerContext) -> Bool {
        estimatedBytes > maximumQueuedBytes && queuedBytes(context) > maximumQueuedBytes
    }

    /// Whether more may be read from the peer; if not, `settle` says when.
    func mayRead() -> Bool {
        guard bufferedAtSettle > backlogBytes else { return true }
        owesRead = true
        return false
    }

    /// Appends a frame, which `write` writes behind the others.
    func append(_ write: (inout ByteBuffer) -> Void) {
        unshare()
        write(&frames)
    }

    /// Appends a frame that is shared with other connections.
    func append(shared frame: ByteBuffer, _ context: ChannelHandlerContext) {
        if sharedFrame == nil, frames.readableBytes == 0, handedOverSinceSettle == 0 {
            sharedFrame = frame
        } else if frame.readableBytes <= SendQueue.copiedFrameBytes {
            unshare()
            frames.writeImmutableBuffer(frame)
        } else {
            unshare()
            handOver(context)
            write(frame, context)
        }
    }

    private func unshare() {
        guard let frame = sharedFrame else { return }
        sharedFrame = nil
        frames.writeImmutableBuffer(frame)
    }

    /// Whether a flush has nothing to do.
    var isEmpty: Bool { waitingBytes == 0 && handedOverSinceSettle == 0 }

    /// Whether nothing is left to do: nothing to flush, and no service to tell that the peer has caught up.
    var isSettled: Bool { isEmpty && !owesDrained && !owesRead }

    private var waitingBytes: Int { frames.readableBytes + (sharedFrame?.readableBytes ?? 0) }

    func flush(_ context: ChannelHandlerContext) {
        sendDirectly()
        guard !isEmpty else { return }
        isFlushing = true
        // The queue is empty while the flush calls out; then its buffer is taken back, if the kernel has taken all.
        if let sharedFrame { write(sharedFrame, context) }
        sharedFrame = nil
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

    /// Sends what the kernel takes at once, unless the channel holds something that must go first.
    func sendDirectly() {
        guard socket >= 0, isChannelEmpty else { return }
        if var frame = sharedFrame {
            frame.moveReaderIndex(forwardBy: sent(frame))
            sharedFrame = frame.readableBytes == 0 ? nil : frame
        } else if frames.readableBytes > 0 {
            frames.moveReaderIndex(forwardBy: sent(frames))
            guard frames.readableBytes == 0 else { return }
            if frames.capacity <= SendQueue.keptCapacity { frames.clear() } else { frames = ByteBuffer() }
        }
    }

    /// The outcome of `sendAtOnce`.
    enum SentAtOnce {
        case sent
        /// The rest of it waits for the next flush.
        case sentPart
        /// Nothing was sent: something must go first, or the kernel takes nothing now.
        case notSent
    }

    func sendAtOnce(_ frame: ByteBuffer) -> SentAtOnce {
        guard socket >= 0, isChannelEmpty, waitingBytes == 0 else { return .notSent }
        let count = sent(frame)
        guard count > 0 else { return .notSent }
        guard count < frame.readableBytes else { return .sent }
        sharedFrame = frame.getSlice(at: frame.readerIndex + count, length: frame.readableBytes - count)
        return .sentPart
    }

    /// Larger frames go to the channel at once. Up to so many bytes, the kernel takes a frame whole if it takes any of it.
    private static let directBytes = 16 << 10

    /// Sends, and returns how many bytes the kernel has taken. An error comes again in the channel, which deals with it.
    private func sent(_ bytes: ByteBuffer) -> Int {
        guard bytes.readableBytes <= SendQueue.directBytes else { return 0 }
        return bytes.withUnsafeReadableBytes {
            max(0, send(socket, $0.baseAddress, $0.count, CInt(MSG_DONTWAIT | MSG_NOSIGNAL)))
        }
    }

    /// The rest after a flush, or after the kernel has taken more.
    enum Rest {
        /// Nothing is left. `owesDrained`: tell the service so; `owesRead`: read on.
        case empty(owesDrained: Bool, owesRead: Bool)
        /// Something is left. `watch`: look at the progress when the write deadline is due.
        case waiting(watch: ProgressWatch?)
    }

    /// The progress of the kernel when a watch began.
    struct ProgressWatch: Hashable, Sendable {
        fileprivate let taken: UInt64
    }

    func settle(_ context: ChannelHandlerContext) -> Rest {
        let isTaken = isChannelEmpty || hasTakenAll(context)
        handedOverSinceSettle = 0
        guard !isTaken else {
            bufferedAtSettle = 0
            guard waitingBytes == 0 else { return .waiting(watch: nil) }
            defer {
                owesDrained = false
                owesRead = false
            }
            return .empty(owesDrained: owesDrained, owesRead: owesRead)
        }
        bufferedAtSettle = bufferedBytes(context)
        if bufferedAtSettle > backlogBytes { owesDrained = true }
        return .waiting(watch: progressTask == nil ? ProgressWatch(taken: taken(context)) : nil)
    }

    /// The progress from the start of a watch to the write deadline.
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
        guard !hasTakenAll(context) else { return .done }
        let taken = taken(context)
        return taken > watch.taken ? .watchOn(ProgressWatch(taken: taken)) : .stuck
    }

    /// Whether the channel holds nothing, as far as is known without asking it.
    private var isChannelEmpty: Bool { handedOverSinceSettle == 0 && bufferedAtSettle == 0 }

    /// Whether the kernel has taken all that the channel was given.
    private func hasTakenAll(_ context: ChannelHandlerContext) -> Bool {
        context.channel.isWritable && bufferedBytes(context) == 0
    }

    /// At least the bytes that are queued: those that the kernel has taken since the last look are still counted.
    private var estimatedBytes: Int { waitingBytes + bufferedAtSettle + handedOverSinceSettle }

    private func taken(_ context: ChannelHandlerContext) -> UInt64 {
        handedOver - UInt64(bufferedBytes(context))
    }

    private func bufferedBytes(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
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
        guard bytes.readableBytes == 1 else { return context.write(NIOAny(bytes), promise: nil) }
        let taken = context.eventLoop.makePromise(of: Void.self)
        taken.futureResult.whenSuccess { [pipeline = context.pipeline] in pipeline.fireChannelWritabilityChanged() }
        context.write(NIOAny(bytes), promise: taken)
    }
}
