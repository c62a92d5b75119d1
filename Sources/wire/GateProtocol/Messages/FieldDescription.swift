import CGateProtocol

/// One field of a message, as the generated code describes it.
struct FieldDescription {
    /// The type of a field, or of an element of a repeated field, and how the C struct holds it.
    enum Kind {
        case int32, uint32, int64, uint64, float, double, bool
        case enumeration(UnsafePointer<ProtobufCEnumDescriptor>)
        case string, bytes
        case message(UnsafePointer<ProtobufCMessageDescriptor>)
    }

    let kind: Kind
    let name: String
    let isRepeated: Bool
    /// Whether the field belongs to a oneof, of whose members at most one is set.
    let isOneofMember: Bool
    private let descriptor: ProtobufCFieldDescriptor

    init(_ descriptor: ProtobufCFieldDescriptor) {
        self.descriptor = descriptor
        kind = Kind(descriptor)
        name = String(cString: descriptor.name)
        isRepeated = descriptor.label == PROTOBUF_C_LABEL_REPEATED
        isOneofMember = descriptor.flags & PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue != 0
    }

    static func all(of message: UnsafePointer<ProtobufCMessageDescriptor>) -> [FieldDescription] {
        UnsafeBufferPointer(start: message.pointee.fields, count: Int(message.pointee.n_fields))
            .map(FieldDescription.init)
    }

    /// The name in proto3 JSON: snake_case becomes lowerCamelCase.
    var jsonName: String {
        var result = ""
        var isAfterUnderscore = false
        for character in name {
            if character == "_" {
                isAfterUnderscore = true
            } else {
                result += isAfterUnderscore ? character.uppercased() : String(character)
                isAfterUnderscore = false
            }
        }
        return result
    }
}

// MARK: In the memory of a C struct

extension FieldDescription {
    /// The address of the value. In a repeated field, the value is a pointer to the elements.
    func value(in message: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        message + Int(descriptor.offset)
    }

    func count(in message: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Int> {
        (message + Int(descriptor.quantifier_offset)).assumingMemoryBound(to: Int.self)
    }

    /// Points to the number of the member that is set in this field's oneof; 0 if none is.
    func setMember(in message: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt32> {
        (message + Int(descriptor.quantifier_offset)).assumingMemoryBound(to: UInt32.self)
    }

    var number: UInt32 { descriptor.id }

    /// The same for all members of a oneof, and different for the other oneofs of a message.
    var oneofID: UInt32 { descriptor.quantifier_offset }
}

extension FieldDescription.Kind {
    init(_ descriptor: ProtobufCFieldDescriptor) {
        switch descriptor.type {
        case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_SINT32, PROTOBUF_C_TYPE_SFIXED32: self = .int32
        case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32: self = .uint32
        case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_SINT64, PROTOBUF_C_TYPE_SFIXED64: self = .int64
        case PROTOBUF_C_TYPE_UINT64, PROTOBUF_C_TYPE_FIXED64: self = .uint64
        case PROTOBUF_C_TYPE_FLOAT: self = .float
        case PROTOBUF_C_TYPE_DOUBLE: self = .double
        case PROTOBUF_C_TYPE_BOOL: self = .bool
        case PROTOBUF_C_TYPE_ENUM:
            self = .enumeration(descriptor.descriptor.assumingMemoryBound(to: ProtobufCEnumDescriptor.self))
        case PROTOBUF_C_TYPE_STRING: self = .string
        case PROTOBUF_C_TYPE_BYTES: self = .bytes
        case PROTOBUF_C_TYPE_MESSAGE:
            self = .message(descriptor.descriptor.assumingMemoryBound(to: ProtobufCMessageDescriptor.self))
        default: preconditionFailure("protoc-c wrote a field of type \(descriptor.type)")
        }
    }

    /// The bytes from one element of a repeated field to the next.
    var stride: Int {
        switch self {
        case .int32, .uint32, .float, .bool, .enumeration: 4
        case .int64, .uint64, .double: 8
        case .string, .message: MemoryLayout<UnsafeRawPointer?>.stride
        case .bytes: MemoryLayout<ProtobufCBinaryData>.stride
        }
    }
}

extension UnsafePointer<ProtobufCEnumDescriptor> {
    /// The names of the values, in the order of their numbers.
    var names: [String] {
        UnsafeBufferPointer(start: pointee.values, count: Int(pointee.n_values)).map { String(cString: $0.name) }
    }
}
