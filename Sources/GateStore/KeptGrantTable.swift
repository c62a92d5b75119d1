import GateCore
import GateModel
import SQLite

/// The rows of `kept_grant`: who is not asked again for what, for a while.
enum KeptGrantTable {
    /// More than a device's users and gated actions make. Of more, those that end last are kept: a user whose grant is
    /// gone is asked again.
    static let maximumCount = 10_000

    static func load(from database: Database) throws -> [KeptGrant.Key: KeptGrant] {
        let count = try count(in: database)
        var grants: [KeptGrant.Key: KeptGrant] = [:]
        grants.reserveCapacity(min(count, maximumCount))
        // To put them in order costs more than to read them.
        let order = count > maximumCount ? "ORDER BY deadline DESC LIMIT \(maximumCount)" : ""
        let rows = try Row.fetchCursor(database, sql: "SELECT uid, gated_action, deadline FROM kept_grant \(order)")
        while let row = try rows.next() {
            let key = KeptGrant.Key(
                uid: try RecordTables.value(0, of: row, as: UInt32.self),
                gatedAction: try RecordTables.value(1, of: row, as: String.self))
            grants[key] = KeptGrant(
                deadline: BootTime(nanoseconds: try RecordTables.value(2, of: row, as: Int64.self)))
        }
        return grants
    }

    /// How many rows there are, those that `load` leaves out included.
    static func count(in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM kept_grant") ?? 0
    }

    static func set(_ grant: KeptGrant, for key: KeptGrant.Key, in database: Database) throws {
        try database.cachedStatement(
            sql: "INSERT OR REPLACE INTO kept_grant (uid, gated_action, deadline) VALUES (?, ?, ?)"
        ).execute(arguments: [Int64(key.uid), key.gatedAction, grant.deadline.nanoseconds])
    }

    static func remove(_ key: KeptGrant.Key, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM kept_grant WHERE uid = ? AND gated_action = ?")
            .execute(arguments: [Int64(key.uid), key.gatedAction])
    }

    /// Leaves these rows and no others.
    static func replace(with grants: KeptGrants, in database: Database) throws {
        try database.execute(sql: "DELETE FROM kept_grant")
        for (key, grant) in grants { try set(grant, for: key, in: database) }
    }
}
