import CSQLite

/// The values for the `?` of a statement, in order.
public typealias StatementArguments = [(any DatabaseValueConvertible)?]

/// A statement that SQLite has compiled.
public final class Statement {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { sqlite3_finalize(handle) }

    var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }
    /// Whether it was begun and has not ended.
    var isRunning: Bool { sqlite3_stmt_busy(handle) != 0 }

    /// Runs the statement to its end. Rows that it returns are ignored.
    public func execute(arguments: StatementArguments = []) throws(DatabaseError) {
        defer { reset() }
        try bind(arguments)
        while try step() {}
    }

    func bind(_ arguments: StatementArguments) throws(DatabaseError) {
        guard arguments.count == parameterCount else {
            throw DatabaseError(
                code: SQLITE_MISUSE, message: "\(arguments.count) arguments for \(parameterCount) parameters")
        }
        for position in arguments.indices {
            let index = CInt(position + 1)
            let result =
                switch arguments[position]?.databaseValue ?? .null {
                case .null: sqlite3_bind_null(handle, index)
                case .int64(let number): sqlite3_bind_int64(handle, index, number)
                case .double(let number): sqlite3_bind_double(handle, index, number)
                case .string(var text):
                    text.withUTF8 { bind_text(handle, index, $0.baseAddress, UInt64($0.count)) }
                case .blob(let bytes):
                    bytes.withUnsafeBytes { bind_bytes(handle, index, $0.baseAddress, UInt64($0.count)) }
                }
            guard result == SQLITE_OK else { throw error(result) }
        }
    }

    /// - Returns: whether there is a row.
    func step() throws(DatabaseError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    /// Prepares the statement for its next use. The arguments are removed, because they may be secrets.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    var row: Row {
        Row(databaseValues: (0..<sqlite3_column_count(handle)).map(value))
    }

    private func value(_ column: CInt) -> DatabaseValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .int64(sqlite3_column_int64(handle, column))
        case SQLITE_FLOAT: return .double(sqlite3_column_double(handle, column))
        case SQLITE_TEXT:
            let start = sqlite3_column_text(handle, column)
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
            return .string(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let start = sqlite3_column_blob(handle, column)
            let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
            return .blob(Array(bytes))
        case _: return .null
        }
    }

    private func error(_ code: CInt) -> DatabaseError {
        DatabaseError(code, of: sqlite3_db_handle(handle))
    }
}
