import GateCore
import GateModel
import SQLite

/// The rows of `part`: what was answered under one `definition`, for other forms.
enum PartTable {
    /// More than the core takes. What has more was not written by us.
    static let maximumCount = 100_000
    private static let ids = 1..<RecordTables.maximumNumber

    static func load(from database: Database) throws -> [UInt64: PartRecord] {
        var parts: [UInt64: PartRecord] = [:]
        let rows = try Row.fetchCursor(
            database, sql: "SELECT id, holder, definition, label, is_named, saved_at, content FROM part")
        while let row = try rows.next() {
            let id = try RecordTables.value(0, of: row, as: UInt64.self)
            guard ids.contains(id), parts[id] == nil, parts.count < maximumCount else {
                throw StoreError.damaged("a part too many, or one without an id")
            }
            let definition = try StoredText.name.read(2, of: row)
            let response = try StoredResource.response(try StoredResource.read(6, of: row))
            guard let content = response.items.first, response.items.count == 1, content.definition == definition else {
                throw StoreError.damaged("a part of a form that is not of one item")
            }
            parts[id] = PartRecord(
                summary: PartSummary(
                    id: id, holder: try StoredHolder.read(1, of: row), definition: definition,
                    label: try StoredText.words.read(3, of: row), isNamed: try RecordTables.flag(4, of: row),
                    savedAt: try RecordTables.time(5, of: row)),
                content: content)
        }
        return parts
    }

    static func set(_ part: PartRecord, in database: Database) throws {
        let summary = part.summary
        guard ids.contains(summary.id), part.content.definition == summary.definition else {
            throw StoreError.failed("a part with the id \(summary.id) can't be stored")
        }
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO part (id, holder, definition, label, is_named, saved_at, content)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            Int64(clamping: summary.id), try StoredHolder.checked(summary.holder),
            try StoredText.name.checked(summary.definition), try StoredText.words.checked(summary.label),
            summary.isNamed ? 1 : 0, summary.savedAt.unixMilliseconds,
            try StoredResource.checked(QuestionnaireResponse(status: .inProgress, items: [part.content])),
        ])
        // As `DurableRecords` does.
        try database.cachedStatement(sql: "UPDATE meta SET next_part = ?1 WHERE next_part < ?1")
            .execute(arguments: [Int64(clamping: summary.id + 1)])
    }

    static func remove(_ id: UInt64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM part WHERE id = ?").execute(arguments: [Int64(clamping: id)])
    }
}
