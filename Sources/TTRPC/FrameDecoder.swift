/// Finds the frames in a stream of bytes. It holds no bytes: the caller keeps what has not been consumed, and shows it
/// again, with more behind it, when more has come.
public struct FrameDecoder: Hashable, Sendable {
    /// The bytes at the front. Every case but `needMore` consumes bytes; ask again after it.
    public enum Step: Hashable, Sendable {
        /// A whole frame: its header, then `header.length` bytes of data; `byteCount` bytes in all.
        case frame(FrameHeader, byteCount: Int)
        /// A frame with more data than the limit. Its header is consumed, its data will be discarded as it comes.
        case tooLarge(FrameHeader, byteCount: Int)
        /// Data of a frame that was too large.
        case discarded(byteCount: Int)
        /// No whole frame yet: at least `byteCount` bytes are needed in all. Nothing is consumed.
        case needMore(byteCount: Int)
    }

    private enum State: Hashable, Sendable {
        /// A header comes next. Goes to `discarding` when it announces too much; stays otherwise.
        case header
        /// The data of a frame that was too large comes; `remaining` > 0. Goes back to `header` at its end.
        case discarding(remaining: Int)
    }

    private var state = State.header
    /// Data of a frame, in bytes, without the header. A change counts for frames that are not yet whole, too.
    public var maximumFrameBytes: Int

    public init(maximumFrameBytes: Int) {
        self.maximumFrameBytes = maximumFrameBytes
    }

    /// Whether the input can end here without cutting a frame, when all bytes were consumed.
    public var isBetweenFrames: Bool { state == .header }

    /// Looks at the front of `bytes`.
    public mutating func next(_ bytes: UnsafeRawBufferPointer) -> Step {
        switch state {
        case .header:
            guard let header = FrameHeader(decoding: bytes) else { return .needMore(byteCount: FrameHeader.byteCount) }
            let length = Int(header.length)
            guard length <= maximumFrameBytes else {
                state = .discarding(remaining: length)
                return .tooLarge(header, byteCount: FrameHeader.byteCount)
            }
            let byteCount = FrameHeader.byteCount + length
            guard bytes.count >= byteCount else { return .needMore(byteCount: byteCount) }
            return .frame(header, byteCount: byteCount)
        case .discarding(let remaining):
            guard bytes.count > 0 else { return .needMore(byteCount: 1) }
            let discarded = min(bytes.count, remaining)
            state = discarded == remaining ? .header : .discarding(remaining: remaining - discarded)
            return .discarded(byteCount: discarded)
        }
    }
}
