public struct Row: Hashable, Sendable {
    public let databaseValues: [DatabaseValue]

    /// - Parameter column: the index of the column, from 0.
    public subscript(_ column: Int) -> DatabaseValue { databaseValues[column] }
}

/// The rows that a statement returns, one after the other.
public final class RowCursor {
    private let statement: Statement
    private var isAtEnd = false

    fileprivate init(_ statement: Statement, _ arguments: StatementArguments) throws(DatabaseError) {
        self.statement = statement
        do {
            try statement.bind(arguments)
        } catch {
            statement.reset()
            throw error
        }
    }

    deinit { end() }

    /// - Returns: `nil` after the last row.
    public func next() throws(DatabaseError) -> Row? {
        guard !isAtEnd else { return nil }
        do {
            if try statement.step() { return statement.row }
        } catch {
            end()
            throw error
        }
        end()
        return nil
    }

    fileprivate func end() {
        guard !isAtEnd else { return }
        isAtEnd = true
        statement.reset()
    }
}

extension Row {
    public static func fetchCursor(
        _ statement: Statement, arguments: StatementArguments = []
    ) throws(DatabaseError) -> RowCursor {
        try RowCursor(statement, arguments)
    }

    public static func fetchCursor(
        _ database: Database, sql: String, arguments: StatementArguments = []
    ) throws(DatabaseError) -> RowCursor {
        try RowCursor(database.statement(sql: sql), arguments)
    }

    public static func fetchOne(
        _ statement: Statement, arguments: StatementArguments = []
    ) throws(DatabaseError) -> Row? {
        let rows = try fetchCursor(statement, arguments: arguments)
        defer { rows.end() }
        return try rows.next()
    }

    public static func fetchOne(
        _ database: Database, sql: String, arguments: StatementArguments = []
    ) throws(DatabaseError) -> Row? {
        try fetchOne(database.statement(sql: sql), arguments: arguments)
    }

    public static func fetchAll(
        _ statement: Statement, arguments: StatementArguments = []
    ) throws(DatabaseError) -> [Row] {
        let rows = try fetchCursor(statement, arguments: arguments)
        var found: [Row] = []
        while let row = try rows.next() { found.append(row) }
        return found
    }

    public static func fetchAll(
        _ database: Database, sql: String, arguments: StatementArguments = []
    ) throws(DatabaseError) -> [Row] {
        try fetchAll(database.statement(sql: sql), arguments: arguments)
    }
}

extension DatabaseValueConvertible {
    /// Reads the first column of the first row; `nil` if there is no row, or if the column is NULL.
    /// - Throws: `DatabaseError`, `ValueMismatch`.
    public static func fetchOne(
        _ database: Database, sql: String, arguments: StatementArguments = []
    ) throws -> Self? {
        guard let row = try Row.fetchOne(database, sql: sql, arguments: arguments), !row[0].isNull else { return nil }
        return try value(of: row)
    }

    /// Reads the first column of each row.
    /// - Throws: `DatabaseError`, `ValueMismatch`.
    public static func fetchAll(_ statement: Statement, arguments: StatementArguments = []) throws -> [Self] {
        try Row.fetchAll(statement, arguments: arguments).map { try value(of: $0) }
    }

    public static func fetchAll(
        _ database: Database, sql: String, arguments: StatementArguments = []
    ) throws -> [Self] {
        try fetchAll(database.statement(sql: sql), arguments: arguments)
    }

    private static func value(of row: Row) throws(ValueMismatch) -> Self {
        guard let value = fromDatabaseValue(row[0]) else { throw ValueMismatch(value: row[0]) }
        return value
    }
}
