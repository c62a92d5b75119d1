/// The type of a frame. Unknown types are ignored, so that the protocol can grow.
public enum FrameType: Hashable, Sendable {
    /// Opens a stream. Sent by the client; holds a `RequestEnvelope`.
    case request
    /// Ends a call, or a stream with an error. Sent by the server; holds a `ResponseEnvelope`.
    case response
    /// One message on an open stream.
    case data
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

/// What a frame says about its stream. "Remote" is meant from the receiver's view: its remote end is the sender.
public struct FrameFlags: OptionSet, Hashable, Sendable {
    public var rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The sender sends nothing more on this stream.
    public static let remoteClosed = FrameFlags(rawValue: 0x01)
    /// The sender will send more on this stream.
    public static let remoteOpen = FrameFlags(rawValue: 0x02)
    /// The frame holds no message. Without this flag, a frame of length 0 holds an empty message.
    public static let noData = FrameFlags(rawValue: 0x04)
    /// The flags of the frame that ends a stream.
    public static let endOfData: FrameFlags = [.remoteClosed, .noData]
}

/// The ten bytes before the data of every frame: length (4), stream id (4), type (1) and flags (1), big-endian.
public struct FrameHeader: Hashable, Sendable {
    public static let byteCount = 10

    /// How many bytes of data follow the header.
    public var length: UInt32
    /// Odd if a client opened the stream.
    public var streamID: UInt32
    public var type: FrameType
    public var flags: FrameFlags

    public init(length: UInt32, streamID: UInt32, type: FrameType, flags: FrameFlags = []) {
        self.length = length
        self.streamID = streamID
        self.type = type
        self.flags = flags
    }

    /// Reads the first ten bytes; `nil` if there are fewer.
    public init?(decoding bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= FrameHeader.byteCount else { return nil }
        length = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
        streamID = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        type = FrameType(rawValue: bytes[8])
        flags = FrameFlags(rawValue: bytes[9])
    }

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
