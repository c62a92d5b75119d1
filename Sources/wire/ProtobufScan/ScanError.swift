/// The reason why a message must not be unpacked. Fields have their full names: "gate.v1.Presentation.cookie".
public enum ScanError: Error, Hashable, Sendable {
    /// The bytes end within a field, a tag or a length. `message` is the type that was being read.
    case truncated(message: String)
    /// Bytes that no encoder writes: a number of more than ten bytes, a tag or length of more than five, field number
    /// 0, or an unknown wire type.
    case malformed(message: String)
    /// A group, which proto3 does not have.
    case group(message: String)
    case wrongWireType(field: String)
    /// A packed field whose length is not a whole number of elements.
    case malformedPacking(field: String)
    /// A string with a NUL, which would end there as a C string.
    case nul(field: String)
    case invalidUTF8(field: String)
    /// A string with more combining marks in a row than the limit.
    case tooManyMarks(field: String, limit: Int)
    case tooDeep(field: String, limit: Int)
    /// More fields and packed elements than the limit.
    case tooManyFields(message: String, limit: Int)
}

extension ScanError: CustomStringConvertible {
    /// The full name of the field, or of the message if the error is about no single field.
    public var place: String {
        switch self {
        case .truncated(let message), .malformed(let message), .group(let message), .tooManyFields(let message, _):
            message
        case .wrongWireType(let field), .malformedPacking(let field), .nul(let field), .invalidUTF8(let field),
            .tooManyMarks(let field, _), .tooDeep(let field, _):
            field
        }
    }

    public var description: String {
        switch self {
        case .truncated(let message): "\(message) ends in the middle of a field"
        case .malformed(let message): "\(message) is not valid protobuf"
        case .group(let message): "\(message) holds a group, which proto3 does not have"
        case .wrongWireType(let field): "\(field) has the wrong wire type"
        case .malformedPacking(let field): "\(field) holds no whole number of packed elements"
        case .nul(let field): "\(field) holds a NUL character"
        case .invalidUTF8(let field): "\(field) is not UTF-8"
        case .tooManyMarks(let field, let limit): "\(field) holds more than \(limit) combining marks in a row"
        case .tooDeep(let field, let limit): "\(field) is nested deeper than \(limit) messages"
        case .tooManyFields(let message, let limit): "\(message) holds more than \(limit) fields and elements"
        }
    }
}
