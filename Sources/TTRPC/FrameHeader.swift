/// The purpose of a frame. Types that do not exist yet are ignored, so that the protocol can grow.
public enum FrameType: Hashable, Sendable {
    /// Opens a stream, client to server. Holds a `RequestEnvelope`.
    case request
    /// Ends a stream, server to client. Holds a `ResponseEnvelope`.
    case response
    /// One message on a stream that is open.
    case data
    /// None that this version knows.
    case unknown(UInt8)

    public init(rawValue: UInt8) {
        switch rawValue {
        case 1: self = .request
        case 2: self = .response
        case 3: self = .data
        default: self = .unknown(rawValue)
        }
    }

    public var rawValue: UInt8 {
        switch self {
        case .request: 1
        case .response: 2
        case .data: 3
        case .unknown(let rawValue): rawValue
        }
    }
}

/// The word of a frame about its stream. "Remote" is the one who receives the frame's stream from the sender's point of
/// view: a sender that has nothing more to send sets `remoteClosed`.
public struct FrameFlags: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The sender sends nothing more on this stream.
    public static let remoteClosed = FrameFlags(rawValue: 0x01)
    /// The sender goes on sending on this stream.
    public static let remoteOpen = FrameFlags(rawValue: 0x02)
    /// The frame holds no message. Without it, a frame of length 0 holds an empty message.
    public static let noData = FrameFlags(rawValue: 0x04)
    /// How a stream of data ends: `remoteClosed` and `noData`.
    public static let endOfData: FrameFlags = [.remoteClosed, .noData]
}

/// The ten bytes before the data of every frame, big-endian: length, stream id, type, flags.
public struct FrameHeader: Hashable, Sendable {
    /// How long an encoded header is.
    public static let byteCount = 10

    /// Bytes of data that follow the header.
    public var length: UInt32
    /// Odd for streams that a client opened.
    public var streamID: UInt32
    public var type: FrameType
    public var flags: FrameFlags

    public init(length: UInt32, streamID: UInt32, type: FrameType, flags: FrameFlags = []) {
        self.length = length
        self.streamID = streamID
        self.type = type
        self.flags = flags
    }

    /// Reads a header from the first ten bytes; `nil` where there are fewer.
    public init?(decoding bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= FrameHeader.byteCount else { return nil }
        length = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
        streamID = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        type = FrameType(rawValue: bytes[8])
        flags = FrameFlags(rawValue: bytes[9])
    }

    /// Writes the header over the first ten bytes.
    public func encode(into bytes: UnsafeMutableRawBufferPointer) {
        precondition(bytes.count >= FrameHeader.byteCount, "a frame header needs ten bytes")
        bytes.storeBytes(of: length.bigEndian, toByteOffset: 0, as: UInt32.self)
        bytes.storeBytes(of: streamID.bigEndian, toByteOffset: 4, as: UInt32.self)
        bytes[8] = type.rawValue
        bytes[9] = flags.rawValue
    }

    public func encoded() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: FrameHeader.byteCount) { buffer, count in
            encode(into: UnsafeMutableRawBufferPointer(buffer))
            count = FrameHeader.byteCount
        }
    }
}
