import GateCore
import SQLite

/// How the row of an entry is found.
///
/// For Swift, a letter with an accent is equal to a letter followed by a combining accent. For SQLite it is not: it
/// would keep both rows where Swift has one entry, and miss one that is to be removed.
enum RowFinding<Key>: Sendable {
    /// By the columns of the key.
    case columns(@Sendable (Key) -> StatementArguments)
    /// By the columns of the key, the last of which is a name that may be spelled in other bytes.
    case name(@Sendable (Key) -> (StatementArguments, String))
    /// By the first column, which has the key in its one spelling.
    case storedKey(@Sendable (Key) throws -> StoredKey)
    /// By name, in a table with secrets. If SQLite splits or merges pages, copies of rows stay in their free space,
    /// which `secure_delete` does not overwrite. So whenever a secret is removed, the whole table is emptied, which
    /// overwrites all its pages, and written again.
    case secretName(@Sendable (Key) -> String)
}

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
        let isTooMuch = try surplus != nil && table.count(in: database) > maximumCount
        var count = 0
        try table.forEach(isTooMuch ? surplus ?? "" : "", in: database) { (value: repeat each Value) in
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
        case .columns, .storedKey: break
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
        case .columns(let columns): try table.delete(columns(key), in: database)
        case .name(let name):
            let (columns, name) = name(key)
            try table.deleteOtherSpellings(of: name, columns, in: database)
            try table.delete(columns + [name], in: database)
        case .storedKey(let storedKey): try storedKey(key).delete(from: schema.name, in: database)
        case .secretName(let name): try table.rewrite(without: name(key), in: database)
        }
    }
}
