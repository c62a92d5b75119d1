import NIOCore
import TTRPC

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Cuts what is read from a socket into frames. A read that holds whole frames is not copied; what is left of a frame
/// that is not whole is kept in a buffer of its own, so that the channel can reuse its read buffer. Passwords come this way:
/// nothing is given back, or let go, before it is wiped.
struct FrameAssembler {
    /// What was found at the front.
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

    /// Data of a frame, in bytes.
    var maximumFrameBytes: Int {
        get { decoder.maximumFrameBytes }
        set { decoder.maximumFrameBytes = newValue }
    }

    /// Whether everything that was read was found.
    var isEmpty: Bool { unread.readableBytes == 0 }

    /// Whether the input would cut a frame if it ended here.
    var isWithinFrame: Bool { unread.readableBytes > 0 || !decoder.isBetweenFrames }

    mutating func append(_ read: ByteBuffer) {
        guard unread.readableBytes > 0 else {
            unread = read
            return
        }
        if unread.writableBytes < read.readableBytes {
            // Here and not within the write, which would leave behind what it outgrows.
            let outgrown = unread
            unread = ByteBufferAllocator().buffer(capacity: 2 * (outgrown.readableBytes + read.readableBytes))
            unread.writeImmutableBuffer(outgrown)
            outgrown.wipe()
        }
        unread.writeImmutableBuffer(read)
    }

    /// The next frame, or `nil` where no whole one is left. Say `settle` after that.
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

    /// Gives the read buffer back, wiped; at most one incomplete frame is copied, and of it only what the last read brought.
    /// No slice of a frame may be kept.
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

    /// Nothing more is read, and what is left of a frame is wiped.
    mutating func discard() {
        unread.wipe()
        unread = ByteBuffer()
    }
}

extension ServerConnectionStateMachine {
    mutating func found(_ found: FrameAssembler.Found) -> (FrameHeader, FrameAction) {
        switch found {
        case .frame(let header, let data): (header, data.withUnsafeReadableBytes { frameReceived(header, $0) })
        case .tooLarge(let header): (header, frameTooLarge(header))
        }
    }
}

extension ByteBuffer {
    /// A buffer with storage of its own.
    fileprivate init(buffer: ByteBuffer, copying: Void) {
        self = ByteBufferAllocator().buffer(capacity: buffer.readableBytes)
        writeImmutableBuffer(buffer)
    }

    /// Overwrites the bytes of its storage, whoever else refers to it: a channel keeps what it has read into, and frees it as
    /// it is. Its indices stay as they are.
    fileprivate func wipe() {
        withVeryUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            explicit_bzero(UnsafeMutableRawPointer(mutating: start), min(writerIndex, bytes.count))
        }
    }
}
