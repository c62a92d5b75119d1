import SQLite

struct Column<Value>: Sendable {
    let name: String
    let format: Format<Value>
    fileprivate let constraint: String
    fileprivate let step: Int

    /// - Parameters:
    ///   - constraint: what CREATE TABLE has after name and type.
    ///   - step: the number of the schema's step that added the column; 0: it was made with the table.
    init(_ name: String, _ format: Format<Value>, _ constraint: String = "", step: Int = 0) {
        (self.name, self.format, self.constraint, self.step) = (name, format, constraint, step)
    }

    fileprivate var schema: ColumnSchema {
        ColumnSchema(name, constraint.isEmpty ? format.type : "\(format.type) \(constraint)", step: step)
    }
}

/// A column as it is written in CREATE TABLE.
struct ColumnSchema: Sendable {
    let name: String
    fileprivate let declaration: String
    /// The same as in `Column`.
    fileprivate let step: Int

    init(_ name: String, _ declaration: String, step: Int = 0) {
        (self.name, self.declaration, self.step) = (name, declaration, step)
    }

    fileprivate var text: String { "\(name) \(declaration)" }
}

/// How a table is made, and the statements that write and read its rows. They are composed once, because cached
/// statements are found by their text.
final class TableSchema: Sendable {
    let name: String
    private let step: Int
    private let columns: [ColumnSchema]
    private let constraints: [String]
    private let options: String
    private let isOneRow: Bool
    fileprivate let keepsStatements: Bool
    fileprivate let insertion, selection, deletion: String
    fileprivate let lastKey: String

    /// - Parameters:
    ///   - step: the number of the schema's step that makes the table.
    ///   - keyCount: how many of the first columns are the key. A single one is declared as the key in its constraint.
    ///   - hasRowID: whether SQLite numbers the rows.
    ///   - isOneRow: whether the table always has exactly one row.
    ///   - keepsStatements: whether the statement that writes rows is cached. The cache also keeps its last arguments.
    init(
        _ name: String, step: Int = 1, keyCount: Int = 1, hasRowID: Bool = false, isOneRow: Bool = false,
        keepsStatements: Bool = true, constraints: [String] = [], columns: [ColumnSchema]
    ) {
        let key = columns.prefix(keyCount).map(\.name)
        (self.name, self.step, self.columns, self.isOneRow) = (name, step, columns, isOneRow)
        self.constraints = (keyCount > 1 ? ["PRIMARY KEY (\(key.joined(separator: ", ")))"] : []) + constraints
        options = hasRowID ? "STRICT" : "STRICT, WITHOUT ROWID"
        self.keepsStatements = keepsStatements
        insertion = Self.insertion("INSERT OR REPLACE", into: name, columns)
        selection = "SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(name)"
        deletion = "DELETE FROM \(name) WHERE " + key.map { "\($0) = ?" }.joined(separator: " AND ")
        lastKey = key.last ?? ""
    }

    /// The statements with which a step of the schema makes the table or adds columns to it.
    func statements(of step: Int) -> [String] {
        guard step == self.step else {
            return columns.filter { $0.step == step }.map { "ALTER TABLE \(name) ADD COLUMN \($0.text)" }
        }
        let lines = columns.filter { $0.step == 0 }.map(\.text) + constraints
        let creation = "CREATE TABLE \(name) (\n    \(lines.joined(separator: ",\n    "))\n) \(options)"
        return isOneRow ? [creation, "INSERT INTO \(name) (id) VALUES (1)"] : [creation]
    }

    /// The statement that adds a row, with the values of all columns.
    ///
    /// - Parameter verb: INSERT, or INSERT OR REPLACE to replace a row with the same key.
    func insertion(_ verb: String) -> String { Self.insertion(verb, into: name, columns) }

    private static func insertion(_ verb: String, into name: String, _ columns: [ColumnSchema]) -> String {
        let names = columns.map(\.name).joined(separator: ", ")
        return "\(verb) INTO \(name) (\(names)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    }
}

/// A table, described by its columns. How it is made and how its rows are written, found and read follows from them.
struct Table<each Value>: Sendable {
    let schema: TableSchema
    private let formats: (repeat Format<each Value>)

    /// See `TableSchema.init` for the parameters.
    init(
        _ name: String, step: Int = 1, keyCount: Int = 1, hasRowID: Bool = false, isOneRow: Bool = false,
        keepsStatements: Bool = true, constraints: [String] = [], _ column: repeat Column<each Value>
    ) {
        var columns: [ColumnSchema] = []
        for column in repeat each column { columns.append(column.schema) }
        formats = (repeat (each column).format)
        schema = TableSchema(
            name, step: step, keyCount: keyCount, hasRowID: hasRowID, isOneRow: isOneRow,
            keepsStatements: keepsStatements, constraints: constraints, columns: columns)
    }

