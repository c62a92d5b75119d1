import GateCore
import SQLite

/// A table for one property of the durable records, with one row for each entry. Loading at a start, changes and
/// restored backups all use it.
struct EntryTable<Key, Record, each Value>: RecordTable {
    let table: Table<repeat each Value>
    /// More rows than the core ever has. A table with more, or with an entry twice, was not written by Gate.
    private let maximumCount: Int
    private let surplus: String?
    private let finding: RowFinding<Key>
    private let entries: @Sendable (DurableRecords) -> [(Key, Record)]
    private let add: @Sendable (inout DurableRecords, Key, Record) -> Bool
    private let row: @Sendable (Key, Record) throws -> (repeat each Value)
    private let entry: @Sendable (repeat each Value) throws -> (Key, Record)?

    /// - Parameters:
    ///   - surplus: the SQL after FROM that selects the rows to read if there are too many; `nil`: too many rows are
    ///     damage.
    ///   - entries: returns all entries of the records.
    ///   - add: adds an entry; returns false if it exists already.
    ///   - row: throws `StoreError.failed` for an entry that could not be read again.
    ///   - entry: returns `nil` to skip a row. Throws `StoreError.damaged` for one that Gate never writes.
    init(
        _ table: Table<repeat each Value>, atMost maximumCount: Int = .max, surplus: String? = nil,
        foundBy finding: RowFinding<Key>, entries: @escaping @Sendable (DurableRecords) -> [(Key, Record)],
        add: @escaping @Sendable (inout DurableRecords, Key, Record) -> Bool,
        row: @escaping @Sendable (Key, Record) throws -> (repeat each Value),
        entry: @escaping @Sendable (repeat each Value) throws -> (Key, Record)?
    ) {
        (self.table, self.maximumCount, self.surplus, self.finding) = (table, maximumCount, surplus, finding)
        (self.entries, self.add, self.row, self.entry) = (entries, add, row, entry)
    }

    /// A table for a dictionary.
    init(
        _ table: Table<repeat each Value>, of path: any WritableKeyPath<DurableRecords, [Key: Record]> & Sendable,
        atMost maximumCount: Int, foundBy finding: RowFinding<Key>,
        row: @escaping @Sendable (Key, Record) throws -> (repeat each Value),
        entry: @escaping @Sendable (repeat each Value) throws -> (Key, Record)?
    ) where Key: Hashable & Sendable, Record: Sendable {
        self.init(
            table, atMost: maximumCount, foundBy: finding, entries: { $0[keyPath: path].map { ($0, $1) } },
            add: { $0[keyPath: path].updateValue($2, forKey: $1) == nil }, row: row, entry: entry)
    }

    var schema: TableSchema { table.schema }

    func load(into records: inout DurableRecords, from database: Database) throws {
        var clause = ""
        if let surplus, try table.count(in: database) > maximumCount { clause = surplus }
        var count = 0
        try table.forEach(clause, in: database) { (value: repeat each Value) in
            guard let (key, record) = try entry(repeat each value) else { return }
            guard count < maximumCount, add(&records, key, record) else {
                throw StoreError.damaged("too many rows in \(schema.name), or one twice")
            }
            count += 1
        }
    }

    func replaceAll(with records: DurableRecords, documentsFrom _: StagedRestore?, in database: Database) throws {
        try table.deleteAll(in: database)
        for (key, record) in entries(records) { try set(record, for: key, in: database) }
    }

    func set(_ record: Record, for key: Key, in database: Database) throws {
        switch finding {
        // `write` replaces the row with the same key.
        case .columns: break
        case .name(let name):
            let (columns, name) = name(key)
            try table.deleteOtherSpellings(of: name, columns, in: database)
        case .secretName: try remove(key, in: database)
        }
        let values = try row(key, record)
        try table.write(repeat each values, in: database)
    }

    func remove(_ key: Key, in database: Database) throws {
        switch finding {
        case .columns(let columns):
            if let columns = try columns(key) { try table.delete(columns, in: database) }
        case .name(let name):
            let (columns, name) = name(key)
            try table.deleteOtherSpellings(of: name, columns, in: database)
            try table.delete(columns + [name], in: database)
        case .secretName(let name): try table.rewrite(without: name(key), in: database)
        }
    }
}

