import GateCore
import GateModel
import SQLite

/// The row of `meta`: values of which there is only one. Each counter is described once here, and listed in `counters`.
struct MetaTable: RecordTable {
    /// A number that only grows: its column, and its property in the records.
    struct Counter: Sendable {
        let column: String
        let start: UInt64
        let path: any WritableKeyPath<DurableRecords, UInt64> & Sendable
        fileprivate let schema: ColumnSchema
        private let setting, raising: String

        fileprivate init(
            _ column: String, from start: UInt64, _ path: any WritableKeyPath<DurableRecords, UInt64> & Sendable,
            hasDefault: Bool = true, step: Int = 0
        ) {
            (self.column, self.start, self.path) = (column, start, path)
            let constraint = (hasDefault ? "DEFAULT \(start) " : "") + "CHECK (\(column) >= \(start))"
            schema = ColumnSchema(column, "INTEGER NOT NULL \(constraint)", step: step)
            setting = "UPDATE meta SET \(column) = ?"
            raising = "UPDATE meta SET \(column) = ?1 WHERE \(column) < ?1"
        }

        func set(_ number: UInt64, in database: Database) throws {
            try database.cachedStatement(sql: setting).execute(arguments: [Int64(clamping: number)])
        }

        /// Sets the column to `number` if it is lower, as `DurableRecords` does.
        func raise(to number: UInt64, in database: Database) throws {
            try database.cachedStatement(sql: raising).execute(arguments: [Int64(clamping: number)])
        }
    }

    static let nextPresentation = Counter("next_presentation", from: 1, \.nextPresentation, hasDefault: false)
    static let nextManualClaim = Counter("next_manual_claim", from: 1, \.nextManualClaim)
    static let nextResponse = Counter("next_response", from: 1, \.nextResponse)
    static let lastDraftRevision = Counter("last_draft_revision", from: 0, \.lastDraftRevision)
    static let nextDraft = Counter("next_draft", from: 1, \.nextDraft, step: 9)
    static let nextPart = Counter("next_part", from: 1, \.nextPart, step: 10)
    /// All counters. They are loaded at a start and restored from a backup.
    static let counters = [nextPresentation, nextManualClaim, nextResponse, lastDraftRevision, nextDraft, nextPart]

    let schema = TableSchema(
        "meta", hasRowID: true,
        columns: [
            ColumnSchema("id", "INTEGER PRIMARY KEY CHECK (id = 1)"),
            // 64 random bits, stored as a signed number.
            ColumnSchema("epoch", "INTEGER NOT NULL"),
            // The number of the last committed revision.
            ColumnSchema("number", "INTEGER NOT NULL CHECK (number >= 0)"),
            ColumnSchema("boot_id", "TEXT NOT NULL"),
            // The file that a damaged store was set aside to, while Gate is closed for that; NULL: not closed.
            ColumnSchema("set_aside", "TEXT"),
            Self.nextPresentation.schema,
            // The last revision of which journal entries were pruned; 0: none.
            ColumnSchema("pruned_through", "INTEGER NOT NULL CHECK (pruned_through >= 0)"),
            // How many rows the journal has, so that they need not be counted.
            ColumnSchema("audit_count", "INTEGER NOT NULL CHECK (audit_count >= 0)"),
        ] + Self.counters.dropFirst().map(\.schema))

    func create(_ records: DurableRecords, bootID: String, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO meta (id, epoch, number, boot_id, next_presentation, pruned_through, audit_count)
                VALUES (1, ?, ?, ?, 1, 0, 0)
                """,
            arguments: [
                Int64(bitPattern: records.revision.epoch), Int64(clamping: records.revision.number), bootID,
            ])
        try replaceAll(with: records, documentsFrom: nil, in: database)
    }

    func load(into records: inout DurableRecords, from database: Database) throws {
        let row = try row(
            "epoch, number, set_aside, " + Self.counters.map(\.column).joined(separator: ", "), of: database)
        records.revision = Revision(
            epoch: UInt64(bitPattern: try Format.int64.read(row[0])), number: try number(from: 0).read(row[1]))
        records.quarantinedFile = try Format.optional(.text).read(row[2])
        for (index, counter) in Self.counters.enumerated() {
            records[keyPath: counter.path] = try number(from: counter.start).read(row[3 + index])
        }
    }

    func bootID(in database: Database) throws -> String { try Format.text.read(row("boot_id", of: database)[0]) }

    /// Reads the tally of the journal without the shares, which are needed only when the journal is full.
    func tally(in database: Database) throws -> JournalTally {
        let row = try row("audit_count, pruned_through", of: database)
        let count = try Format.count.read(row[0])
        guard (0...Int(Int32.max)).contains(count) else { throw StoreError.damaged("a count that no journal reaches") }
        return JournalTally(count: count, prunedThrough: try number(from: 0).read(row[1]))
    }

    private func row(_ columns: String, of database: Database) throws -> Row {
        guard let row = try Row.fetchOne(database.cachedStatement(sql: "SELECT \(columns) FROM meta")) else {
            throw StoreError.damaged("no row in meta")
        }
        return row
    }

    private func number(from start: UInt64) -> Format<UInt64> { .number(start...RecordTables.maximumNumber) }

    func replaceAll(with records: DurableRecords, documentsFrom _: StagedRestore?, in database: Database) throws {
        let assignments = Self.counters.map { "\($0.column) = ?" }.joined(separator: ", ")
        try database.execute(
            sql: "UPDATE meta SET set_aside = ?, \(assignments)",
            arguments: [records.quarantinedFile] + Self.counters.map { Int64(clamping: records[keyPath: $0.path]) })
    }

    func set(quarantinedFile: String?, in database: Database) throws {
        try database.cachedStatement(sql: "UPDATE meta SET set_aside = ?").execute(arguments: [quarantinedFile])
    }

    func set(bootID: String, in database: Database) throws {
        try database.execute(sql: "UPDATE meta SET boot_id = ?", arguments: [bootID])
    }

    /// Records the last revision of a batch, and the tally of the journal after it.
    func set(_ revision: Revision, _ tally: JournalTally, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE meta SET number = ?1, audit_count = ?2, pruned_through = ?3
                WHERE id = 1 AND epoch = ?4 AND number < ?1
                """
        ).execute(arguments: [
            Int64(clamping: revision.number), tally.count, Int64(clamping: tally.prunedThrough),
            Int64(bitPattern: revision.epoch),
        ])
        guard database.changesCount == 1 else {
            throw StoreError.damaged("revision \(revision) does not follow the last one in meta")
        }
    }
}
