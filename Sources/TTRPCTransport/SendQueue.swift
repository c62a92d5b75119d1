import NIOCore
import TTRPC

/// The frames on their way to one peer that the kernel has not yet taken.
struct SendQueue {
    private let socket: PeerSocket
    /// Bytes that wait.
    private(set) var byteCount = 0
    /// The kernel had no room, and has not said since that it has some.
    private var isBlocked = false
    private var owesDrained = false
    /// Why the kernel took nothing more: an errno.
    private(set) var failure: CInt?
    /// Frames that are shared with other connections and not copied, with what came before them; the oldest first.
    private var before: [ByteBuffer] = []
    /// The frames behind those, one behind the other.
    private var frames = ByteBuffer()
    private let backlogBytes: Int
    private let maximumQueuedBytes: Int
    /// All bytes that the kernel has taken.
    private(set) var taken: UInt64 = 0

    /// Buffers larger than this are not kept for the next frames, so that an idle peer costs little.
    private static let keptCapacity = 4096
    /// Shared frames up to this size, in bytes, are copied behind the others; a larger one is sent from where it is.
    private static let copiedFrameBytes = 1024

    init(to socket: PeerSocket, limits: ConnectionLimits) {
        self.socket = socket
        backlogBytes = limits.backlogBytes
        maximumQueuedBytes = limits.maximumQueuedBytes
    }

    var isEmpty: Bool { byteCount == 0 }

    /// Whether nothing is left to do: nothing to send, and no service to tell that the peer has caught up.
    var isSettled: Bool { isEmpty && !owesDrained }

    /// Whether the peer is past the high-water mark.
    var isBacklogged: Bool { byteCount > backlogBytes }

    /// The same; if so, the service is to be told when all is taken.
    mutating func noteBacklog() -> Bool {
        if isBacklogged { owesDrained = true }
        return isBacklogged
    }

    var isOverLimit: Bool { byteCount > maximumQueuedBytes }

    /// Appends a frame, which `write` writes behind the others. Returns whether all of it has room.
    @discardableResult
    mutating func append(_ write: (inout ByteBuffer) -> Void) -> Bool {
        unshare()
        let before = frames.readableBytes
        write(&frames)
        byteCount += frames.readableBytes - before
        return !isOverLimit
    }

    /// Appends a frame that is shared with other connections. Returns the same.
    @discardableResult
    mutating func append(shared frame: ByteBuffer) -> Bool {
        byteCount += frame.readableBytes
        if byteCount == frame.readableBytes {
            before = [frame]
        } else if frame.readableBytes <= SendQueue.copiedFrameBytes {
            unshare()
            frames.writeImmutableBuffer(frame)
        } else {
            if frames.readableBytes > 0 { before.append(frames) }
            frames = ByteBuffer()
            before.append(frame)
        }
        return !isOverLimit
    }

    /// A small frame that waits alone is copied, so that all goes with one system call.
    private mutating func unshare() {
        guard before.count == 1, frames.readableBytes == 0, before[0].readableBytes <= SendQueue.copiedFrameBytes
        else { return }
        frames.writeImmutableBuffer(before.removeLast())
    }

    /// Sends what the kernel takes.
    mutating func flush() {
        guard byteCount > 0, !isBlocked, failure == nil else { return }
        while let first = before.first {
            let count = given(first)
            guard count == first.readableBytes else { return before[0].moveReaderIndex(forwardBy: count) }
            before.removeFirst()
        }
        frames.moveReaderIndex(forwardBy: given(frames))
        guard frames.readableBytes == 0 else { return }
        if frames.capacity <= SendQueue.keptCapacity { frames.clear() } else { frames = ByteBuffer() }
    }

    /// Gives the first bytes that wait to the kernel. Returns how many it has taken.
    private mutating func given(_ bytes: ByteBuffer) -> Int {
        guard bytes.readableBytes > 0 else { return 0 }
        let count = bytes.withUnsafeReadableBytes { socket.give($0) }
        guard count >= 0 else {
            failure = CInt(-count)
            return 0
        }
        taken += UInt64(count)
        byteCount -= count
        if count < bytes.readableBytes {
            isBlocked = true
            socket.awaitRoom()
        }
        return count
    }

    /// The outcome of `sendAtOnce`.
    enum SentAtOnce {
        case sent
        /// The rest of it waits.
        case sentPart
        /// Nothing was sent: something must go first, or the kernel takes nothing now.
        case notSent
    }

    mutating func sendAtOnce(_ frame: ByteBuffer) -> SentAtOnce {
        guard byteCount == 0, failure == nil else { return .notSent }
        byteCount = frame.readableBytes
        let count = given(frame)
        guard byteCount > 0 else { return .sent }
        guard count > 0 else {
            byteCount = 0
            return .notSent
        }
        before = [frame]
        before[0].moveReaderIndex(forwardBy: count)
        return .sentPart
    }

    /// The kernel has room again.
    mutating func roomCame() {
        isBlocked = false
    }

    /// The state after a flush.
    enum Rest: Hashable {
        /// Nothing is left. `owesDrained`: tell the service so.
        case empty(owesDrained: Bool)
        /// The kernel has no room for the rest.
        case waiting
        /// Nothing more can be sent.
        case failed(CInt)
    }

    mutating func settle() -> Rest {
        if let failure { return .failed(failure) }
        guard isEmpty else {
            _ = noteBacklog()
            return .waiting
        }
        defer { owesDrained = false }
        return .empty(owesDrained: owesDrained)
    }

    /// The connection is closed: nothing is sent any more, and nothing waits.
    mutating func closed() {
        (failure, byteCount, before, frames) = (0, 0, [], ByteBuffer())
    }
}
