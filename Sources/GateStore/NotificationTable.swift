import SQLite

/// The rows of `notification`: those of the App Store that were taken, so that each is taken once.
enum NotificationTable {
    /// More than the core remembers. What has more was not written by us.
    static let maximumCount = 100_000
    private static let orders = 1...RecordTables.maximumNumber

    static func load(from database: Database) throws -> [String: UInt64] {
        var notifications: [String: UInt64] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT id, place FROM notification")
        while let row = try rows.next() {
            let id = try StoredText.name.read(0, of: row)
            let order = try RecordTables.value(1, of: row, as: UInt64.self)
            guard notifications[id] == nil, notifications.count < maximumCount,
                orders.contains(order)
            else { throw StoreError.damaged("a notification too many, or without a place") }
            notifications[id] = order
        }
        return notifications
    }

    static func set(order: UInt64, of id: String, in database: Database) throws {
        guard orders.contains(order) else { throw StoreError.failed("a notification's place \(order) can't be stored") }
        try remove(id, in: database)
        try database.cachedStatement(sql: "INSERT INTO notification (id, place) VALUES (?, ?)")
            .execute(arguments: [try StoredText.name.checked(id), Int64(clamping: order)])
    }

    static func remove(_ id: String, in database: Database) throws {
        for spelling in try StoredText.otherSpellings(of: id, in: "id", of: "notification", database) + [id] {
            try database.cachedStatement(sql: "DELETE FROM notification WHERE id = ?").execute(arguments: [spelling])
        }
    }
}
