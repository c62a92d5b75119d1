import GateModel
import SQLite

/// The tables, as a list of migrations. A migration that was released is never changed; add one below it.
enum StoreSchema {
    /// In the header of the file, so that no other program's database is taken for ours ("Gate" in ASCII).
    static let applicationID: Int32 = 0x4761_7465

    /// The tables after the last migration.
    static let tables = [
        "account", "app_form", "attachment", "audit", "claim", "customer", "draft", "draft_row", "household",
        "kept_grant",
        "lockout", "meta",
        "notification", "part", "receipt", "response", "secret", "whats_new",
    ]

    /// - Throws: `StoreError.damaged` where a table is gone; SQLite's own checks don't know which there should be.
    static func checkTables(in database: Database) throws {
        let found = try Set(String.fetchAll(database, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'"))
        if let missing = tables.first(where: { !found.contains($0) }) {
            throw StoreError.damaged("without the table \(missing)")
        }
    }

    /// How many migrations this version knows.
    static let number = migrator.migrations.count

    /// How many migrations a store has had.
    ///
    /// - Throws: `StoreError.newer` where it has had one that this version does not know.
    static func number(in database: Database, at path: String) throws -> Int {
        let applied = try migrator.appliedIdentifiers(database)
        guard applied.isSubset(of: migrator.migrations) else {
            throw StoreError.newer(
                NewerStore(
                    path: path, schema: applied.count, knownSchema: number, version: try version(in: database)))
        }
        return applied.count
    }

    /// Brings a store up to date, and writes down which version of Gate it now takes to read it.
    static func migrate(_ database: DatabaseQueue) throws {
        let before = try database.read { try migrator.appliedIdentifiers($0).count }
        guard before < number else { return }
        try migrator.migrate(database)
        let parts = GateRelease.version.split(separator: ".").compactMap { Int32($0.prefix { $0.isNumber }) }
        guard parts.count == 3 else { return }
        let version = parts.reduce(0) { $0 * 1000 + $1 }
        try database.write { try $0.execute(sql: "PRAGMA user_version = \(version)") }
    }

    /// The version of Gate that migrated a store last, for example "0.9.0"; `nil`: it does not say.
    static func version(in database: Database) throws -> String? {
        let number = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard number > 0 else { return nil }
        return "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)"
    }

    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("lockouts and audit") { database in
            try database.execute(
                sql: """
                    PRAGMA application_id = \(applicationID);

                    -- One row: what there is one of.
                    CREATE TABLE meta (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        -- 64 random bits, by their pattern.
                        epoch INTEGER NOT NULL,
                        -- Of the last committed revision.
                        number INTEGER NOT NULL CHECK (number >= 0),
                        boot_id TEXT NOT NULL,
                        -- Closed for damage, with the file that was set aside; NULL: open.
                        set_aside TEXT,
                        next_presentation INTEGER NOT NULL CHECK (next_presentation >= 1),
                        -- The last revision whose journal entries were pruned; 0: none was.
                        pruned_through INTEGER NOT NULL CHECK (pruned_through >= 0),
                        -- How many rows the journal has, so that nobody needs to count them.
                        audit_count INTEGER NOT NULL CHECK (audit_count >= 0)
                    ) STRICT;

                    CREATE TABLE lockout (
                        uid INTEGER NOT NULL,
                        gate TEXT NOT NULL,
                        wrong_answers INTEGER NOT NULL CHECK (wrong_answers >= 0),
                        unanswered INTEGER NOT NULL CHECK (unanswered >= 0),
                        -- Nanoseconds of the boot clock of the boot in meta.boot_id.
                        locked_until INTEGER,
                        -- Nanoseconds.
                        lock_duration INTEGER NOT NULL CHECK (lock_duration >= 0),
                        PRIMARY KEY (uid, gate)
                    ) STRICT, WITHOUT ROWID;

                    -- Rows are added at the end and pruned at the beginning.
                    CREATE TABLE audit (
                        -- The revision's number times 65,536, plus the place within the revision: one tree to write,
                        -- and always at its end.
                        id INTEGER PRIMARY KEY,
                        number INTEGER AS (id >> 16) VIRTUAL,
                        -- Milliseconds since 1970-01-01T00:00:00Z.
                        time INTEGER NOT NULL,
                        kind TEXT NOT NULL,
                        -- Both NULL where the daemon did it by itself.
                        uid INTEGER,
                        pid INTEGER,
                        mode TEXT NOT NULL,
                        detail TEXT NOT NULL
                    ) STRICT;
                    """)
        }
        migrator.registerMigration("kept grants and secrets") { database in
            try database.execute(
                sql: """
                    CREATE TABLE kept_grant (
                        uid INTEGER NOT NULL,
                        gated_action TEXT NOT NULL,
                        -- Nanoseconds of the boot clock of the boot in meta.boot_id.
                        deadline INTEGER NOT NULL,
                        PRIMARY KEY (uid, gated_action)
                    ) STRICT, WITHOUT ROWID;

                    -- One row, always.
                    CREATE TABLE secret (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        -- As crypt(3) makes it; NULL: no passcode is set up.
                        passcode_hash TEXT,
                        -- Both NULL: no authenticator is set up.
                        totp_key BLOB,
                        -- The newest time step whose code was used.
                        totp_used_step INTEGER CHECK (totp_used_step >= 0),
                        CHECK ((totp_key IS NULL) = (totp_used_step IS NULL))
                    ) STRICT;
                    INSERT INTO secret (id) VALUES (1);
                    """)
        }
        migrator.registerMigration("accounts and claims") { database in
            try database.execute(
                sql: """
                    CREATE TABLE account (
                        name TEXT NOT NULL PRIMARY KEY,
                        kind TEXT NOT NULL CHECK (kind IN ('grown-up', 'child')),
                        -- A child's date of birth, as YYYY-MM-DD.
                        born TEXT,
                        -- As crypt(3) makes it.
                        password_hash TEXT NOT NULL,
                        CHECK ((kind = 'child') = (born IS NOT NULL))
                    ) STRICT, WITHOUT ROWID;

                    -- All times are milliseconds since 1970-01-01T00:00:00Z.
                    CREATE TABLE claim (
                        provider TEXT NOT NULL,
                        name TEXT NOT NULL,
                        -- Whose it is; NULL: the device's.
                        account TEXT,
                        item TEXT NOT NULL,
                        product TEXT NOT NULL,
                        purchased_at INTEGER NOT NULL,
                        -- NULL: never.
                        expires_at INTEGER,
                        revoked_at INTEGER,
                        is_for_testing INTEGER NOT NULL CHECK (is_for_testing IN (0, 1)),
                        said_at INTEGER NOT NULL,
                        -- All three NULL: nothing was said of a renewal.
                        is_in_billing_retry INTEGER CHECK (is_in_billing_retry IN (0, 1)),
                        grace_period_ends_at INTEGER,
                        renewal_said_at INTEGER,
                        -- When an administrator took it back.
                        revoked_here INTEGER,
                        PRIMARY KEY (provider, name),
                        CHECK ((is_in_billing_retry IS NULL) = (renewal_said_at IS NULL)),
                        CHECK (grace_period_ends_at IS NULL OR renewal_said_at IS NOT NULL)
                    ) STRICT, WITHOUT ROWID;

                    -- The name that the next claim by hand gets.
                    ALTER TABLE meta ADD COLUMN next_manual_claim INTEGER NOT NULL DEFAULT 1
                        CHECK (next_manual_claim >= 1);

                    CREATE TABLE customer (
                        app_user TEXT NOT NULL PRIMARY KEY,
                        -- When RevenueCat said the newest of this user, in milliseconds since 1970-01-01T00:00:00Z.
                        heard_at INTEGER NOT NULL
                    ) STRICT, WITHOUT ROWID;

                    CREATE TABLE notification (
                        id TEXT NOT NULL PRIMARY KEY,
                        -- In the order in which they were taken; from 1.
                        place INTEGER NOT NULL CHECK (place >= 1)
                    ) STRICT, WITHOUT ROWID;
                    """)
        }
        registerForms(in: &migrator)
        migrator.registerMigration("owners") { database in
            // In lockout, and in a holder, an owner has the place of a uid: every number that there was is an owner's already.
            try database.execute(
                sql: """
                    -- Who is billed for the entry: a uid, or one of the numbers of `Owner`.
                    ALTER TABLE audit ADD COLUMN owner INTEGER;
                    UPDATE audit SET owner = uid;
                    """)
        }
        registerDraftRevisions(in: &migrator)
        registerConfirmedAccounts(in: &migrator)
        registerEnteredAnswers(in: &migrator)
        registerManyDrafts(in: &migrator)
        registerParts(in: &migrator)
        registerAppForms(in: &migrator)
        migrator.registerMigration("brokers") { database in
            try database.execute(
                sql: """
                    -- The broker that asked for the process: its user, and how it names itself. NULL: the process asked itself.
                    ALTER TABLE audit ADD COLUMN broker_uid INTEGER;
                    ALTER TABLE audit ADD COLUMN broker TEXT;
                    """)
        }
        migrator.registerMigration("household") { database in
            try database.execute(
                sql: """
                    CREATE TABLE household (
                        id INTEGER PRIMARY KEY CHECK (id = 1),
                        -- The newest list of devices and guardians as a JWS, and the key that it was checked with.
                        list BLOB,
                        list_key BLOB,
                        -- This device's Ed25519 key: the private half, and the public one.
                        device_key BLOB,
                        public_key BLOB,
                        -- The newest moment at which a guardian opened something, in milliseconds since 1970-01-01T00:00:00Z.
                        seen_at INTEGER,
                        CHECK ((list IS NULL) = (list_key IS NULL)),
                        CHECK ((device_key IS NULL) = (public_key IS NULL))
                    ) STRICT;
                    INSERT INTO household (id) VALUES (1);
                    -- The guardian whose signed command was done: on which device it was signed, and the name. NULL: nobody's.
                    ALTER TABLE audit ADD COLUMN guardian_device TEXT;
                    ALTER TABLE audit ADD COLUMN guardian TEXT;
                    """)
        }
        registerHouseholdPolicy(in: &migrator)
        registerReceipts(in: &migrator)
        return migrator
    }()
}

extension StoreSchema {
    private static func registerHouseholdPolicy(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("household policy") { database in
            try database.execute(
                sql: """
                    -- The newest policy that the household has for all of its devices as a JWS, and the key that it was checked with.
                    ALTER TABLE household ADD COLUMN policy BLOB;
                    ALTER TABLE household ADD COLUMN policy_key BLOB CHECK ((policy IS NULL) = (policy_key IS NULL));
                    """)
        }
    }

    private static func registerReceipts(in migrator: inout DatabaseMigrator) {
        migrator.registerMigration("receipts") { database in
            try database.execute(
                sql: """
                    -- The newest texts of the App Store's that were submitted here, for other devices of the household.
                    CREATE TABLE receipt (
                        number INTEGER PRIMARY KEY,
                        -- The original transaction, and what of its claim the text says.
                        claim TEXT NOT NULL,
                        part TEXT NOT NULL,
                        -- When the store said so: milliseconds since 1970-01-01T00:00:00Z.
                        said_at INTEGER NOT NULL,
                        kind TEXT NOT NULL,
                        signed TEXT NOT NULL
                    ) STRICT;
                    """)
        }
    }
}
