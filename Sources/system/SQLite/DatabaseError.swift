import CSQLite

public struct DatabaseError: Error, Hashable, Sendable {
    /// SQLite's extended result code.
    public var code: CInt
    public var message: String

    public init(code: CInt, message: String) {
        (self.code, self.message) = (code, message)
    }

    /// - Parameter connection: the connection that failed; `nil` if it could not be opened.
    init(_ code: CInt, of connection: OpaquePointer?) {
        let words = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        self.init(code: code, message: words.map { String(cString: $0) } ?? "error \(code)")
    }

    static let closed = DatabaseError(code: SQLITE_MISUSE, message: "the connection is closed")

    public enum Kind: Sendable {
        case full, readOnly, damaged, misused, busy, other
    }

    public var kind: Kind {
        // SQLITE_IOERR_SHMSIZE: there is no room for the index of the log.
        if code == SQLITE_IOERR | (19 << 8) { return .full }
        // The lowest byte of an extended code is the primary code.
        return switch code & 0xFF {
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_PERM: .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
        case SQLITE_MISUSE: .misused
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case _: .other
        }
    }
}

extension DatabaseError: CustomStringConvertible {
    public var description: String { "SQLite error \(code): \(message)" }
}

/// A stored value does not have the type that was asked for.
public struct ValueMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    public var value: DatabaseValue
    public var description: String { "\(value) where something else belongs" }
}
