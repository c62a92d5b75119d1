/// Finds the frames in a stream of bytes. It stores none: the caller passes unconsumed bytes again, with the next ones.
public struct FrameDecoder: Hashable, Sendable {
    /// What is at the front of the bytes. Every case but `needMore` consumes `byteCount` bytes; then call `next` again.
    public enum Step: Hashable, Sendable {
        /// A whole frame: the header, then `header.length` bytes of data.
        case frame(FrameHeader, byteCount: Int)
        /// The header of a frame with more data than the limit. The data follows as `discarded`.
        case tooLarge(FrameHeader, byteCount: Int)
        /// Data of a frame that was over the limit.
        case discarded(byteCount: Int)
        /// There is no whole frame yet: pass at least `byteCount` bytes in all.
        case needMore(byteCount: Int)
    }

    private enum State: Hashable, Sendable {
        /// A header comes next. Goes to `discarding` if the frame is over the limit.
        case header
        /// Skips the data of a frame over the limit. `remaining` is above 0. Goes to `header` after the last byte.
        case discarding(remaining: Int)
    }

    private var state = State.header
    /// The most data in a frame, in bytes, not counting the header. A change holds for an incomplete frame too.
    public var maximumFrameBytes: Int

    public init(maximumFrameBytes: Int) {
        self.maximumFrameBytes = maximumFrameBytes
    }

    /// Whether the input could end here without cutting a frame, if all bytes so far were consumed.
    public var isBetweenFrames: Bool { state == .header }

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