/// How the row of an entry is found.
///
/// For Swift, a letter with an accent is equal to a letter followed by a combining accent. For SQLite it is not: it
/// would keep both rows where Swift has one entry, and miss one that is to be removed.
enum RowFinding<Key>: Sendable {
    /// By the columns of the key; `nil`: no row can have this key.
    case columns(@Sendable (Key) throws -> StatementArguments?)
    /// By the columns of the key, the last of which is a name that may be spelled in other bytes.
    case name(@Sendable (Key) -> (StatementArguments, String))
    /// By name, in a table with secrets. If SQLite splits or merges pages, copies of rows stay in their free space,
    /// which `secure_delete` does not overwrite. So whenever a secret is removed, the whole table is emptied, which
    /// overwrites all its pages, and written again.
    case secretName(@Sendable (Key) -> String)
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
            try database.cachedStatement(sql: schema.replacement).execute(arguments: stored)
        } else {
            try database.execute(sql: schema.replacement, arguments: stored)
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

struct Column<Value>: Sendable {
    fileprivate let format: Format<Value>
    fileprivate let schema: ColumnSchema

    /// - Parameters:
    ///   - constraint: what CREATE TABLE has after name and type.
    ///   - step: the number of the schema's step that added the column; 0: it was made with the table.
    init(_ name: String, _ format: Format<Value>, _ constraint: String = "", step: Int = 0) {
        self.format = format
        schema = ColumnSchema(name, constraint.isEmpty ? format.type : "\(format.type) \(constraint)", step: step)
    }
}

/// How a value is stored in a column.
///
/// The same condition is checked when a value is written and when it is read, so no commit can make a store that the
/// next start takes for damaged. The file's contents come from outside, so nothing here may trap. Errors don't repeat a
/// stored value: it may be a secret or a person's answer.
///
/// It is a class because every row that is written or read uses the formats of its columns, and copying a reference is
/// cheapest.
final class Format<Value>: Sendable {
    /// The type as in CREATE TABLE.
    let type: String
    private let noun: String
    private let write: @Sendable (Value) throws -> DatabaseValue?
    private let value: @Sendable (DatabaseValue) throws -> Value?

    /// - Parameters:
    ///   - noun: what the value is, for errors, with an article.
    ///   - write: returns `nil` for a value that could not be read again.
    ///   - value: returns `nil` for what Gate never writes.
    init(
        _ type: String, _ noun: String, write: @escaping @Sendable (Value) throws -> DatabaseValue?,
        value: @escaping @Sendable (DatabaseValue) throws -> Value?
    ) {
        (self.type, self.noun, self.write, self.value) = (type, noun, write, value)
    }

    /// - Throws: `StoreError.failed` if the value could not be read again.
    func stored(_ value: Value) throws -> DatabaseValue {
        guard let stored = try write(value) else {
            throw StoreError.failed("only \(noun) can be stored there; give another one")
        }
        return stored
    }

    /// - Throws: `StoreError.damaged` if Gate never writes such a value.
    func read(_ stored: DatabaseValue) throws -> Value {
        guard let value = try value(stored) else { throw StoreError.damaged("something else than \(noun)") }
        return value
    }
}

extension Format where Value: DatabaseValueConvertible & Sendable {
    /// - Parameter isPossible: whether Gate writes this value.
    convenience init(
        _ type: String, _ noun: String, where isPossible: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        self.init(
            type, noun, write: { isPossible($0) ? $0.databaseValue : nil },
            value: { stored in Value.fromDatabaseValue(stored).flatMap { isPossible($0) ? $0 : nil } })
    }
}

extension Format {
    /// A value that is stored in the format of another.
    ///
    /// - Parameters:
    ///   - value: returns `nil` if the stored value is invalid.
    ///   - base: returns `nil` for a value that could not be read again.
    convenience init<Base>(
        _ format: Format<Base>, _ noun: String, value: @escaping @Sendable (Base) -> Value?,
        base: @escaping @Sendable (Value) -> Base?
    ) {
        self.init(
            format.type, noun, write: { try base($0).map(format.stored) }, value: { value(try format.read($0)) })
    }

    /// A column that may be NULL.
    static func optional<Wrapped>(_ format: Format<Wrapped>) -> Format where Value == Wrapped? {
        Format(
            format.type.replacing(" NOT NULL", with: ""), format.noun,
            write: { try $0.map(format.stored) ?? .null },
            value: { $0.isNull ? .some(nil) : .some(try format.read($0)) })
    }
}
