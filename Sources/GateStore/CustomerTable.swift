import GateModel
import SQLite

/// The rows of `customer`: the newest that RevenueCat said of each of its users, so that nothing older is taken.
enum CustomerTable {
    /// More than any configuration names. What has more was not written by us.
    static let maximumCount = 100_000

    static func load(from database: Database) throws -> [String: WallTime] {
        var customers: [String: WallTime] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT app_user, heard_at FROM customer")
        while let row = try rows.next() {
            let appUser = try StoredText.name.read(0, of: row)
            guard customers[appUser] == nil, customers.count < maximumCount else {
                throw StoreError.damaged("a customer too many")
            }
            customers[appUser] = try RecordTables.time(1, of: row)
        }
        return customers
    }

    static func set(_ time: WallTime, for appUser: String, in database: Database) throws {
        try remove(appUser, in: database)
        try database.cachedStatement(sql: "INSERT INTO customer (app_user, heard_at) VALUES (?, ?)")
            .execute(arguments: [try StoredText.name.checked(appUser), time.unixMilliseconds])
    }

    static func remove(_ appUser: String, in database: Database) throws {
        let others = try StoredText.otherSpellings(of: appUser, in: "app_user", of: "customer", database)
        for spelling in others + [appUser] {
            try database.cachedStatement(sql: "DELETE FROM customer WHERE app_user = ?").execute(arguments: [spelling])
        }
    }
}
