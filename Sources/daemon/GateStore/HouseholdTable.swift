import GateCore
import GateGuardians
import GateModel
import SQLite

/// The row of `household`: the newest list of devices and guardians, the newest policy for all devices, and this
/// device's key. Like that of `secret`, the row always exists.
struct HouseholdTable: RecordTable {
    private let table = Table(
        "household", step: 13, hasRowID: true, isOneRow: true,
        constraints: [
            "CHECK ((list IS NULL) = (list_key IS NULL))", "CHECK ((device_key IS NULL) = (public_key IS NULL))",
        ],
        Column("id", .rowID(1...1), "PRIMARY KEY CHECK (id = 1)"),
        // The newest list of devices and guardians as a JWS, and the key that it was verified with.
        Column("list", .optional(.bytes(0...(.max)))), Column("list_key", .optional(.bytes(32...32))),
        // This device's Ed25519 key: the private and the public half.
        Column("device_key", .optional(.secret(32...32))), Column("public_key", .optional(.bytes(32...32))),
        // The newest time at which a guardian opened something.
        Column("seen_at", .optional(.time)),
        // The household's newest policy for all its devices as a JWS, and the key that it was verified with.
        Column("policy", .optional(.bytes(0...(.max))), step: 14),
        Column("policy_key", .optional(.bytes(32...32)), "CHECK ((policy IS NULL) = (policy_key IS NULL))", step: 14))
    var schema: TableSchema { table.schema }

    func load(into records: inout DurableRecords, from database: Database) throws {
        let (_, list, listKey, secret, publicKey, seenAt, policy, policyKey) = try table.onlyRow(in: database)
        records.household = HouseholdRecord(
            list: try both(list, listKey, "a list") { signed, key in
                SignedHouseholdList(try HouseholdList(signed: signed, by: key), signed: signed, verifiedBy: key)
            },
            deviceKey: try both(secret, publicKey, "a key") { DeviceKey(publicKey: $1, secret: $0) }, seenAt: seenAt,
            policy: try both(policy, policyKey, "a policy") { signed, key in
                SignedHouseholdPolicy(try HouseholdPolicy(signed: signed, by: key), signed: signed, verifiedBy: key)
            })
    }

    /// Combines two columns that count only together; `nil` if both are NULL.
    private func both<First, Second, Whole>(
        _ first: First?, _ second: Second?, _ noun: String, _ whole: (First, Second) throws -> Whole
    ) throws -> Whole? {
        switch (first, second) {
        case (nil, nil): return nil
        case (let first?, let second?):
            guard let whole = try? whole(first, second) else {
                throw StoreError.damaged("\(noun) of a household that nobody signed")
            }
            return whole
        case (nil, _?), (_?, nil): throw StoreError.damaged("half of \(noun) of a household")
        }
    }

    func replaceAll(with records: DurableRecords, documentsFrom _: StagedRestore?, in database: Database) throws {
        try set(records.household.list, in: database)
        try set(records.household.policy, in: database)
        try set(records.household.deviceKey, in: database)
        try set(seenAt: records.household.seenAt, in: database)
    }

    func set(_ list: SignedHouseholdList?, in database: Database) throws {
        try table.update("list = ?, list_key = ?", [list?.signed, list?.verifiedBy], in: database)
    }

    func set(_ policy: SignedHouseholdPolicy?, in database: Database) throws {
        try table.update("policy = ?, policy_key = ?", [policy?.signed, policy?.verifiedBy], in: database)
    }

    func set(_ key: DeviceKey?, in database: Database) throws {
        let secret = key.map { $0.secret.withBytes { Array($0) } }
        try table.update("device_key = ?, public_key = ?", [secret, key?.publicKey], in: database)
    }

    func set(seenAt: WallTime?, in database: Database) throws {
        try table.update("seen_at = ?", [seenAt?.unixMilliseconds], in: database)
    }
}
