import CGateProtocol
import FoundationEssentials
import GateModel

/// Builds the C struct of a message from proto3 JSON.
struct MessageReader {
    /// - Parameter path: The names of the fields that lead to this message, for errors.
    mutating func message(
        _ value: JSONValue, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>, path: [String],
        in arena: inout MessageArena
    ) throws(GateError) -> UnsafeMutablePointer<ProtobufCMessage> {
        let typeName = String(cString: descriptor.pointee.name)
        guard case .object(let object) = value else {
            throw mismatch(path, takes: "an object (\(typeName))", not: value)
        }
        let message = arena.allocate(descriptor.pointee.sizeof_message)
        let base = message.bindMemory(to: ProtobufCMessage.self, capacity: 1)
        descriptor.pointee.message_init(base)
        let fields = FieldDescription.all(of: descriptor)
        // Sorted by name, so that of several mistakes the same one is always reported.
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            guard let field = fields.first(where: { $0.jsonName == name || $0.name == name }) else {
                let known = fields.map(\.jsonName).joined(separator: ", ")
                throw .invalid(
                    (path + [name]).joined(separator: "."),
                    "\(typeName) has no field \"\((path + [name]).joined(separator: "."))\"; "
                        + (known.isEmpty ? "it has none at all" : "its fields are \(known)"))
            }
            if field.jsonName != field.name, name == field.name, object[field.jsonName] != nil {
                let both = (path + [name]).joined(separator: ".")
                throw .invalid(both, "\"\(both)\" is there twice, under both of its names")
            }
            if case .null = value { continue }
            try set(field, of: message, to: value, path: path + [name], in: &arena)
        }
        return base
    }

    private mutating func set(
        _ field: FieldDescription, of message: UnsafeMutableRawPointer, to value: JSONValue, path: [String],
        in arena: inout MessageArena
    ) throws(GateError) {
        guard field.isRepeated else {
            if field.isOneofMember {
                guard field.setMember(in: message).pointee == 0 else {
                    throw .invalid(
                        path.joined(separator: "."),
                        "\"\(path.joined(separator: "."))\" can't be set together with another field of its oneof")
                }
                field.setMember(in: message).pointee = field.number
            }
            return try store(value, field.kind, at: field.value(in: message), path: path, in: &arena)
        }
        guard case .array(let values) = value else { throw mismatch(path, takes: "an array", not: value) }
        guard !values.isEmpty else { return }
        let elements = arena.allocate(values.count * field.kind.stride)
        for (index, element) in values.enumerated() {
            try store(
                element, field.kind, at: elements + index * field.kind.stride, path: path + ["\(index)"], in: &arena)
        }
        field.value(in: message).storeBytes(of: elements, as: UnsafeMutableRawPointer?.self)
        field.count(in: message).pointee = values.count
    }

    private mutating func store(
        _ value: JSONValue, _ kind: FieldDescription.Kind, at address: UnsafeMutableRawPointer, path: [String],
        in arena: inout MessageArena
    ) throws(GateError) {
        switch kind {
        case .int32: address.storeBytes(of: try integer(value, path), as: Int32.self)
        case .uint32: address.storeBytes(of: try integer(value, path), as: UInt32.self)
        case .int64: address.storeBytes(of: try integer(value, path), as: Int64.self)
        case .uint64: address.storeBytes(of: try integer(value, path), as: UInt64.self)
        case .float: address.storeBytes(of: Float(try floatingPoint(value, path)), as: Float.self)
        case .double: address.storeBytes(of: try floatingPoint(value, path), as: Double.self)
        case .bool:
            guard case .bool(let bool) = value else { throw mismatch(path, takes: "true or false", not: value) }
            address.storeBytes(of: bool ? 1 : 0, as: protobuf_c_boolean.self)
        case .enumeration(let descriptor):
            address.storeBytes(of: try enumeration(value, descriptor, path), as: Int32.self)
        case .string:
            guard case .string(let text) = value else { throw mismatch(path, takes: "a string", not: value) }
            guard !text.utf8.contains(0) else {
                throw .invalid(
                    path.joined(separator: "."), "\"\(path.joined(separator: "."))\" holds a NUL character")
            }
            address.storeBytes(of: arena.string(text), as: UnsafeMutablePointer<CChar>?.self)
        case .bytes:
            address.storeBytes(of: arena.bytes(try bytes(value, path)), as: ProtobufCBinaryData.self)
        case .message(let descriptor):
            let nested = try message(value, as: descriptor, path: path, in: &arena)
            address.storeBytes(of: nested, as: UnsafeMutablePointer<ProtobufCMessage>?.self)
        }
    }
}

