import NIOCore
import TTRPC

extension ByteBuffer {
    /// Writes a header and has `fill` write exactly `byteCount` bytes of data behind it.
    mutating func writeFrame(
        _ type: FrameType, _ flags: FrameFlags = [], streamID: UInt32, byteCount: Int,
        _ fill: (UnsafeMutableRawBufferPointer) -> Void
    ) {
        let frameBytes = FrameHeader.byteCount + byteCount
        writeWithUnsafeMutableBytes(minimumWritableBytes: frameBytes) { bytes in
            FrameHeader(length: UInt32(byteCount), streamID: streamID, type: type, flags: flags).encode(into: bytes)
            fill(UnsafeMutableRawBufferPointer(rebasing: bytes[FrameHeader.byteCount..<frameBytes]))
            return frameBytes
        }
    }

    mutating func writeFrame(_ type: FrameType, _ flags: FrameFlags = [], streamID: UInt32, data: [UInt8]) {
        writeFrame(type, flags, streamID: streamID, byteCount: data.count) { bytes in
            data.withUnsafeBytes { bytes.copyMemory(from: $0) }
        }
    }
}

/// One message for many streams: its frame is made once for each stream id, and the bytes are shared by all
/// connections.
///
/// Confined to the event loop of the server whose connections it is sent on. Every `send` asserts this, so it can be `Sendable`
/// unchecked.
public final class SharedMessage: @unchecked Sendable {
    /// Clients of one kind have the same stream id for their watch. Past this many ids the frame is made anew each time.
    private static let maximumCachedFrames = 32

    private let message: [UInt8]
    private var frames: [UInt32: ByteBuffer] = [:]
    private var last: (streamID: UInt32, frame: ByteBuffer)?

    /// - Parameter message: the encoded message.
    public init(_ message: [UInt8]) {
        self.message = message
    }

    /// Length of the encoded message, in bytes.
    public var byteCount: Int { message.count }

    /// Whether it fits into a frame under any limit that a server may have.
    var isSmall: Bool { message.count <= 4096 }

    func frame(for streamID: UInt32) -> ByteBuffer {
        if let last, last.streamID == streamID { return last.frame }
        let frame = frames[streamID] ?? made(for: streamID)
        last = (streamID, frame)
        return frame
    }

    private func made(for streamID: UInt32) -> ByteBuffer {
        var frame = ByteBufferAllocator().buffer(capacity: FrameHeader.byteCount + message.count)
        frame.writeFrame(.data, streamID: streamID, data: message)
        if frames.count < SharedMessage.maximumCachedFrames { frames[streamID] = frame }
        return frame
    }
}
