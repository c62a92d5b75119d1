/// Why a message must not be unpacked. Fields are named in full: "gate.v1.Presentation.cookie".
public enum ScanError: Error, Hashable, Sendable {
    /// The bytes end within a field, a tag or a length. `message` is the type that was being read.
    case truncated(message: String)
    /// A tag or a number that no encoder writes: over ten bytes, field number 0, a wire type that does not exist.
    case malformed(message: String)
    /// A group, which proto3 does not have.
    case group(message: String)
    /// The field is there, but encoded as another type.
    case wrongWireType(field: String)
    /// A packed field whose length is no whole number of elements.
    case malformedPacking(field: String)
    /// A string that holds a NUL; as a C string it would end there.
    case nul(field: String)
    /// A string that is not UTF-8.
    case invalidUTF8(field: String)
    /// Messages within messages, deeper than the limit.
    case tooDeep(field: String, limit: Int)
    /// More fields and elements than the limit.
    case tooManyFields(message: String, limit: Int)
}

extension ScanError: CustomStringConvertible {
    /// The full name of the field, or of the message where no field is meant.
    public var place: String {
        switch self {
        case .truncated(let message), .malformed(let message), .group(let message), .tooManyFields(let message, _):
            message
        case .wrongWireType(let field), .malformedPacking(let field), .nul(let field), .invalidUTF8(let field),
            .tooDeep(let field, _):
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
        case .tooDeep(let field, let limit): "\(field) is nested deeper than \(limit) messages"
        case .tooManyFields(let message, let limit): "\(message) holds more than \(limit) fields and elements"
        }
    }
}
