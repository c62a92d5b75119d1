import CProtobufC

/// The descriptor of a message that protoc-c never made, since none of ours contains itself:
///
/// ```proto
/// message Node { Node child = 1; string text = 2; repeated int32 numbers = 3; repeated fixed32 words = 4;
///                repeated fixed64 longs = 5; bytes data = 6; repeated string names = 7; bool flag = 20; }
/// ```
enum Node {
    nonisolated(unsafe) static let descriptor: UnsafePointer<ProtobufCMessageDescriptor> = make()

    private static func make() -> UnsafePointer<ProtobufCMessageDescriptor> {
        let message = UnsafeMutablePointer<ProtobufCMessageDescriptor>.allocate(capacity: 1)
        let rows: [(String, UInt32, ProtobufCLabel, ProtobufCType)] = [
            ("child", 1, PROTOBUF_C_LABEL_NONE, PROTOBUF_C_TYPE_MESSAGE),
            ("text", 2, PROTOBUF_C_LABEL_NONE, PROTOBUF_C_TYPE_STRING),
            ("numbers", 3, PROTOBUF_C_LABEL_REPEATED, PROTOBUF_C_TYPE_INT32),
            ("words", 4, PROTOBUF_C_LABEL_REPEATED, PROTOBUF_C_TYPE_FIXED32),
            ("longs", 5, PROTOBUF_C_LABEL_REPEATED, PROTOBUF_C_TYPE_FIXED64),
            ("data", 6, PROTOBUF_C_LABEL_NONE, PROTOBUF_C_TYPE_BYTES),
            ("names", 7, PROTOBUF_C_LABEL_REPEATED, PROTOBUF_C_TYPE_STRING),
            ("flag", 20, PROTOBUF_C_LABEL_NONE, PROTOBUF_C_TYPE_BOOL),
        ]
        let fields = UnsafeMutablePointer<ProtobufCFieldDescriptor>.allocate(capacity: rows.count)
        for (index, (name, number, label, type)) in rows.enumerated() {
            var field = ProtobufCFieldDescriptor()
            field.name = permanent(name)
            field.id = number
            field.label = label
            field.type = type
            if type == PROTOBUF_C_TYPE_MESSAGE { field.descriptor = UnsafeRawPointer(message) }
            (fields + index).initialize(to: field)
        }
        var descriptor = ProtobufCMessageDescriptor()
        descriptor.name = permanent("test.Node")
        descriptor.n_fields = UInt32(rows.count)
        descriptor.fields = UnsafePointer(fields)
        message.initialize(to: descriptor)
        return UnsafePointer(message)
    }

    private static func permanent(_ text: String) -> UnsafePointer<CChar> {
        let bytes = Array(text.utf8CString)
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        copy.initialize(from: bytes, count: bytes.count)
        return UnsafePointer(copy)
    }
}

/// `payload` as a length-delimited field.
func field(_ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var bytes = [number << 3 | 2]
    var length = payload.count
    while length >= 0x80 {
        bytes.append(UInt8(length & 0x7F) | 0x80)
        length >>= 7
    }
    bytes.append(UInt8(length))
    return bytes + payload
}
