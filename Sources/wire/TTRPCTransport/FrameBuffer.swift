import NIOCore
import TTRPC

extension ByteBuffer {
    /// Writes a header; `fill` then writes exactly `byteCount` bytes of data behind it.
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

/// A message for many streams, encoded once. Its frame is built once for each stream id, for all connections. Used only
/// on the server's event loop, which each `send` asserts, so it can be `Sendable` unchecked.
public final class SharedMessage: @unchecked Sendable {
    /// Clients of one kind use the same stream id for their watch, so a few frames serve most of them.
    private static let maximumCachedFrames = 32

    private let message: [UInt8]
    private var frames: [UInt32: ByteBuffer] = [:]
    private var last: (streamID: UInt32, frame: ByteBuffer)?

    public init(_ message: [UInt8]) {
        self.message = message
    }

    /// In bytes, without the frame's header.
    public var byteCount: Int { message.count }

    /// Small enough to be sent without comparing it with the limit of a frame.
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
