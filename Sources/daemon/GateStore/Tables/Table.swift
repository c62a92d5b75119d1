import GateCore
import SQLite

/// The name of a table, and the statements with which the steps of the schema make it.
typealias TableSchema = (name: String, statements: [(step: Int, sql: String)])

/// A table of which each row is an entry. How an entry is written, found and read follows from the columns.
final class Table<Entry: Sendable>: Sendable {
    let schema: TableSchema
    /// What the values of a row are read into.
    let blank: Entry
    private let columns: [Column<Entry>]
    private let keyCount: Int
    private let key: (@Sendable (Entry) throws -> StoredKey)?
    private let isPossible: @Sendable (Entry) -> Bool
    // The statements are composed once, because cached statements are found by their text.
    /// Adds a row, in place of one with the same key. If the table has one row, changes that.
    let replacement: String
    private let selection, deletion: String
    /// The last column of the key.
    private let lastKey: String

    /// `step` of the schema makes the table. The first `keyCount` columns are the key; a single one says so in its
    /// constraint, or `key` makes it of texts. With `hasRowID` SQLite numbers the rows. With `isOneRow` there is only
    /// the row with id 1. `isPossible` is checked of each entry that is written or read.
    init(
        _ name: String, step: Int = 1, keyCount: Int = 1, hasRowID: Bool = false, isOneRow: Bool = false, blank: Entry,
        constraints: [String] = [], key: (@Sendable (Entry) throws -> StoredKey)? = nil,
        where isPossible: @escaping @Sendable (Entry) -> Bool = { _ in true }, _ columns: Column<Entry>...
    ) {
        (self.blank, self.keyCount, self.key, self.isPossible) = (blank, keyCount, key, isPossible)
        self.columns = (key.map { [Column(key: $0)] } ?? []) + columns
        let definitions = self.columns.flatMap(\.definitions)
        let names = definitions.map(\.name)
        let (list, keys) = (names.joined(separator: ", "), names.prefix(keyCount))
        let lines =
            (isOneRow ? ["id INTEGER PRIMARY KEY CHECK (id = 1)"] : [])
            + definitions.filter { $0.step == 0 }.map(\.declaration)
            + (keyCount > 1 ? ["PRIMARY KEY (\(keys.joined(separator: ", ")))"] : []) + constraints
        let creation =
            "CREATE TABLE \(name) (\n    \(lines.joined(separator: ",\n    "))\n) STRICT"
            + (hasRowID || isOneRow ? "" : ", WITHOUT ROWID")
        let later = definitions.filter { $0.step > 0 }
        schema = (
            name,
            [(step, creation)] + later.map { ($0.step, "ALTER TABLE \(name) ADD COLUMN \($0.declaration)") }
        )
        replacement =
            isOneRow
            ? "UPDATE \(name) SET \(names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE id = 1"
            : "INSERT OR REPLACE INTO \(name) (\(list)) VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
        selection = "SELECT \(list) FROM \(name)"
        deletion = "DELETE FROM \(name) WHERE " + keys.map { "\($0) = ?" }.joined(separator: " AND ")
        lastKey = keys.last ?? ""
    }

    /// Calls `body` with each row, read into `blank`, or into `start`. `clause` follows FROM.
    ///
    /// - Throws: `StoreError.damaged` for a row that Gate never writes.
    func forEach(
        _ clause: String = "", _ arguments: StatementArguments = [], into start: Entry? = nil, in database: Database,
        _ body: (Entry) throws -> Void
    ) throws {
        let rows = try Row.fetchCursor(database, sql: "\(selection) \(clause)", arguments: arguments)
        while let row = try rows.next() {
            var (entry, values) = (start ?? blank, row.databaseValues[...])
            for column in columns { try column.read(&values, &entry) }
            try key?(entry).check(row[0])
            guard isPossible(entry) else { throw StoreError.damaged("a row of \(schema.name) that contradicts itself") }
            try body(entry)
        }
    }

    /// The only row of a table with one row, read into `blank` or `start`.
    func row(into start: Entry? = nil, in database: Database) throws -> Entry {
        var row: Entry?
        try forEach(into: start, in: database) { row = $0 }
        guard let row else { throw StoreError.damaged("no row in \(schema.name)") }
        return row
    }

    func count(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM \(schema.name)") ?? 0
    }

    /// Adds a row, in place of one with the same key. If the table has one row, changes that.
    ///
    /// - Throws: `StoreError.failed` for an entry that could not be read again.
    func write(_ entry: Entry, in database: Database) throws {
        guard isPossible(entry) else { throw StoreError.failed("an entry of \(schema.name) contradicts itself") }
        try database.cachedStatement(sql: replacement).execute(arguments: stored(columns[...], of: entry))
        guard database.changesCount > 0 else { throw StoreError.damaged("no row in \(schema.name)") }
    }

    private func stored(_ columns: ArraySlice<Column<Entry>>, of entry: Entry) throws -> StatementArguments {
        var stored: StatementArguments = []
        for column in columns { try column.write(entry, &stored) }
        return stored
    }

    /// The values of the key's columns; `nil`: the entry can't be stored, so no row has this key.
    func storedKey(of entry: Entry) -> StatementArguments? { try? stored(columns.prefix(keyCount), of: entry) }

    func delete(_ key: StatementArguments, in database: Database) throws {
        try database.cachedStatement(sql: deletion).execute(arguments: key)
    }

