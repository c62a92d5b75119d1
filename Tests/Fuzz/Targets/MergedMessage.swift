import CProtobufC

/// What libprotobuf-c refuses although it is well formed: a message that stands twice where one is meant, so that the
/// two would be merged, and of whose oneof neither sets a member. No encoder writes such a thing.
enum MergedMessage {
    /// Whether the bytes, which have passed the scan, hold one.
    static func isIn(_ bytes: ArraySlice<UInt8>, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> Bool {
        var rest = bytes
        var seen: Set<UInt64> = []
        while !rest.isEmpty {
            let tag = varint(&rest)
            switch tag & 7 {
            case 0: _ = varint(&rest)
            case 1: rest = rest.dropFirst(8)
            case 5: rest = rest.dropFirst(4)
            default:
                let length = Int(varint(&rest))
                let content = rest.prefix(length)
                rest = rest.dropFirst(length)
                guard let field = message(numbered: tag >> 3, of: descriptor) else { continue }
                let inner = field.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self)
                let isMerged = isSingle(field) && !seen.insert(tag >> 3).inserted && hasOneof(inner)
                if isMerged || isIn(content, as: inner) { return true }
            }
        }
        return false
    }

    private static func fields(
        of descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) -> UnsafeBufferPointer<ProtobufCFieldDescriptor> {
        UnsafeBufferPointer(start: descriptor.pointee.fields, count: Int(descriptor.pointee.n_fields))
    }

    private static func message(
        numbered number: UInt64, of descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) -> ProtobufCFieldDescriptor? {
        fields(of: descriptor).first { UInt64($0.id) == number && $0.type == PROTOBUF_C_TYPE_MESSAGE }
    }

    /// Of a oneof, what came before is dropped, not merged.
    private static func isSingle(_ field: ProtobufCFieldDescriptor) -> Bool {
        field.label != PROTOBUF_C_LABEL_REPEATED && !isOneofMember(field)
    }

    private static func isOneofMember(_ field: ProtobufCFieldDescriptor) -> Bool {
        field.flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0
    }

    /// In the message itself, or in one that would be merged with it. No message of ours holds itself.
    private static func hasOneof(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) -> Bool {
        fields(of: descriptor).contains { field in
            isOneofMember(field)
                || field.type == PROTOBUF_C_TYPE_MESSAGE && isSingle(field)
                    && hasOneof(field.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self))
        }
    }

    private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = rest.popFirst() {
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return value
    }
}
