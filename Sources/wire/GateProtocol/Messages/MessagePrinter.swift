import CGateProtocol
import FoundationEssentials
import GateModel

/// Writes the C struct of a message as proto3 JSON.
struct MessagePrinter {
    private(set) var text = ""

    mutating func message(
        _ message: UnsafeMutableRawPointer, _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>
    ) {
        var separator = "{"
        for field in FieldDescription.all(of: descriptor) where isSet(field, in: message) {
            text += separator
            separator = ","
            string(field.jsonName)
            text += ":"
            if field.isRepeated {
                array(field, in: message)
            } else {
                value(field.value(in: message), field.kind)
            }
        }
        text += separator == "{" ? "{}" : "}"
    }

    private func isSet(_ field: FieldDescription, in message: UnsafeMutableRawPointer) -> Bool {
        if field.isOneofMember { return field.setMember(in: message).pointee == field.number }
        switch field.kind {
        case .message: return field.isRepeated || field.value(in: message).load(as: UnsafeRawPointer?.self) != nil
        case .int32, .uint32, .int64, .uint64, .float, .double, .bool, .enumeration, .string, .bytes: return true
        }
    }

    private mutating func array(_ field: FieldDescription, in message: UnsafeMutableRawPointer) {
        text += "["
        if let elements = field.value(in: message).load(as: UnsafeMutableRawPointer?.self) {
            for index in 0..<field.count(in: message).pointee {
                if index > 0 { text += "," }
                value(elements + index * field.kind.stride, field.kind)
            }
        }
        text += "]"
    }

    private mutating func value(_ value: UnsafeMutableRawPointer, _ kind: FieldDescription.Kind) {
        switch kind {
        case .int32: text += String(value.load(as: Int32.self))
        case .uint32: text += String(value.load(as: UInt32.self))
        case .int64: text += "\"\(value.load(as: Int64.self))\""
        case .uint64: text += "\"\(value.load(as: UInt64.self))\""
        case .float: floatingPoint(value.load(as: Float.self))
        case .double: floatingPoint(value.load(as: Double.self))
        case .bool: text += value.load(as: protobuf_c_boolean.self) != 0 ? "true" : "false"
        case .enumeration(let descriptor): enumeration(value.load(as: Int32.self), descriptor)
        case .string:
            string(value.load(as: UnsafePointer<CChar>?.self).map { String(cString: $0) } ?? "")
        case .bytes:
            let bytes = value.load(as: ProtobufCBinaryData.self)
            text += "\"\(Data([UInt8](reading: bytes)).base64EncodedString())\""
        case .message(let descriptor):
            if let nested = value.load(as: UnsafeMutableRawPointer?.self) { message(nested, descriptor) }
        }
    }

    /// A value that this version has no name for is printed as its number.
    private mutating func enumeration(_ number: Int32, _ descriptor: UnsafePointer<ProtobufCEnumDescriptor>) {
        if let value = protobuf_c_enum_descriptor_get_value(descriptor, number) {
            string(String(cString: value.pointee.name))
        } else {
            text += String(number)
        }
    }

    private mutating func floatingPoint(_ number: some BinaryFloatingPoint & LosslessStringConvertible) {
        if number.isFinite {
            text += number.description
        } else {
            text += number.isNaN ? "\"NaN\"" : number < 0 ? "\"-Infinity\"" : "\"Infinity\""
        }
    }

    private mutating func string(_ string: String) {
        text += JSONString.quoted(string)
    }
}