    /// Deletes the rows with this key, of which the last column is a name, in whatever bytes they spell it.
    ///
    /// For Swift, a letter with an accent is equal to a letter followed by a combining accent. For SQLite it is not: it
    /// would keep both rows where Swift has one entry, and miss one that is to be removed.
    func deleteAllSpellings(_ key: StatementArguments, in database: Database) throws {
        guard case .string(let name)? = (key.last ?? nil)?.databaseValue else { return }
        // An equal name has the bytes of the normal form, or is not ASCII. Few stored names are not, so few are read.
        let query = """
            SELECT \(lastKey) FROM \(schema.name)
            WHERE \(lastKey) = ? OR length(\(lastKey)) <> length(CAST(\(lastKey) AS BLOB))
            """
        let found = try String.fetchAll(database.cachedStatement(sql: query), arguments: [StoredKey.normalised(name)])
        for spelling in found where spelling == name { try delete(key.dropLast() + [spelling], in: database) }
    }

    func deleteAll(in database: Database) throws { try database.execute(sql: "DELETE FROM \(schema.name)") }
}

/// A table of the durable records.
protocol RecordTable: Sendable {
    var schema: TableSchema { get }

    /// - Throws: `StoreError.damaged` for a value that Gate never writes.
    func load(into records: inout DurableRecords, from database: Database) throws

    /// Replaces all rows with those of these records, which don't contain the bytes of documents.
    func replaceAll(with records: DurableRecords, in database: Database) throws
}

/// A table whose only row always exists. So a store from which its values were cut is damaged; it does not look like
/// one that never had them.
struct RowTable<Row: Sendable>: RecordTable {
    let table: Table<Row>
    /// The records, of which some properties are in the row.
    let records: any WritableKeyPath<Row, DurableRecords> & Sendable

    var schema: TableSchema { table.schema }

    func load(into records: inout DurableRecords, from database: Database) throws {
        var row = table.blank
        row[keyPath: self.records] = records
        records = try table.row(into: row, in: database)[keyPath: self.records]
    }

    /// The revision stays.
    func replaceAll(with records: DurableRecords, in database: Database) throws {
        try apply(.restored(records), in: database)
    }

    func apply(_ change: RecordChange, in database: Database) throws {
        try self.change(in: database) { $0[keyPath: records].apply(change) }
    }

    func change(in database: Database, _ change: (inout Row) -> Void) throws {
        var row = try table.row(in: database)
        change(&row)
        try table.write(row, in: database)
    }
}

/// A table for one property of the durable records, with a row for each entry.
struct EntryTable<Key: Sendable, Entry: Sendable>: RecordTable {
    let table: Table<Entry>
    /// The part of an entry by which it is found.
    let key: any WritableKeyPath<Entry, Key> & Sendable
    /// More rows than the core ever has. A table with more was not written by Gate.
    var maximumCount = Int.max
    /// Whether the key ends with a name that may be spelled in other bytes.
    var hasSpellings = false
    /// What follows FROM when the rows are read.
    var clause = ""
    let entries: @Sendable (DurableRecords) -> [Entry]
    /// Adds an entry to the records; returns false if it exists already, which is damage.
    let add: @Sendable (inout DurableRecords, Entry) throws -> Bool

    var schema: TableSchema { table.schema }

    func load(into records: inout DurableRecords, from database: Database) throws {
        var count = 0
        try table.forEach(clause, in: database) { entry in
            guard count < maximumCount, try add(&records, entry) else {
                throw StoreError.damaged("too many rows in \(schema.name), or one twice")
            }
            count += 1
        }
    }

    func replaceAll(with records: DurableRecords, in database: Database) throws {
        try table.deleteAll(in: database)
        for entry in entries(records) { try set(entry, in: database) }
    }

    /// Makes a change in a table that is read and written again as a whole.
    func apply(_ change: RecordChange, in database: Database) throws {
        var records = DurableRecords.empty
        try load(into: &records, from: database)
        records.apply(change)
        try replaceAll(with: records, in: database)
    }

    func set(_ entry: Entry, in database: Database) throws {
        if hasSpellings { try remove(entry[keyPath: key], in: database) }
        try table.write(entry, in: database)
    }

    func set<Value>(_ value: Value, for key: Key, in database: Database) throws
    where Entry == (key: Key, value: Value) {
        try set((key, value), in: database)
    }

    func remove(_ key: Key, in database: Database) throws {
        var entry = table.blank
        entry[keyPath: self.key] = key
        guard let key = table.storedKey(of: entry) else { return }
        try hasSpellings ? table.deleteAllSpellings(key, in: database) : table.delete(key, in: database)
    }
}

extension EntryTable where Key: Hashable {
    /// A table for a dictionary of entries that name themselves by `key`. Several rows with equal keys are damage.
    init(
        _ table: Table<Entry>, of path: any WritableKeyPath<DurableRecords, [Key: Entry]> & Sendable,
        by key: any WritableKeyPath<Entry, Key> & Sendable, atMost maximumCount: Int, hasSpellings: Bool = false
    ) {
        self.init(
            table: table, key: key, maximumCount: maximumCount, hasSpellings: hasSpellings,
            entries: { Array($0[keyPath: path].values) },
            add: { $0[keyPath: path].updateValue($1, forKey: $1[keyPath: key]) == nil })
    }

    /// A table for a dictionary. Several rows with equal keys are damage, unless they may repeat: then the last counts.
    init<Value>(
        _ table: Table<Entry>, of path: any WritableKeyPath<DurableRecords, [Key: Value]> & Sendable,
        atMost maximumCount: Int = .max, mayRepeat: Bool = false, hasSpellings: Bool = false
    ) where Entry == (key: Key, value: Value) {
        self.init(
            table: table, key: \.key, maximumCount: maximumCount, hasSpellings: hasSpellings,
            entries: { Array($0[keyPath: path]) },
            add: { $0[keyPath: path].updateValue($1.value, forKey: $1.key) == nil || mayRepeat })
    }
}
