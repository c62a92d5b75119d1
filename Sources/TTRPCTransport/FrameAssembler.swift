import NIOCore
import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Cuts the bytes that are read from a socket into frames. A read that holds whole frames is not copied. An incomplete frame is
/// kept in a buffer of its own, so that the channel can reuse its read buffer. Passwords pass through here: each buffer is
/// wiped before it is given back or freed.
struct FrameAssembler {
    /// The frame at the front of the unread bytes.
    enum Found {
        /// The data of the frame is a slice of what was read.
        case frame(FrameHeader, data: ByteBuffer)
        /// The header of a frame whose data is discarded.
        case tooLarge(FrameHeader)
    }

    private var decoder: FrameDecoder
    private var unread = ByteBuffer()

    init(maximumFrameBytes: Int) {
        decoder = FrameDecoder(maximumFrameBytes: maximumFrameBytes)
    }

    /// The most data that a frame may have, in bytes.
    var maximumFrameBytes: Int {
        get { decoder.maximumFrameBytes }
        set { decoder.maximumFrameBytes = newValue }
    }

    /// Whether all bytes that were read have been returned as frames.
    var isEmpty: Bool { unread.readableBytes == 0 }

    /// Whether an end of the input would be in the middle of a frame.
    var isWithinFrame: Bool { unread.readableBytes > 0 || !decoder.isBetweenFrames }

    mutating func append(_ read: ByteBuffer) {
        guard unread.readableBytes > 0 else {
            unread = read
            return
        }
        if unread.writableBytes < read.readableBytes {
            // Grown here and not by the write, which would free the old storage without wiping it.
            let outgrown = unread
            unread = ByteBufferAllocator().buffer(capacity: 2 * (outgrown.readableBytes + read.readableBytes))
            unread.writeImmutableBuffer(outgrown)
            outgrown.wipe()
        }
        unread.writeImmutableBuffer(read)
    }

    /// The next frame; `nil` if no whole one is left. Then call `settle`.
    mutating func next() -> Found? {
        while true {
            switch unread.withUnsafeReadableBytes({ decoder.next($0) }) {
            case .frame(let header, let byteCount):
                unread.moveReaderIndex(forwardBy: FrameHeader.byteCount)
                guard let data = unread.readSlice(length: byteCount - FrameHeader.byteCount) else {
                    preconditionFailure("the decoder found a frame beyond the end of the buffer")
                }
                return .frame(header, data: data)
            case .tooLarge(let header, let byteCount):
                unread.moveReaderIndex(forwardBy: byteCount)
                return .tooLarge(header)
            case .discarded(let byteCount):
                unread.moveReaderIndex(forwardBy: byteCount)
            case .needMore:
                return nil
            }
        }
    }

    /// Wipes the read buffer, so that the channel can reuse it. At most one incomplete frame is copied, and each of its bytes
    /// once. No slice of a frame may be in use any more.
    mutating func settle(after read: ByteBuffer) {
        let before = unread
        if unread.readableBytes == 0 {
            unread = ByteBuffer()
            before.wipe()
        } else if unread.readerIndex > 0 || unread.readableBytes == read.readableBytes {
            unread = ByteBuffer(buffer: unread.slice(), copying: ())
            before.wipe()
        }
        read.wipe()
    }

    /// Wipes what is left of a frame. Nothing more is read after this.
    mutating func discard() {
        unread.wipe()
        unread = ByteBuffer()
    }
}

extension ByteBuffer {
    /// A buffer with storage of its own.
    fileprivate init(buffer: ByteBuffer, copying: Void) {
        self = ByteBufferAllocator().buffer(capacity: buffer.readableBytes)
        writeImmutableBuffer(buffer)
    }

    /// Overwrites the bytes of its storage, even where others refer to it: a channel keeps its read buffer, and frees it
    /// without wiping. The indices stay as they are.
    fileprivate func wipe() {
        withVeryUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            explicit_bzero(UnsafeMutableRawPointer(mutating: start), min(writerIndex, bytes.count))
        }
    }
}
