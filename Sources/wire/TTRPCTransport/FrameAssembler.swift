import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Cuts the bytes that are read from a socket into frames, and returns whole frames in place. Bytes that were not
/// returned are copied and kept until later: the beginning of an incomplete frame, and frames that have to wait. Frames
/// may hold passwords, so kept bytes are wiped before they are freed.
struct FrameAssembler: ~Copyable {
    enum Found {
        /// A whole frame. `data` is valid until `settle`.
        case frame(FrameHeader, data: UnsafeRawBufferPointer)
        /// The header of a frame over the limit. Its data will be discarded.
        case tooLarge(FrameHeader)
    }

    private var decoder: FrameDecoder
    /// Points into the bytes of the last `append`, or into `kept`.
    private var unread = UnsafeRawBufferPointer(start: nil, count: 0)
    /// All of the allocated storage; empty if nothing is kept.
    private var kept = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// How many bytes of `kept` are in use.
    private var keptCount = 0

    init(maximumFrameBytes: Int) {
        decoder = FrameDecoder(maximumFrameBytes: maximumFrameBytes)
    }

    deinit {
        wipe(kept)
    }

    var maximumFrameBytes: Int {
        get { decoder.maximumFrameBytes }
        set { decoder.maximumFrameBytes = newValue }
    }

    /// Whether all bytes so far were returned as frames.
    var isEmpty: Bool { unread.isEmpty }

    /// Whether the input would end in the middle of a frame if it ended now.
    var isWithinFrame: Bool { !unread.isEmpty || !decoder.isBetweenFrames }

    /// - Parameter read: must stay valid and unchanged until `settle`.
    mutating func append(_ read: UnsafeRawBufferPointer) {
        guard !kept.isEmpty else {
            unread = read
            return
        }
        if kept.count - keptCount < read.count { keep(unread, room: unread.count + 2 * read.count) }
        UnsafeMutableRawBufferPointer(rebasing: kept[keptCount...]).copyMemory(from: read)
        keptCount += read.count
        unread = UnsafeRawBufferPointer(rebasing: kept[(keptCount - unread.count - read.count)..<keptCount])
    }

    /// The next whole frame; `nil` if there is none. Call `settle` after the last one that is wanted now.
    mutating func next() -> Found? {
        while true {
            switch decoder.next(unread) {
            case .frame(let header, let byteCount):
                let data = UnsafeRawBufferPointer(rebasing: unread[FrameHeader.byteCount..<byteCount])
                skip(byteCount)
                return .frame(header, data: data)
            case .tooLarge(let header, let byteCount):
                skip(byteCount)
                return .tooLarge(header)
            case .discarded(let byteCount): skip(byteCount)
            case .needMore: return nil
            }
        }
    }

    private mutating func skip(_ byteCount: Int) {
        unread = UnsafeRawBufferPointer(rebasing: unread[byteCount...])
    }

    /// Copies what `next` has not returned, so the caller may reuse its buffer. Invalidates earlier `data`.
    mutating func settle() {
        if unread.isEmpty { return discard() }
        if kept.isEmpty { keep(unread, room: unread.count) }
    }

    mutating func discard() {
        wipe(kept)
        (kept, keptCount) = (UnsafeMutableRawBufferPointer(start: nil, count: 0), 0)
        unread = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Moves the unread bytes into new storage of twice `room`.
    private mutating func keep(_ bytes: UnsafeRawBufferPointer, room: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(2 * room, 64), alignment: 1)
        larger.copyMemory(from: bytes)
        wipe(kept)
        (kept, keptCount) = (larger, bytes.count)
        unread = UnsafeRawBufferPointer(rebasing: larger[..<bytes.count])
    }
}

private func wipe(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    explicit_bzero(start, bytes.count)
    bytes.deallocate()
}
