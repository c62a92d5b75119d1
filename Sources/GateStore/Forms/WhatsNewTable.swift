import GateCore
import GateModel
import SQLite

/// The rows of `whats_new`: which versions' news each person has seen (F-58).
enum WhatsNewTable {
    /// More than the core takes. What has more was not written by us.
    static let maximumCount = 1_000_000

    static func load(from database: Database) throws -> [WhatsNewKey: Set<AppVersion>] {
        var seen: [WhatsNewKey: Set<AppVersion>] = [:]
        var count = 0
        let rows = try Row.fetchCursor(database, sql: "SELECT holder, app, version, key FROM whats_new")
        while let row = try rows.next() {
            let key = WhatsNewKey(holder: try StoredHolder.read(0, of: row), app: try StoredText.name.read(1, of: row))
            let text = try RecordTables.value(2, of: row, as: String.self)
            guard let version = AppVersion(text), version.description == text, count < maximumCount,
                seen[key, default: []].insert(version).inserted
            else { throw StoreError.damaged("a version that was seen too many, or is none") }
            try StoredKey(try StoredHolder.checked(key.holder), key.app, text).check(3, of: row)
            count += 1
        }
        return seen
    }

    static func insert(_ version: AppVersion, for key: WhatsNewKey, in database: Database) throws {
        let (holder, app) = (try StoredHolder.checked(key.holder), try StoredText.name.checked(key.app))
        let rowKey = StoredKey(holder, app, version.description)
        try rowKey.delete(from: "whats_new", in: database)
        try database.cachedStatement(sql: "INSERT INTO whats_new (key, holder, app, version) VALUES (?, ?, ?, ?)")
            .execute(arguments: [rowKey.text, holder, app, version.description])
    }

    static func remove(_ key: WhatsNewKey, in database: Database) throws {
        try StoredKey(try StoredHolder.checked(key.holder), key.app).deleteAll(from: "whats_new", in: database)
    }
}
