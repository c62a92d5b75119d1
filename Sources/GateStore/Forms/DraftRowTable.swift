import GateCore
import GateForms
import GateModel
import SQLite

/// The rows of `draft_row`: what drafts keep at each path, a row each, so that an answer costs one row and no more.
///
/// There is no largest number of them: the core bounds a draft by its bytes.
enum DraftRowTable {
    private static let path = StoredText(byteCounts: 1...FormPath.maximumByteCount)
    /// More than anything repeats.
    private static let instances = 0...FormPath.maximumInstanceCount

    static func load(from database: Database) throws -> [FormDraftKey: [FormPath: FormRow]] {
        var rowsOfDrafts: [FormDraftKey: [FormPath: FormRow]] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT holder, form, path, answers, instances, key, is_entered, draft_id FROM draft_row")
        while let row = try rows.next() {
            let key = FormDraftKey(
                holder: try StoredHolder.read(0, of: row), name: try StoredText.name.read(1, of: row),
                id: try DraftTable.id(7, of: row))
            let text = try path.read(2, of: row)
            guard let path = FormPath(text: text), path.description == text else {
                throw StoreError.damaged("a path in a form that is none")
            }
            guard rowsOfDrafts[key]?[path] == nil else { throw StoreError.damaged("an answer in a form twice") }
            try StoredKey(key, path: text).check(5, of: row)
            rowsOfDrafts[key, default: [:]][path] = try formRow(row)
        }
        return rowsOfDrafts
    }

    private static func formRow(_ row: Row) throws -> FormRow {
        let count = try RecordTables.optionalValue(4, of: row, as: Int.self)
        let isEntered = try RecordTables.flag(6, of: row)
        switch (try StoredResource.readOptional(3, of: row), count) {
        case (let answers?, nil):
            let values = try StoredResource.answers(answers)
            return isEntered ? .entered(values) : .answers(values)
        case (nil, let count?) where !isEntered && instances.contains(count):
            return .instances(count)
        case (nil, _), (_?, _?):
            throw StoreError.damaged("a row of a form that is neither answers nor a number of times")
        }
    }

    static func set(_ row: FormRow, at path: FormPath, of key: FormDraftKey, in database: Database) throws {
        let (holder, form) = (try StoredHolder.checked(key.holder), try StoredText.name.checked(key.name))
        let text = try Self.path.checked(path.description)
        guard FormPath(text: text) == path else { throw StoreError.failed("a path in a form can't be stored") }
        let answers: String?
        let count: Int?
        switch row {
        case .answers(let values), .entered(let values):
            (answers, count) = (try StoredResource.checked(values), nil)
        case .instances(let number):
            guard instances.contains(number) else {
                throw StoreError.failed("a group that is there \(number) times can't be stored")
            }
            (answers, count) = (nil, number)
        }
        let isEntered = if case .entered = row { true } else { false }
        let rowKey = StoredKey(holder: holder, form: form, draft: try DraftTable.checked(id: key.id), path: text)
        try rowKey.delete(from: "draft_row", in: database)
        try database.cachedStatement(
            sql: """
                INSERT INTO draft_row (key, holder, form, path, answers, instances, is_entered, draft_id)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [rowKey.text, holder, form, text, answers, count, isEntered, Int64(clamping: key.id)])
    }

    static func remove(_ path: FormPath, of key: FormDraftKey, in database: Database) throws {
        try StoredKey(key, path: path.description).delete(from: "draft_row", in: database)
    }

    static func removeAll(of key: FormDraftKey, in database: Database) throws {
        try StoredKey(key).deleteAll(from: "draft_row", in: database)
    }
}
