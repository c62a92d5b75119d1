import NIOCore
import TTRPC

/// Cuts what is read from a socket into frames. A read that holds whole frames is not copied; what is left of a frame
/// that is not whole is kept in a buffer of its own, so that the channel can reuse its read buffer.
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

    /// Whether the input would cut a frame if it ended here.
    var isWithinFrame: Bool { unread.readableBytes > 0 || !decoder.isBetweenFrames }

    mutating func append(_ read: ByteBuffer) {
        if unread.readableBytes == 0 {
            unread = read
        } else {
            unread.writeImmutableBuffer(read)
        }
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

    /// Gives the read buffer back; at most one incomplete frame is copied, and of it only what the last read brought.
    mutating func settle(after read: ByteBuffer) {
        if unread.readableBytes == 0 {
            unread = ByteBuffer()
        } else if unread.readerIndex > 0 || unread.readableBytes == read.readableBytes {
            unread = ByteBuffer(buffer: unread.slice(), copying: ())
        }
    }
}

extension ByteBuffer {
    /// A buffer with storage of its own.
    fileprivate init(buffer: ByteBuffer, copying: Void) {
        self = ByteBufferAllocator().buffer(capacity: buffer.readableBytes)
        writeImmutableBuffer(buffer)
    }
}