    // MARK: - Reading

    /// Calls `body` with each row, one after the other.
    ///
    /// - Parameters:
    ///   - clause: what follows FROM.
    ///   - keepsStatement: whether the statement is cached.
    func forEach(
        _ clause: String = "", _ arguments: StatementArguments = [], keepsStatement: Bool = false,
        in database: Database, _ body: (repeat each Value) throws -> Void
    ) throws {
        let sql = "\(schema.selection) \(clause)"
        let rows =
            keepsStatement
            ? try Row.fetchCursor(database.cachedStatement(sql: sql), arguments: arguments)
            : try Row.fetchCursor(database, sql: sql, arguments: arguments)
        while let row = try rows.next() {
            let values = try values(of: row)
            try body(repeat each values)
        }
    }

    func count(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM \(schema.name)") ?? 0
    }

    /// Reads the row of a table that has exactly one.
    func onlyRow(in database: Database) throws -> (repeat each Value) {
        guard let row = try Row.fetchOne(database, sql: schema.selection) else {
            throw StoreError.damaged("no row in \(schema.name)")
        }
        return try values(of: row)
    }

    private func values(of row: Row) throws -> (repeat each Value) {
        var rest = row.databaseValues.makeIterator()
        return (repeat try (each formats).read(rest.next() ?? .null))
    }

    // MARK: - Writing

    /// Adds a row. It replaces a row with the same key.
    func write(_ value: repeat each Value, in database: Database) throws {
        try execute(try stored(repeat each value), in: database)
    }

    private func stored(_ value: repeat each Value) throws -> StatementArguments {
        var stored: StatementArguments = []
        // An array with literal elements would be converted one by one at run time.
        for (format, value) in repeat (each formats, each value) {
            let value: any DatabaseValueConvertible = try format.stored(value)
            stored.append(value)
        }
        return stored
    }

    private func execute(_ stored: StatementArguments, in database: Database) throws {
        if schema.keepsStatements {
            try database.cachedStatement(sql: schema.insertion).execute(arguments: stored)
        } else {
            try database.execute(sql: schema.insertion, arguments: stored)
        }
    }

    /// Deletes the row with this key, if there is one.
    func delete(_ key: StatementArguments, in database: Database) throws {
        try database.cachedStatement(sql: schema.deletion).execute(arguments: key)
    }

    /// Deletes the rows whose keys differ from this one only in the bytes of the name at its end.
    func deleteOtherSpellings(of name: String, _ key: StatementArguments, in database: Database) throws {
        var query = "SELECT \(schema.lastKey) FROM \(schema.name)"
        if name.utf8.allSatisfy({ $0 < 0x80 }) {
            // If the name is ASCII, another spelling is not. Hardly any stored name is not, so this finds few rows.
            query += " WHERE length(\(schema.lastKey)) <> length(CAST(\(schema.lastKey) AS BLOB))"
        }
        let others = try String.fetchAll(database.cachedStatement(sql: query))
            .filter { $0 == name && !$0.utf8.elementsEqual(name.utf8) }
        for spelling in others { try delete(key + [spelling], in: database) }
    }

    /// Writes the whole table again without the rows of a name, in whatever spelling. Does nothing if there are none.
    func rewrite(without name: String, in database: Database) throws {
        guard try String.fetchAll(database, sql: "SELECT \(schema.lastKey) FROM \(schema.name)").contains(name) else {
            return
        }
        let rows = try Row.fetchAll(database, sql: "\(schema.selection) ORDER BY \(schema.lastKey)")
        try deleteAll(in: database)
        for row in rows where String.fromDatabaseValue(row[0]) != name { try execute(row.databaseValues, in: database) }
    }

    func deleteAll(in database: Database) throws { try database.execute(sql: "DELETE FROM \(schema.name)") }

    /// Changes the row of a table that has exactly one.
    func update(_ assignments: String, _ arguments: StatementArguments, in database: Database) throws {
        // It is not cached, because the cache would keep the arguments.
        try database.execute(sql: "UPDATE \(schema.name) SET \(assignments)", arguments: arguments)
        guard database.changesCount == 1 else { throw StoreError.damaged("no row in \(schema.name)") }
    }
}
