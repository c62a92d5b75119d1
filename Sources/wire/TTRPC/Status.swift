/// A gRPC status code. A peer may send any number; the constants are those that gRPC names.
public struct StatusCode: RawRepresentable, Hashable, Sendable {
    public var rawValue: Int32

    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    public static let ok = StatusCode(rawValue: 0)
    public static let cancelled = StatusCode(rawValue: 1)
    public static let unknown = StatusCode(rawValue: 2)
    public static let invalidArgument = StatusCode(rawValue: 3)
    public static let deadlineExceeded = StatusCode(rawValue: 4)
    public static let notFound = StatusCode(rawValue: 5)
    public static let alreadyExists = StatusCode(rawValue: 6)
    public static let permissionDenied = StatusCode(rawValue: 7)
    public static let resourceExhausted = StatusCode(rawValue: 8)
    public static let failedPrecondition = StatusCode(rawValue: 9)
    public static let aborted = StatusCode(rawValue: 10)
    public static let outOfRange = StatusCode(rawValue: 11)
    public static let unimplemented = StatusCode(rawValue: 12)
    public static let `internal` = StatusCode(rawValue: 13)
    public static let unavailable = StatusCode(rawValue: 14)
    public static let dataLoss = StatusCode(rawValue: 15)
    public static let unauthenticated = StatusCode(rawValue: 16)

    private static let names = [
        "OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",
        "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED",
        "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
    ]
}

extension StatusCode: CustomStringConvertible {
    /// gRPC's name, for example "INVALID_ARGUMENT", or "CODE_99" for a number without a name.
    public var description: String {
        StatusCode.names.indices.contains(Int(rawValue)) ? StatusCode.names[Int(rawValue)] : "CODE_\(rawValue)"
    }
}

public struct Status: Hashable, Sendable {
    public var code: StatusCode
    /// For people: what is wrong, and what to do. On the wire it ends at the first NUL.
    public var message: String
    /// For programs. The daemon puts a `gate.v1.ErrorDetail` here.
    public var details: [TypedValue]

    public init(_ code: StatusCode, _ message: String, details: [TypedValue] = []) {
        self.code = code
        self.message = message
        self.details = details
    }
}

extension Status: CustomStringConvertible {
    public var description: String { "\(code): \(message)" }
}

/// An encoded message with the name of its type: a `google.protobuf.Any`.
public struct TypedValue: Hashable, Sendable {
    /// "type.googleapis.com/" followed by the type's full name.
    public var typeURL: String
    public var value: [UInt8]

    public init(typeURL: String, value: [UInt8]) {
        self.typeURL = typeURL
        self.value = value
    }
}
