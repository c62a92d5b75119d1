import TTRPC

/// Cuts bytes into frames as a transport does, and checks what the decoder promises.
struct FrameFeed {
    /// The limits are small, so that many frames exceed them.
    static let limits = ConnectionLimits(maximumFrameBytes: 200, maximumRequestBytes: 200, maximumStreams: 4)

    private var decoder = FrameDecoder(maximumFrameBytes: Self.limits.maximumFrameBytes)
    private var buffer: [UInt8] = []
    /// The number of bytes that were taken and discarded.
    private(set) var consumed = 0

    enum Event: Hashable {
        case frame(FrameHeader, [UInt8])
        case tooLarge(FrameHeader)
    }

    /// The bytes of a frame within the limit that is not whole yet.
    var waitingByteCount: Int { buffer.count }

    mutating func take(_ bytes: some Sequence<UInt8>) throws(BrokenPromise) -> [Event] {
        buffer += bytes
        var events: [Event] = []
        while true {
            let byteCount: Int
            switch buffer.withUnsafeBytes({ decoder.next($0) }) {
            case .needMore(let needed):
                try promise(needed > buffer.count, "\(needed) bytes are needed, and \(buffer.count) are there")
                try promise(
                    needed <= FrameHeader.byteCount + Self.limits.maximumFrameBytes, "\(needed) bytes are waited for")
                return events
            case .frame(let header, let count):
                byteCount = count
                try promise(count == FrameHeader.byteCount + Int(header.length), "a frame of \(count) bytes")
                try promise(
                    Array(buffer.prefix(FrameHeader.byteCount)) == header.encoded(), "another header: \(header)")
                events.append(.frame(header, Array(buffer.prefix(count).dropFirst(FrameHeader.byteCount))))
            case .tooLarge(let header, let count):
                byteCount = count
                events.append(.tooLarge(header))
            case .discarded(let count):
                byteCount = count
            }
            try promise(byteCount > 0 && byteCount <= buffer.count, "\(byteCount) of \(buffer.count) bytes were taken")
            buffer.removeFirst(byteCount)
            consumed += byteCount
        }
    }
}
