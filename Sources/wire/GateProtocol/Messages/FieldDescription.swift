import CGateProtocol

/// One field of a message, as the generated code describes it.
struct FieldDescription {
    /// The type of a field, or of an element of a repeated one, and how the C struct holds it.
    enum Kind {
        case int32, uint32, int64, uint64, float, double, bool
        case enumeration(UnsafePointer<ProtobufCEnumDescriptor>)
        case string, bytes
        case message(UnsafePointer<ProtobufCMessageDescriptor>)
    }

    let kind: Kind
    /// As in the .proto file.
    let name: String
    let isRepeated: Bool
    /// Whether it is one of several fields of which at most one is set.
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

    /// The name that proto3 JSON prefers: snake_case becomes lowerCamelCase.
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
    /// Where the value is: for a repeated field, the address of its elements.
    func value(in message: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        message + Int(descriptor.offset)
    }

    /// How many elements a repeated field has.
    func count(in message: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Int> {
        (message + Int(descriptor.quantifier_offset)).assumingMemoryBound(to: Int.self)
    }

    /// The number of the member of this field's oneof that is set; 0: none.
    func setMember(in message: UnsafeMutableRawPointer) -> UnsafeMutablePointer<UInt32> {
        (message + Int(descriptor.quantifier_offset)).assumingMemoryBound(to: UInt32.self)
    }

    var number: UInt32 { descriptor.id }

    /// Distinguishes the oneofs of a message.
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

    /// From one element of a repeated field to the next.
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
    /// In the order of their numbers.
    var names: [String] {
        UnsafeBufferPointer(start: pointee.values, count: Int(pointee.n_values)).map { String(cString: $0.name) }
    }
}
