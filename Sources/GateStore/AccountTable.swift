import GateCore
import GateModel
import SQLite

/// The rows of `account`: who can sign in, and what their passwords are compared with (F-48).
///
/// What is removed or replaced is gone from the file, as in `SecretTable`. There is one more thing to that here: where
/// SQLite splits a page or joins two, copies of rows stay behind in the free space of pages, which `secure_delete` does
/// not know of. So wherever a hash ends, the whole table is written anew; emptying it overwrites all its pages.
///
/// Names are compared as Swift does it, where an accent on its own and a letter with an accent are the same. SQLite would
/// take them for two names, and keep the row that was to be removed.
enum AccountTable {
    /// More than a device has. What has more was not written by us.
    static let maximumCount = 100_000

    static func load(from database: Database) throws -> [String: AccountRecord] {
        var accounts: [String: AccountRecord] = [:]
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM account") ?? 0
        accounts.reserveCapacity(min(count, maximumCount))
        let rows = try Row.fetchCursor(
            database, sql: "SELECT name, kind, born, password_hash, is_confirmed FROM account")
        while let row = try rows.next() {
            let account = GateAccount(
                name: try name.read(0, of: row),
                kind: try kind(try RecordTables.value(1, of: row, as: String.self), born: row[2]),
                isConfirmed: try RecordTables.flag(4, of: row))
            let record = AccountRecord(account: account, passwordHash: try hash(row[3]))
            guard accounts.updateValue(record, forKey: account.name) == nil, accounts.count <= maximumCount else {
                throw StoreError.damaged("an account too many")
            }
        }
        return accounts
    }

    private static let name = StoredText(byteCounts: 1...GateAccount.maximumNameByteCount)
    private static let grownUp = "grown-up"
    private static let child = "child"

    private static func kind(_ kind: String, born: DatabaseValue) throws -> GateAccount.Kind {
        switch (kind, born) {
        case (grownUp, .null):
            return .grownUp
        case (child, .string(let text)):
            guard let born = CivilDate(text) else { throw StoreError.damaged("a date of birth that is no day") }
            return .child(born: born)
        default:
            throw StoreError.damaged("an account that is neither a grown-up's nor a child's")
        }
    }

    /// The error does not repeat what is stored.
    private static func hash(_ stored: DatabaseValue) throws -> String {
        guard case .string(let hash) = stored, SecretTable.isHash(hash) else {
            throw StoreError.damaged("a password that is no hash")
        }
        return hash
    }

    static func set(_ account: GateAccount, passwordHash: String, in database: Database) throws {
        let born: String? =
            switch account.kind {
            case .grownUp: nil
            case .child(let born): born.description
            }
        // Years are stored with four digits.
        guard born.map({ CivilDate($0) != nil }) ?? true, SecretTable.isHash(passwordHash) else {
            throw StoreError.failed("the account's date of birth or hash can't be stored; give another one")
        }
        try remove(name: account.name, in: database)
        // Not a cached statement: that would keep its arguments.
        try database.execute(
            sql: insertion,
            arguments: [
                try name.checked(account.name), born == nil ? grownUp : child, born, passwordHash, account.isConfirmed,
            ])
    }

    private static let insertion =
        "INSERT INTO account (name, kind, born, password_hash, is_confirmed) VALUES (?, ?, ?, ?, ?)"

    static func remove(name: String, in database: Database) throws {
        guard try String.fetchAll(database, sql: "SELECT name FROM account").contains(name) else { return }
        let rows = try Row.fetchAll(
            database, sql: "SELECT name, kind, born, password_hash, is_confirmed FROM account ORDER BY name")
        try database.execute(sql: "DELETE FROM account")
        for row in rows where try RecordTables.value(0, of: row, as: String.self) != name {
            try database.execute(sql: insertion, arguments: StatementArguments(row.databaseValues))
        }
    }
}

extension StoreSchema {
    /// Ages count once an administrator stands for the account. Those that are there keep counting.
    static func registerConfirmedAccounts(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("confirmed accounts") { database in
            try database.execute(
                sql:
                    "ALTER TABLE account ADD COLUMN is_confirmed INTEGER NOT NULL DEFAULT 1 CHECK (is_confirmed IN (0, 1))"
            )
        }
    }
}
