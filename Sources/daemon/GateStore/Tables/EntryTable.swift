import GateCore
import SQLite

/// How the row of an entry is found.
///
/// Swift takes an accent on its own and a letter with an accent for the same, and SQLite does not: it would keep both
/// where we have one, and keep what was to be removed.
enum RowFinding<Key>: Sendable {
    /// By the columns of the key.
    case columns(@Sendable (Key) -> StatementArguments)
    /// By the columns of the key, the last of which is a name that may be written in other bytes.
    case name(@Sendable (Key) -> (StatementArguments, String))
    /// By the first column, which has a key in the one spelling.
    case storedKey(@Sendable (Key) throws -> StoredKey)
    /// As a name, in a table with secrets. Where SQLite splits a page or joins two, copies of rows stay behind in the free
    /// space of pages, which `secure_delete` does not know of. So wherever a secret ends, the whole table is written anew;
    /// emptying it overwrites all its pages.
    case secretName(@Sendable (Key) -> String)
}

/// A table with the entries of one property of the durable records, a row each. A start, a change and a restored backup
/// have what they do with it from here.
struct EntryTable<Key, Record, each Value>: RecordTable {
    let table: Table<repeat each Value>
    /// More than the core takes: what has more, or an entry twice, was not written by us.
    private let maximumCount: Int
    private let surplus: String?
    private let finding: RowFinding<Key>
    private let entries: @Sendable (DurableRecords) -> [(Key, Record)]
    private let add: @Sendable (inout DurableRecords, Key, Record) -> Bool
    private let row: @Sendable (Key, Record) throws -> (repeat each Value)
    private let entry: @Sendable (repeat each Value) throws -> (Key, Record)?

    /// - Parameters:
    ///   - surplus: what stands behind FROM where there are more rows, to read the right ones; `nil`: that is damage.
    ///   - entries: all that there are.
    ///   - add: adds one; `false`: it is there already.
    ///   - row: throws `StoreError.failed` where it could not be read again.
    ///   - entry: `nil` where the row is passed over. Throws `StoreError.damaged` where we never write that.
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

    /// The entries of a dictionary.
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
        // The row takes the place of another one by itself.
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
