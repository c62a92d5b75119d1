import NIOCore
import TTRPC

/// The frames for one peer that the kernel has not taken yet.
struct SendQueue {
    private let socket: PeerSocket
    private(set) var byteCount = 0
    /// Whether the kernel had no room, and has not reported any since.
    private var isBlocked = false
    private var owesDrained = false
    /// The errno that ended sending.
    private(set) var failure: CInt?
    /// The oldest frames: shared ones that were not copied, and those queued before them.
    private var before: [ByteBuffer] = []
    /// All later frames, in one buffer.
    private var frames = ByteBuffer()
    private let backlogBytes: Int
    private let maximumQueuedBytes: Int
    /// How many bytes the kernel has taken so far.
    private(set) var taken: UInt64 = 0

    /// A buffer larger than this is freed when it is empty, so that an idle peer costs little. In bytes.
    private static let keptCapacity = 4096
    /// Shared frames up to this size, in bytes, are copied behind other frames, so that one system call sends them all.
    private static let copiedFrameBytes = 1024

    init(to socket: PeerSocket, limits: ConnectionLimits) {
        self.socket = socket
        backlogBytes = limits.backlogBytes
        maximumQueuedBytes = limits.maximumQueuedBytes
    }

    var isEmpty: Bool { byteCount == 0 }

    /// Whether there is nothing to send, and no service to be told that the peer has caught up.
    var isSettled: Bool { isEmpty && !owesDrained }

    var isBacklogged: Bool { byteCount > backlogBytes }

    /// Returns `isBacklogged`. If it is true, `settle` reports later that the queue was emptied.
    mutating func noteBacklog() -> Bool {
        if isBacklogged { owesDrained = true }
        return isBacklogged
    }

    var isOverLimit: Bool { byteCount > maximumQueuedBytes }

    /// Appends a frame that `write` writes. Returns false if the queue is now over its limit.
    @discardableResult
    mutating func append(_ write: (inout ByteBuffer) -> Void) -> Bool {
        unshare()
        let before = frames.readableBytes
        write(&frames)
        byteCount += frames.readableBytes - before
        return !isOverLimit
    }

    /// Appends a frame that is shared with other connections. Returns false if the queue is now over its limit.
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

    /// Copies a single small shared frame, so that it can be sent in one system call with those after it.
    private mutating func unshare() {
        guard before.count == 1, frames.readableBytes == 0, before[0].readableBytes <= SendQueue.copiedFrameBytes
        else { return }
        frames.writeImmutableBuffer(before.removeLast())
    }

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

    /// Sends the oldest bytes. Returns how many the kernel took.
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

    enum SentAtOnce {
        case sent
        /// The kernel took a part; the rest is queued.
        case sentPart
        /// Nothing was sent: other frames are queued, or the kernel takes nothing now.
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

    mutating func roomCame() {
        isBlocked = false
    }

    enum Rest: Hashable {
        /// Everything was sent. `owesDrained`: the service must be told.
        case empty(owesDrained: Bool)
        /// The kernel has no room for the rest.
        case waiting
        /// Sending failed with this errno.
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

    /// Drops everything, because the connection is closed.
    mutating func closed() {
        (failure, byteCount, before, frames) = (0, 0, [], ByteBuffer())
    }
}
