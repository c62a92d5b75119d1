import GateCore
import GateModel
import SQLite

/// A table of the durable records.
protocol RecordTable: Sendable {
    var schema: TableSchema { get }

    /// - Throws: `StoreError.damaged` for a value that Gate never writes.
    func load(into records: inout DurableRecords, from database: Database) throws

    /// Replaces all rows with those of these records. They don't contain the bytes of documents, which are copied from
    /// the backup if this store lacks them.
    func replaceAll(with records: DurableRecords, documentsFrom: StagedRestore?, in database: Database) throws
}

/// A table for one property of the durable records, with one row for each entry.
struct EntryTable<Key, Record, each Value>: RecordTable {
    let table: Table<repeat each Value>
    /// More rows than the core ever has. A table with more was not written by Gate.
    var maximumCount = Int.max
    /// What follows FROM when the rows are read.
    var clause = ""
    let finding: RowFinding<Key>
    let entries: @Sendable (DurableRecords) -> [(Key, Record)]
    /// Adds an entry to the records; returns false if it exists already, which is damage.
    let add: @Sendable (inout DurableRecords, Key, Record) -> Bool
    /// Throws `StoreError.failed` for an entry that could not be read again.
    let row: @Sendable (Key, Record) throws -> (repeat each Value)
    /// Returns `nil` to skip a row. Throws `StoreError.damaged` for one that Gate never writes.
    let entry: @Sendable (repeat each Value) throws -> (Key, Record)?

    var schema: TableSchema { table.schema }

    func load(into records: inout DurableRecords, from database: Database) throws {
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
        case .name, .secretName: try remove(key, in: database)
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
            try table.deleteAllSpellings(of: name, columns, in: database)
        case .secretName(let name): try table.rewrite(without: name(key), in: database)
        }
    }
}

extension EntryTable where Key: Hashable & Sendable, Record: Sendable {
    /// A table for a dictionary. Several rows with equal keys are damage, unless they may repeat: then the last counts.
    init(
        _ table: Table<repeat each Value>, of path: any WritableKeyPath<DurableRecords, [Key: Record]> & Sendable,
        atMost maximumCount: Int = .max, mayRepeat: Bool = false, foundBy finding: RowFinding<Key>,
        row: @escaping @Sendable (Key, Record) throws -> (repeat each Value),
        entry: @escaping @Sendable (repeat each Value) throws -> (Key, Record)?
    ) {
        self.init(
            table: table, maximumCount: maximumCount, finding: finding,
            entries: { $0[keyPath: path].map { ($0, $1) } },
            add: { $0[keyPath: path].updateValue($2, forKey: $1) == nil || mayRepeat }, row: row, entry: entry)
    }
}

/// A table whose only row always exists. So a store from which its values were cut is damaged; it does not look like
/// one that never had them.
struct RowTable<Record, each Value>: RecordTable {
    let table: Table<repeat each Value>
    let path: any WritableKeyPath<DurableRecords, Record> & Sendable
    let row: @Sendable (Record) -> (repeat each Value)
    /// Throws `StoreError.damaged` for values that Gate never writes.
    let record: @Sendable (repeat each Value) throws -> Record

    var schema: TableSchema { table.schema }

    func load(into records: inout DurableRecords, from database: Database) throws {
        var isMissing = true
        try table.forEach(in: database) { (value: repeat each Value) in
            records[keyPath: path] = try record(repeat each value)
            isMissing = false
        }
        if isMissing { throw StoreError.damaged("no row in \(schema.name)") }
    }

    func replaceAll(with records: DurableRecords, documentsFrom _: StagedRestore?, in database: Database) throws {
        let values = row(records[keyPath: path])
        try table.write(repeat each values, in: database)
    }
}

extension RecordTable {
    /// Makes a change in a table with one row, which is read and written again.
    func apply(_ change: RecordChange, in database: Database) throws {
        var records = DurableRecords(revision: Revision(epoch: 0, number: 0))
        try load(into: &records, from: database)
        records.apply(change)
        try replaceAll(with: records, documentsFrom: nil, in: database)
    }
}

