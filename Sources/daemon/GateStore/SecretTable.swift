import GateCore
import GateModel
import SQLite

/// The row of `secret`: the passcode's hash, and the authenticator.
///
/// The row always exists. So if the passcode is cut out of the file, the store is damaged; it does not look like one
/// without a passcode.
///
/// What is replaced or removed is overwritten in the file and its log (`PRAGMA secure_delete`, `GateStore.forgetLog`).
/// It is not removed from what a disk keeps out of the file system's reach, nor from this process: SQLite's cache and
/// values read from it are freed without being overwritten. The core holds the key anyway, for as long as it is set up.
struct SecretTable: RecordTable {
    private let table = Table(
        "secret", hasRowID: true, isOneRow: true,
        constraints: ["CHECK ((totp_key IS NULL) = (totp_used_step IS NULL))"],
        Column("id", .rowID(1...1), "PRIMARY KEY CHECK (id = 1)"),
        // NULL: no passcode is set up.
        Column("passcode_hash", .optional(.hash)),
        // No key is as long as 1,024 bytes. Both columns are NULL if no authenticator is set up.
        Column("totp_key", .optional(.secret(1...1024))),
        // The newest time step whose code was used.
        Column("totp_used_step", .optional(.number(0...RecordTables.maximumNumber)), "CHECK (totp_used_step >= 0)"))
    var schema: TableSchema { table.schema }

    func load(into records: inout DurableRecords, from database: Database) throws {
        let (_, hash, key, usedStep) = try table.onlyRow(in: database)
        records.passcodeHash = hash
        switch (key, usedStep) {
        case (nil, nil): records.totp = nil
        case (let key?, let usedStep?): records.totp = TOTPEnrolment(key: key, usedStep: usedStep)
        case (nil, _?), (_?, nil): throw StoreError.damaged("half an authenticator")
        }
    }

    func replaceAll(with records: DurableRecords, documentsFrom _: StagedRestore?, in database: Database) throws {
        try set(passcodeHash: records.passcodeHash, in: database)
        try set(records.totp, in: database)
    }

    func set(passcodeHash: String?, in database: Database) throws {
        try table.update("passcode_hash = ?", [passcodeHash], in: database)
    }

    func set(_ totp: TOTPEnrolment?, in database: Database) throws {
        let key = totp.map { $0.key.withBytes { Array($0) } }
        try table.update(
            "totp_key = ?, totp_used_step = ?", [key, totp.map { Int64(clamping: $0.usedStep) }], in: database)
    }
}
