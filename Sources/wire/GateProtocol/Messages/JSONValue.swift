import FoundationEssentials
import GateModel

/// A JSON text, parsed into a tree.
indirect enum JSONValue: Decodable {
    case null
    case bool(Bool)
    case integer(Int64)
    /// An integer above `Int64.max`.
    case large(UInt64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Enough for every message that passes the scan: at most 16 nested messages, each in an array.
    private static let maximumDepth = 32

    /// - Throws: `INVALID_ARGUMENT` if the text is not JSON, or nested deeper than 32 levels.
    init(parsing text: String) throws(GateError) {
        guard Self.depth(of: text) <= Self.maximumDepth else {
            throw .invalid("", "the JSON is nested deeper than \(Self.maximumDepth) levels")
        }
        do {
            self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            // FoundationEssentials does not say what is wrong, nor where.
            throw .invalid("", #"this is not JSON; a message is an object, like {"field": "value"}"#)
        }
    }

    /// The deepest nesting of brackets outside strings. It is counted before parsing, which would run out of stack on a
    /// text that is nested too deeply.
    private static func depth(of text: String) -> Int {
        var depth = 0
        var deepest = 0
        var isInString = false
        var isEscaped = false
        for byte in text.utf8 {
            switch byte {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isInString: isEscaped = true
            case UInt8(ascii: "\""): isInString.toggle()
            case UInt8(ascii: "{") where !isInString, UInt8(ascii: "[") where !isInString:
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "}") where !isInString, UInt8(ascii: "]") where !isInString:
                depth -= 1
            default: break
            }
        }
        return deepest
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .large(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// The kind of value in words, for error messages: "a string".
    var noun: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .large, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