/// How the row of an entry is found. For Swift, a letter with an accent is equal to a letter followed by a combining
/// accent. For SQLite it is not: it would keep both rows where Swift has one entry, and miss one that is to be removed.
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

/// A table of which each row has the same columns. How its rows are written, found and read follows from them.
struct Table<each Value>: Sendable {
    let schema: TableSchema
    private let formats: (repeat Format<each Value>)

    /// See `TableSchema.init` for the parameters.
    init(
        _ name: String, step: Int = 1, keyCount: Int = 1, hasRowID: Bool = false, isOneRow: Bool = false,
        constraints: [String] = [], _ column: repeat Column<each Value>
    ) {
        var columns: [TableSchema.Column] = []
        for column in repeat each column { columns.append(column.schema) }
        formats = (repeat (each column).format)
        schema = TableSchema(
            name, step: step, keyCount: keyCount, hasRowID: hasRowID, isOneRow: isOneRow, constraints: constraints,
            columns: columns)
    }

    /// Calls `body` with each row. `clause` follows FROM.
    func forEach(
        _ clause: String = "", _ arguments: StatementArguments = [], in database: Database,
        _ body: (repeat each Value) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(database, sql: "\(schema.selection) \(clause)", arguments: arguments)
        while let row = try rows.next() {
            var rest = row.databaseValues.makeIterator()
            let values = (repeat try (each formats).read(rest.next() ?? .null))
            try body(repeat each values)
        }
    }

    func count(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM \(schema.name)") ?? 0
    }

    /// Adds a row, in place of one with the same key. If the table has one row, changes that.
    func write(_ value: repeat each Value, in database: Database) throws {
        var stored: StatementArguments = []
        // An array with literal elements would be converted one by one at run time.
        for (format, value) in repeat (each formats, each value) {
            let value: any DatabaseValueConvertible = try format.stored(value)
            stored.append(value)
        }
        try database.cachedStatement(sql: schema.replacement).execute(arguments: stored)
        guard database.changesCount > 0 else { throw StoreError.damaged("no row in \(schema.name)") }
    }

    func delete(_ key: StatementArguments, in database: Database) throws {
        try database.cachedStatement(sql: schema.deletion).execute(arguments: key)
    }

    /// Deletes the rows with this key and, at its end, this name, in whatever bytes they spell it.
    func deleteAllSpellings(of lastName: String, _ key: StatementArguments, in database: Database) throws {
        var query = "SELECT \(schema.lastKey) FROM \(schema.name)"
        if lastName.utf8.allSatisfy({ $0 < 0x80 }) {
            // If the name is ASCII, another spelling is not. Hardly any stored name is not, so this finds few rows.
            query += " WHERE length(\(schema.lastKey)) <> length(CAST(\(schema.lastKey) AS BLOB))"
        }
        let others = try String.fetchAll(database.cachedStatement(sql: query))
            .filter { $0 == lastName && !$0.hasBytes(of: lastName) }
        for spelling in others + [lastName] { try delete(key + [spelling], in: database) }
    }

    /// Writes the whole table again without the rows of a name, in whatever spelling. Does nothing if there are none.
    func rewrite(without removed: String, in database: Database) throws {
        let names = try String.fetchAll(database, sql: "SELECT \(schema.lastKey) FROM \(schema.name)")
        guard names.contains(removed) else { return }
        let rows = try Row.fetchAll(database, sql: "\(schema.selection) ORDER BY \(schema.lastKey)")
        try deleteAll(in: database)
        let insertion = try database.cachedStatement(sql: schema.insertion)
        for row in rows where String.fromDatabaseValue(row[0]) != removed {
            try insertion.execute(arguments: row.databaseValues)
        }
    }

    func deleteAll(in database: Database) throws { try database.execute(sql: "DELETE FROM \(schema.name)") }
}
