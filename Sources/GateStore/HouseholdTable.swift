import GateCore
import GateGuardians
import GateModel
import SQLite

/// The row of `household`: the newest list of devices and guardians, the newest policy for all devices, and this device's key. It is always there, as that of `secret` is.
enum HouseholdTable {
    static func load(from database: Database) throws -> HouseholdRecord {
        guard
            let row = try Row.fetchOne(
                database,
                sql: "SELECT list, list_key, device_key, public_key, seen_at, policy, policy_key FROM household")
        else { throw StoreError.damaged("no row in household") }
        return HouseholdRecord(
            list: try list(row[0], key: row[1]), deviceKey: try deviceKey(row[2], publicKey: row[3]),
            seenAt: try RecordTables.optionalValue(4, of: row, as: Int64.self).map(WallTime.init(unixMilliseconds:)),
            policy: try policy(row[5], key: row[6]))
    }

    private static func list(_ stored: DatabaseValue, key: DatabaseValue) throws -> SignedHouseholdList? {
        switch (stored, key) {
        case (.null, .null):
            return nil
        case (.blob(let signed), .blob(let key)) where key.count == 32:
            guard let list = try? HouseholdList(signed: signed, by: key) else {
                throw StoreError.damaged("a household's list that nobody signed")
            }
            return SignedHouseholdList(list, signed: signed, verifiedBy: key)
        default:
            throw StoreError.damaged("a household's list without its key")
        }
    }

    private static func policy(_ stored: DatabaseValue, key: DatabaseValue) throws -> SignedHouseholdPolicy? {
        switch (stored, key) {
        case (.null, .null):
            return nil
        case (.blob(let signed), .blob(let key)) where key.count == 32:
            guard let policy = try? HouseholdPolicy(signed: signed, by: key) else {
                throw StoreError.damaged("a household's policy that nobody signed")
            }
            return SignedHouseholdPolicy(policy, signed: signed, verifiedBy: key)
        default:
            throw StoreError.damaged("a household's policy without its key")
        }
    }

    // Errors don't repeat what is stored here.

    private static func deviceKey(_ stored: DatabaseValue, publicKey: DatabaseValue) throws -> DeviceKey? {
        switch (stored, publicKey) {
        case (.null, .null):
            return nil
        case (.blob(let secret), .blob(let publicKey)) where secret.count == 32 && publicKey.count == 32:
            return DeviceKey(publicKey: Array(publicKey), secret: GateSecret(secret))
        default:
            throw StoreError.damaged("a device's key that can't be one")
        }
    }

    static func set(_ list: SignedHouseholdList?, in database: Database) throws {
        try update("list = ?, list_key = ?", [list?.signed, list?.verifiedBy], in: database)
    }

    static func set(_ policy: SignedHouseholdPolicy?, in database: Database) throws {
        try update("policy = ?, policy_key = ?", [policy?.signed, policy?.verifiedBy], in: database)
    }

    static func set(_ key: DeviceKey?, in database: Database) throws {
        let secret = key.map { $0.secret.withBytes { Array($0) } }
        try update("device_key = ?, public_key = ?", [secret, key?.publicKey], in: database)
    }

    static func set(seenAt: WallTime?, in database: Database) throws {
        try update("seen_at = ?", [seenAt?.unixMilliseconds], in: database)
    }

    static func set(_ record: HouseholdRecord, in database: Database) throws {
        try set(record.list, in: database)
        try set(record.policy, in: database)
        try set(record.deviceKey, in: database)
        try set(seenAt: record.seenAt, in: database)
    }

    private static func update(
        _ assignments: String, _ arguments: StatementArguments, in database: Database
    ) throws {
        // Not a cached statement: that would keep its arguments.
        try database.execute(sql: "UPDATE household SET \(assignments)", arguments: arguments)
        guard database.changesCount == 1 else { throw StoreError.damaged("no row in household") }
    }
}
