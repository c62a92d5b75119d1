import GateCore
import GateModel
import SQLite

/// The rows of `response`: what was answered, as it was saved or completed.
enum ResponseTable {
    /// More than the core takes. What has more was not written by us.
    static let maximumCount = 100_000
    private static let ids = 1...RecordTables.maximumNumber

    static func load(from database: Database) throws -> [UInt64: ResponseRecord] {
        var responses: [UInt64: ResponseRecord] = [:]
        let rows = try Row.fetchCursor(
            database, sql: "SELECT id, holder, form, version, status, saved_at, response, label FROM response")
        while let row = try rows.next() {
            let id = try RecordTables.value(0, of: row, as: UInt64.self)
            let statusName = try RecordTables.value(4, of: row, as: String.self)
            guard let status = QuestionnaireResponse.Status(rawValue: statusName), ids.contains(id),
                responses[id] == nil, responses.count < maximumCount
            else { throw StoreError.damaged("a response too many, or one without an id or a status") }
            responses[id] = ResponseRecord(
                summary: ResponseSummary(
                    id: id, name: try StoredText.name.read(2, of: row),
                    version: try StoredText.words.readOptional(3, of: row),
                    holder: try StoredHolder.read(1, of: row), status: status,
                    savedAt: try RecordTables.time(5, of: row), label: try StoredText.words.read(7, of: row)),
                response: try StoredResource.response(try StoredResource.read(6, of: row)))
        }
        return responses
    }

    static func set(_ record: ResponseRecord, in database: Database) throws {
        let summary = record.summary
        guard ids.contains(summary.id) else {
            throw StoreError.failed("a response's id \(summary.id) can't be stored")
        }
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO response (id, holder, form, version, status, saved_at, response, label)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            Int64(clamping: summary.id), try StoredHolder.checked(summary.holder),
            try StoredText.name.checked(summary.name), try summary.version.map(StoredText.words.checked),
            summary.status.rawValue, summary.savedAt.unixMilliseconds, try StoredResource.checked(record.response),
            try StoredText.words.checked(summary.label),
        ])
    }

    static func remove(_ id: UInt64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM response WHERE id = ?")
            .execute(arguments: [Int64(clamping: id)])
    }
}
