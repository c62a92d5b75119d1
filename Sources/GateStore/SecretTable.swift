import GateCore
import GateModel
import SQLite

/// The row of `secret`: the passcode's hash, and the authenticator.
///
/// The row is always there, so that a device whose passcode was cut out of the file is damaged, and not one where
/// nobody has set one up.
///
/// What is replaced or removed is gone from the file and its log (`PRAGMA secure_delete`, `GateStore.forgetLog`). Not
/// from what a disk keeps behind the file system's back, nor from this process: SQLite's cache and values read from it are
/// freed and not wiped, and the core holds the key for as long as it is set up anyway.
enum SecretTable {
    /// More than crypt(3) writes, and than any key has. What is longer was not written by us.
    private static let maximumByteCount = 1024

    /// Whether this may be what crypt(3) makes of a passcode or a password.
    static func isHash(_ text: String) -> Bool { (1...maximumByteCount).contains(text.utf8.count) }

    static func load(
        from database: Database
    ) throws -> (passcodeHash: String?, totp: TOTPEnrolment?) {
        guard
            let row = try Row.fetchOne(database, sql: "SELECT passcode_hash, totp_key, totp_used_step FROM secret")
        else { throw StoreError.damaged("no row in secret") }
        return (try passcodeHash(row[0]), try totp(key: row[1], usedStep: row[2]))
    }

    // Errors don't repeat what is stored here.

    private static func passcodeHash(_ stored: DatabaseValue) throws -> String? {
        switch stored {
        case .null:
            return nil
        case .string(let hash) where isHash(hash):
            return hash
        case .string, .blob, .int64, .double:
            throw StoreError.damaged("a passcode that is no hash")
        }
    }

    private static func totp(key: DatabaseValue, usedStep: DatabaseValue) throws -> TOTPEnrolment? {
        switch (key, usedStep) {
        case (.null, .null):
            return nil
        case (.blob(let key), .int64(let usedStep))
        where (1...maximumByteCount).contains(key.count) && usedStep >= 0 && usedStep <= RecordTables.maximumNumber:
            return TOTPEnrolment(key: GateSecret(key), usedStep: UInt64(usedStep))
        default:
            throw StoreError.damaged("an authenticator's key or time step that can't be one")
        }
    }

    static func set(passcodeHash: String?, in database: Database) throws {
        try update("passcode_hash = ?", [passcodeHash], in: database)
    }

    static func set(_ totp: TOTPEnrolment?, in database: Database) throws {
        let key = totp.map { $0.key.withBytes { Array($0) } }
        try update(
            "totp_key = ?, totp_used_step = ?", [key, totp.map { Int64(clamping: $0.usedStep) }], in: database)
    }

    private static func update(
        _ assignments: String, _ arguments: StatementArguments, in database: Database
    ) throws {
        // Not a cached statement: that would keep its arguments.
        try database.execute(sql: "UPDATE secret SET \(assignments)", arguments: arguments)
        guard database.changesCount == 1 else { throw StoreError.damaged("no row in secret") }
    }
}
