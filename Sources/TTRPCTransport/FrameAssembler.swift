import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Cuts the bytes that are read from a socket into frames. A read that holds whole frames is not copied. What is left of one is
/// kept here. Passwords pass through: what was kept is wiped before it is freed.
struct FrameAssembler: ~Copyable {
    /// The frame at the front of the unread bytes.
    enum Found {
        /// The data of the frame: in what was read, or in what is kept here, until `settle`.
        case frame(FrameHeader, data: UnsafeRawBufferPointer)
        /// The header of a frame whose data is discarded.
        case tooLarge(FrameHeader)
    }

    private var decoder: FrameDecoder
    /// In the bytes of the last `append`, or in `kept`.
    private var unread = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Its capacity; nothing, where nothing is kept.
    private var kept = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// Bytes of `kept` that were written.
    private var keptCount = 0

    init(maximumFrameBytes: Int) {
        decoder = FrameDecoder(maximumFrameBytes: maximumFrameBytes)
    }

    deinit {
        wipe(kept)
    }

    /// The most data that a frame may have, in bytes.
    var maximumFrameBytes: Int {
        get { decoder.maximumFrameBytes }
        set { decoder.maximumFrameBytes = newValue }
    }

    /// Whether all bytes that were read have been returned as frames.
    var isEmpty: Bool { unread.isEmpty }

    /// Whether an end of the input would be in the middle of a frame.
    var isWithinFrame: Bool { !unread.isEmpty || !decoder.isBetweenFrames }

    /// - Parameter read: must be there, unchanged, until `settle`.
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

    /// The next frame; `nil` if no whole one is left. Then call `settle`.
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

    /// Keeps what is left of a read, so that its bytes may change. No data of a frame may be in use any more.
    mutating func settle() {
        if unread.isEmpty { return discard() }
        if kept.isEmpty { keep(unread, room: unread.count) }
    }

    /// Forgets what is left. Nothing more is read after this, or something new.
    mutating func discard() {
        wipe(kept)
        (kept, keptCount) = (UnsafeMutableRawBufferPointer(start: nil, count: 0), 0)
        unread = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    /// Moves these bytes, the unread ones, into storage with twice the room.
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