// MARK: Values

extension MessageReader {
    /// Takes a number, or a string that holds one: 64-bit numbers are printed as strings.
    private func integer<Integer: FixedWidthInteger>(
        _ value: JSONValue, _ path: [String]
    ) throws(GateError) -> Integer {
        let integer: Integer?
        switch value {
        case .integer(let number): integer = Integer(exactly: number)
        case .large(let number): integer = Integer(exactly: number)
        case .number(let number): integer = Integer(exactly: number)
        case .string(let text): integer = Integer(text)
        case .null, .bool, .array, .object: integer = nil
        }
        guard let integer else {
            throw mismatch(path, takes: "a whole number from \(Integer.min) to \(Integer.max)", not: value)
        }
        return integer
    }

    private func floatingPoint(_ value: JSONValue, _ path: [String]) throws(GateError) -> Double {
        switch value {
        case .integer(let number): return Double(number)
        case .large(let number): return Double(number)
        case .number(let number): return number
        case .string("NaN"): return .nan
        case .string("Infinity"): return .infinity
        case .string("-Infinity"): return -.infinity
        case .string, .null, .bool, .array, .object: throw mismatch(path, takes: "a number", not: value)
        }
    }

    /// Takes a name. Also takes a number, since values without a name are printed as numbers.
    private func enumeration(
        _ value: JSONValue, _ descriptor: UnsafePointer<ProtobufCEnumDescriptor>, _ path: [String]
    ) throws(GateError) -> Int32 {
        switch value {
        case .string(let name):
            // C would compare the name only up to its first NUL.
            if !name.utf8.contains(0), let value = protobuf_c_enum_descriptor_get_value_by_name(descriptor, name) {
                return Int32(value.pointee.value)
            }
        case .integer(let number):
            if let number = Int32(exactly: number) { return number }
        case .null, .bool, .large, .number, .array, .object:
            break
        }
        throw mismatch(path, takes: "one of \(descriptor.names.joined(separator: ", "))", not: value)
    }

    /// Takes base64. The URL alphabet and missing padding are accepted, as proto3 JSON demands.
    private func bytes(_ value: JSONValue, _ path: [String]) throws(GateError) -> [UInt8] {
        // The error does not repeat the value: it may be a secret that somebody forgot to encode.
        let problem = GateError.invalid(
            path.joined(separator: "."), "\"\(path.joined(separator: "."))\" takes a string of base64")
        guard case .string(let text) = value,
            let bytes = Base64.bytes(text.utf8, .either, allowing: .missingPadding)
        else { throw problem }
        return bytes
    }

    private func mismatch(_ path: [String], takes expected: String, not value: JSONValue) -> GateError {
        let field = path.joined(separator: ".")
        let found =
            switch value {
            case .string(let text) where text.utf8.count <= 64: "\"\(text)\""
            case .integer(let number): "\(number)"
            case .large(let number): "\(number)"
            case .number(let number): "\(number)"
            case .null, .bool, .string, .array, .object: value.noun
            }
        return .invalid(field, "\(path.isEmpty ? "the message" : "\"\(field)\"") takes \(expected), not \(found)")
    }
}
