import GateCore
import GateModel
import SQLite

/// The rows of `draft`: forms that are being filled in, without their answers.
enum DraftTable {
    /// More than the core takes. What has more was not written by us.
    static let maximumCount = 100_000
    private static let revisions = 1...RecordTables.maximumNumber

    static func load(from database: Database) throws -> [FormDraftKey: FormDraftRecord] {
        var drafts: [FormDraftKey: FormDraftRecord] = [:]
        let rows = try Row.fetchCursor(
            database, sql: "SELECT holder, form, revision, opened_at, key, entered_revision, id, label FROM draft")
        while let row = try rows.next() {
            let key = FormDraftKey(
                holder: try StoredHolder.read(0, of: row), name: try StoredText.name.read(1, of: row),
                id: try id(6, of: row))
            let revision = try RecordTables.value(2, of: row, as: UInt64.self)
            let entered = try RecordTables.value(5, of: row, as: UInt64.self)
            guard drafts[key] == nil, drafts.count < maximumCount, revisions.contains(revision), entered <= revision
            else {
                throw StoreError.damaged("a draft too many, or without a revision")
            }
            try StoredKey(key).check(4, of: row)
            drafts[key] = FormDraftRecord(
                revision: revision, enteredRevision: entered, openedAt: try RecordTables.time(3, of: row),
                label: try StoredText.words.read(7, of: row))
        }
        return drafts
    }

    static func set(_ draft: FormDraftRecord, for key: FormDraftKey, in database: Database) throws {
        guard revisions.contains(draft.revision), draft.enteredRevision <= draft.revision else {
            throw StoreError.failed("a draft's revision \(draft.revision) can't be stored")
        }
        let (holder, form) = (try StoredHolder.checked(key.holder), try StoredText.name.checked(key.name))
        let rowKey = StoredKey(holder: holder, form: form, draft: try checked(id: key.id))
        try rowKey.delete(from: "draft", in: database)
        try database.cachedStatement(
            sql: """
                INSERT INTO draft (key, holder, form, revision, opened_at, entered_revision, id, label)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            rowKey.text, holder, form, Int64(clamping: draft.revision), draft.openedAt.unixMilliseconds,
            Int64(clamping: draft.enteredRevision), Int64(clamping: key.id), try StoredText.words.checked(draft.label),
        ])
        // As `DurableRecords` does: what comes after a draft that is removed has a later one.
        try database.cachedStatement(
            sql: "UPDATE meta SET last_draft_revision = ?1 WHERE last_draft_revision < ?1"
        ).execute(arguments: [Int64(clamping: draft.revision)])
        guard key.id > 0 else { return }
        try database.cachedStatement(sql: "UPDATE meta SET next_draft = ?1 WHERE next_draft < ?1")
            .execute(arguments: [Int64(clamping: key.id + 1)])
    }

    /// A column with the id of a draft.
    static func id(_ column: Int, of row: Row) throws -> UInt64 {
        let id = try RecordTables.value(column, of: row, as: UInt64.self)
        guard id < RecordTables.maximumNumber else { throw StoreError.damaged("a draft with an id that no device has") }
        return id
    }

    /// - Throws: `StoreError.failed` where it could not be read again.
    static func checked(id: UInt64) throws -> UInt64 {
        guard id < RecordTables.maximumNumber else { throw StoreError.failed("a draft's id \(id) can't be stored") }
        return id
    }

    static func remove(_ key: FormDraftKey, in database: Database) throws {
        try StoredKey(key).delete(from: "draft", in: database)
    }
}
