import GRDB
import GateCore
import GateModel

/// The rows of `draft`: forms that are being filled in, without their answers.
enum DraftTable {
    /// More than the core takes. What has more was not written by us.
    static let maximumCount = 100_000
    private static let revisions = 1...RecordTables.maximumNumber

    static func load(from database: Database) throws -> [FormDraftKey: FormDraftRecord] {
        var drafts: [FormDraftKey: FormDraftRecord] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT holder, form, revision, opened_at, key FROM draft")
        while let row = try rows.next() {
            let key = FormDraftKey(
                holder: try StoredHolder.read(0, of: row), name: try StoredText.name.read(1, of: row))
            let revision = try RecordTables.value(2, of: row, as: UInt64.self)
            guard drafts[key] == nil, drafts.count < maximumCount, revisions.contains(revision) else {
                throw StoreError.damaged("a draft too many, or without a revision")
            }
            try StoredKey(key).check(4, of: row)
            drafts[key] = FormDraftRecord(revision: revision, openedAt: try RecordTables.time(3, of: row))
        }
        return drafts
    }

    static func set(_ draft: FormDraftRecord, for key: FormDraftKey, in database: Database) throws {
        guard revisions.contains(draft.revision) else {
            throw StoreError.failed("a draft's revision \(draft.revision) can't be stored")
        }
        let (holder, form) = (try StoredHolder.checked(key.holder), try StoredText.name.checked(key.name))
        let rowKey = StoredKey(holder: holder, form: form)
        try rowKey.delete(from: "draft", in: database)
        try database.cachedStatement(
            sql: "INSERT INTO draft (key, holder, form, revision, opened_at) VALUES (?, ?, ?, ?, ?)"
        ).execute(arguments: [
            rowKey.text, holder, form, Int64(clamping: draft.revision), draft.openedAt.unixMilliseconds,
        ])
    }

    static func remove(_ key: FormDraftKey, in database: Database) throws {
        try StoredKey(key).delete(from: "draft", in: database)
    }
}
