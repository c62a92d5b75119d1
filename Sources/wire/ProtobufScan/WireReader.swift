import CProtobufC

/// How a field is encoded; the lowest three bits of its tag.
enum WireType: UInt8 {
    case varint = 0
    case fixed64 = 1
    case lengthDelimited = 2
    case startGroup = 3
    case endGroup = 4
    case fixed32 = 5

    /// The wire type of one element of a field of this type.
    init(of type: ProtobufCType) {
        switch type {
        case PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_FLOAT: self = .fixed32
        case PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_DOUBLE: self = .fixed64
        case PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_MESSAGE: self = .lengthDelimited
        default: self = .varint  // int32 … uint64, bool, enum
        }
    }
}

/// Reads numbers and runs of bytes from the front of a buffer, never past its end.
struct WireReader {
    enum Varint {
        case value(UInt64)
        /// The bytes end before the number does.
        case truncated
        /// The number has more than ten bytes, or more than 64 bits.
        case overlong
    }

    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    @inline(__always)
    mutating func varint() -> Varint {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if shift == 63, byte > 1 { return .overlong }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return .value(value) }
            shift += 7
        }
        return .truncated
    }

    /// The next `count` bytes; `nil` if fewer are left.
    mutating func take(_ count: UInt64) -> UnsafeRawBufferPointer? {
        guard count <= UInt64(bytes.count - position) else { return nil }
        let start = position
        position += Int(count)
        return bytes[fromOffset: start, to: position]
    }
}

extension UnsafeRawBufferPointer {
    subscript(fromOffset start: Int, to end: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}
