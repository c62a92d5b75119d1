import GateModel
import SQLite

/// The steps that bring a store up to date. Each table and column has the number of the step that adds it. So to add a
/// column, add a step's name here, and a line with its number to the table. A step that was released is never changed.
enum StoreSchema {
    /// Marks a file's header as Gate's ("Gate" in ASCII), so that no other database is taken for a store.
    static let applicationID: Int32 = 0x4761_7465

    /// The names of the steps, in order. A store has a table with those that it has had.
    private static let steps = [
        // A store of Gate 0.9.0 has had these seven. Now the first one makes all their tables.
        "lockouts and audit", "kept grants and secrets", "accounts and claims", "forms and release notes", "owners",
        "draft revisions", "confirmed accounts",
        // 8 to 23.
        "entered answers", "many drafts", "parts", "forms of apps", "brokers", "household", "household policy",
        "receipts", "people", "gate choices", "asks",
        "choices of asks", "usage", "asks over the household",
        "more time", "usage elsewhere", "ages",
    ]

    /// How many steps a store must have had to be upgraded. A store that has had fewer is refused.
    private static let oldest = 7

    static let number = steps.count

    static let tables = RecordTables.all.map(\.schema) + [AuditJournal.schema]

    /// The statements that steps run besides those of `tables`, with the steps' numbers. They make the row of each
    /// table that has only one. Step 1 also makes the old table of accounts, and step 16 moves its rows to `person`.
    private static let others: [(step: Int, sql: String)] = [
        (1, "PRAGMA application_id = \(applicationID)"),
        (
            1,
            """
            CREATE TABLE account (
                name TEXT NOT NULL PRIMARY KEY,
                kind TEXT NOT NULL CHECK (kind IN ('grown-up', 'child')),
                born TEXT,
                password_hash TEXT NOT NULL,
                is_confirmed INTEGER NOT NULL DEFAULT 1 CHECK (is_confirmed IN (0, 1)),
                CHECK ((kind = 'child') = (born IS NOT NULL))
            ) STRICT, WITHOUT ROWID;
            INSERT INTO meta (id, epoch, number, boot_id, next_presentation, pruned_through, audit_count)
            VALUES (1, 0, 0, '', 1, 0, 0);
            INSERT INTO secret (id) VALUES (1)
            """
        ),
        (13, "INSERT INTO household (id) VALUES (1)"),
        (
            16,
            """
            INSERT INTO person (name, kind, born, password_hash, is_confirmed)
            SELECT name, kind, born, password_hash, is_confirmed FROM account;
            DROP TABLE account
            """
        ),
    ]

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        let statements = tables.flatMap(\.statements) + others
        for (step, name) in zip(1..., steps) {
            migrator.registerMigration(name) { database in
                for statement in statements where statement.step == step { try database.execute(sql: statement.sql) }
            }
        }
        return migrator
    }()

    /// - Throws: `StoreError.damaged` if a table is missing, which SQLite's own checks can't know.
    static func checkTables(in database: Database) throws {
        let found = try Set(String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
        if let missing = tables.first(where: { !found.contains($0.name) }) {
            throw StoreError.damaged("without the table \(missing.name)")
        }
    }

    /// How many steps a store has had.
    ///
    /// - Throws: `StoreError.damaged` if it is not a store of Gate; `.newer`, `.older`.
    static func number(in database: Database, at path: String) throws -> Int {
        guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
            throw StoreError.damaged("not a database of Gate")
        }
        let applied = try migrator.appliedIdentifiers(database)
        guard applied.isSubset(of: steps) else {
            throw StoreError.newer(
                NewerStore(
                    path: path, schema: applied.count, knownSchema: number, version: try version(in: database)))
        }
        guard !applied.isEmpty else { throw StoreError.damaged("without tables") }
        guard applied.isSuperset(of: steps[..<oldest]) else { throw StoreError.older(path: path) }
        return applied.count
    }

    /// Upgrades a store, and records which version of Gate is now needed to read it.
    static func migrate(_ database: DatabaseQueue) throws {
        let before = try database.read { try migrator.appliedIdentifiers($0).count }
        guard before < number else { return }
        try migrator.migrate(database)
        let parts = GateRelease.version.split(separator: ".").compactMap { Int32($0.prefix { $0.isNumber }) }
        guard parts.count == 3 else { return }
        let version = parts.reduce(0) { $0 * 1000 + $1 }
        try database.write { try $0.execute(sql: "PRAGMA user_version = \(version)") }
    }

    /// The version of Gate that last upgraded a store, for example "0.9.0"; `nil` if that is not recorded.
    static func version(in database: Database) throws -> String? {
        let number = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard number > 0 else { return nil }
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }

    /// How each table was made, without comments and white space.
    static func shape(of database: Database) throws -> Set<String> {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%'")
        return Set(
            try rows.map { row in
                let words = try row.databaseValues.map(Format.text.read)
                return (words.dropLast() + [withoutLayout(words.last ?? "")]).joined(separator: "\n")
            })
    }

    private static func withoutLayout(_ sql: String) -> String {
        sql.split(separator: "\n").map { $0[..<($0.firstRange(of: "--")?.lowerBound ?? $0.endIndex)] }.joined()
            .filter { !$0.isWhitespace && $0 != "\"" }
    }

    /// The shape of a store that has had this many steps; empty if a store with this many can't be upgraded.
    static func shape(ofNumber number: Int) throws -> Set<String> {
        guard (oldest...steps.count).contains(number) else { return [] }
        let reference = try DatabaseQueue()
        try migrator.migrate(reference, upTo: steps[number - 1])
        return try reference.read(shape(of:))
    }
}
