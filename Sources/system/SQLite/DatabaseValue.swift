public enum DatabaseValue: Hashable, Sendable {
    case null
    case int64(Int64)
    case double(Double)
    case string(String)
    case blob([UInt8])

    public var isNull: Bool { self == .null }
}

extension DatabaseValue: CustomStringConvertible {
    public var description: String {
        switch self {
        case .null: "NULL"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): String(reflecting: text)
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}

/// A type that can be stored and read back. Nothing is converted: a text is not read as a number.
public protocol DatabaseValueConvertible {
    var databaseValue: DatabaseValue { get }

    /// - Returns: `nil` if the value is not of this type.
    static func fromDatabaseValue(_ value: DatabaseValue) -> Self?
}

extension DatabaseValue: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { self }
    public static func fromDatabaseValue(_ value: DatabaseValue) -> DatabaseValue? { value }
}

extension DatabaseValueConvertible where Self: FixedWidthInteger {
    /// - Precondition: the number is at most `Int64.max`.
    public var databaseValue: DatabaseValue { .int64(Int64(self)) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        guard case .int64(let number) = value else { return nil }
        return Self(exactly: number)
    }
}

extension Int: DatabaseValueConvertible {}
extension Int32: DatabaseValueConvertible {}
extension Int64: DatabaseValueConvertible {}
extension UInt32: DatabaseValueConvertible {}
extension UInt64: DatabaseValueConvertible {}

/// Stored as 0 or 1.
extension Bool: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .int64(self ? 1 : 0) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Bool? {
        switch value {
        case .int64(0): false
        case .int64(1): true
        default: nil
        }
    }
}

extension String: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .string(self) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> String? {
        guard case .string(let text) = value else { return nil }
        return text
    }
}

extension [UInt8]: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { .blob(self) }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> [UInt8]? {
        guard case .blob(let bytes) = value else { return nil }
        return bytes
    }
}
