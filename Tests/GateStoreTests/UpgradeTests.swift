import GateCore
import GateModel
import SQLite
import Testing

@testable import GateStore

@Suite("A store of an earlier version opens, and keeps what it knows")
struct UpgradeTests {
    let scene: Scene

    init() throws {
        scene = try Scene()
    }

    /// As version 0.1.0 made it, word for word: a released migration is never changed.
    private static let first = """
        PRAGMA application_id = 1197569125;
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('lockouts and audit');
        CREATE TABLE meta (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            epoch INTEGER NOT NULL,
            number INTEGER NOT NULL CHECK (number >= 0),
            boot_id TEXT NOT NULL,
            set_aside TEXT,
            next_presentation INTEGER NOT NULL CHECK (next_presentation >= 1),
            pruned_through INTEGER NOT NULL CHECK (pruned_through >= 0),
            audit_count INTEGER NOT NULL CHECK (audit_count >= 0)
        ) STRICT;
        CREATE TABLE lockout (
            uid INTEGER NOT NULL,
            gate TEXT NOT NULL,
            wrong_answers INTEGER NOT NULL CHECK (wrong_answers >= 0),
            unanswered INTEGER NOT NULL CHECK (unanswered >= 0),
            locked_until INTEGER,
            lock_duration INTEGER NOT NULL CHECK (lock_duration >= 0),
            PRIMARY KEY (uid, gate)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY,
            number INTEGER AS (id >> 16) VIRTUAL,
            time INTEGER NOT NULL,
            kind TEXT NOT NULL,
            uid INTEGER,
            pid INTEGER,
            mode TEXT NOT NULL,
            detail TEXT NOT NULL
        ) STRICT;
        INSERT INTO meta VALUES (1, -5, 7, 'boot-1', NULL, 4, 0, 2);
        INSERT INTO lockout VALUES (1000, 'mode', 3, 1, 90000000000, 30000000000);
        INSERT INTO audit (id, time, kind, uid, pid, mode, detail)
            VALUES (65536, 1000, 'started', NULL, NULL, 'child', '');
        INSERT INTO audit (id, time, kind, uid, pid, mode, detail)
            VALUES (458752, 2000, 'lockedOut', 1000, 4711, 'child', '30 s');
        """

    /// What the version after that added, word for word, and some rows of it.
    private static let second = """
        INSERT INTO grdb_migrations VALUES ('kept grants and secrets');
        CREATE TABLE kept_grant (
            uid INTEGER NOT NULL,
            gated_action TEXT NOT NULL,
            deadline INTEGER NOT NULL,
            PRIMARY KEY (uid, gated_action)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE secret (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            passcode_hash TEXT,
            totp_key BLOB,
            totp_used_step INTEGER CHECK (totp_used_step >= 0),
            CHECK ((totp_key IS NULL) = (totp_used_step IS NULL))
        ) STRICT;
        INSERT INTO secret VALUES (1, '$y$j9T$x', x'010203', 58920000);
        INSERT INTO kept_grant VALUES (1000, 'link.open', 95000000000);
        """

    /// What the version after that added, word for word, and some rows of it.
    private static let third = """
        INSERT INTO grdb_migrations VALUES ('accounts and claims');
        CREATE TABLE account (
            name TEXT NOT NULL PRIMARY KEY,
            kind TEXT NOT NULL CHECK (kind IN ('grown-up', 'child')),
            born TEXT,
            password_hash TEXT NOT NULL,
            CHECK ((kind = 'child') = (born IS NOT NULL))
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE claim (
            provider TEXT NOT NULL,
            name TEXT NOT NULL,
            account TEXT,
            item TEXT NOT NULL,
            product TEXT NOT NULL,
            purchased_at INTEGER NOT NULL,
            expires_at INTEGER,
            revoked_at INTEGER,
            is_for_testing INTEGER NOT NULL CHECK (is_for_testing IN (0, 1)),
            said_at INTEGER NOT NULL,
            is_in_billing_retry INTEGER CHECK (is_in_billing_retry IN (0, 1)),
            grace_period_ends_at INTEGER,
            renewal_said_at INTEGER,
            revoked_here INTEGER,
            PRIMARY KEY (provider, name),
            CHECK ((is_in_billing_retry IS NULL) = (renewal_said_at IS NULL)),
            CHECK (grace_period_ends_at IS NULL OR renewal_said_at IS NOT NULL)
        ) STRICT, WITHOUT ROWID;
        ALTER TABLE meta ADD COLUMN next_manual_claim INTEGER NOT NULL DEFAULT 1
            CHECK (next_manual_claim >= 1);
        CREATE TABLE customer (
            app_user TEXT NOT NULL PRIMARY KEY,
            heard_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE notification (
            id TEXT NOT NULL PRIMARY KEY,
            place INTEGER NOT NULL CHECK (place >= 1)
        ) STRICT, WITHOUT ROWID;
        UPDATE meta SET next_manual_claim = 2;
        INSERT INTO account VALUES ('anna', 'grown-up', NULL, '$y$z');
        INSERT INTO claim VALUES ('manual', '1', NULL, 'premium', '', 0, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL);
        INSERT INTO customer VALUES ('anna-17', 5);
        INSERT INTO notification VALUES ('n-1', 1);
        """

    /// What the version after that added, word for word, and some rows of it: so Gate 0.1.0 ended.
    private static let fourth = """
        INSERT INTO grdb_migrations VALUES ('forms and release notes');
        CREATE TABLE draft (
            key TEXT NOT NULL PRIMARY KEY,
            holder TEXT NOT NULL,
            form TEXT NOT NULL,
            revision INTEGER NOT NULL CHECK (revision >= 1),
            opened_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE draft_row (
            key TEXT NOT NULL PRIMARY KEY,
            holder TEXT NOT NULL,
            form TEXT NOT NULL,
            path TEXT NOT NULL,
            answers TEXT,
            instances INTEGER CHECK (instances >= 0),
            CHECK ((answers IS NULL) <> (instances IS NULL))
        ) STRICT;
        CREATE TABLE response (
            id INTEGER PRIMARY KEY CHECK (id >= 1),
            holder TEXT NOT NULL,
            form TEXT NOT NULL,
            version TEXT,
            status TEXT NOT NULL,
            saved_at INTEGER NOT NULL,
            response TEXT NOT NULL
        ) STRICT;
        ALTER TABLE meta ADD COLUMN next_response INTEGER NOT NULL DEFAULT 1 CHECK (next_response >= 1);
        CREATE TABLE attachment (
            digest BLOB NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
            bytes BLOB NOT NULL
        ) STRICT;
        CREATE TABLE whats_new (
            key TEXT NOT NULL PRIMARY KEY,
            holder TEXT NOT NULL,
            app TEXT NOT NULL,
            version TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO draft VALUES ('account:anna' || char(10) || 'consent' || char(10), 'account:anna', 'consent', 3, 1);
        INSERT INTO draft VALUES ('user:1000' || char(10) || 'consent' || char(10), 'user:1000', 'consent', 3, 1);
        """

    @Test("drafts of the version before get revisions that none has had, each its own; accounts keep counting")
    func opensFourth() throws {
        try make(Self.first, Self.second, Self.third, Self.fourth)
        for _ in 0..<2 {
            let (store, records, outcome) = try scene.open()
            #expect(outcome == .opened)
            let drafts = records.drafts.values.sorted { $0.revision < $1.revision }
            let openedAt = WallTime(unixMilliseconds: 1)
            #expect(
                drafts == [
                    FormDraftRecord(revision: 8, openedAt: openedAt), FormDraftRecord(revision: 9, openedAt: openedAt),
                ])
            #expect(Set(records.drafts.keys) == [.annasConsent, .usersConsent] && records.nextDraft == 1)
            #expect(records.lastDraftRevision == 9 && records.accounts["anna"]?.account.isConfirmed == true)
            store.close()
        }
    }

    /// A store as this version left it.
    func make(upTo version: Int) throws {
        for statements in [Self.first, Self.second, Self.third, Self.fourth].prefix(version) { try make(statements) }
    }

    /// - Parameter statements: what made the store, version by version.
    private func make(_ statements: String...) throws {
        try scene.withOtherProgram { other in
            try other.execute(sql: "PRAGMA journal_mode = WAL")
            for statement in statements { try other.execute(sql: statement) }
        }
    }

    @Test("lockouts, journal and revision are as they were; there is nothing of what came later")
    func opens() throws {
        try make(Self.first)
        for _ in 0..<2 {
            let (store, records, outcome) = try scene.open()
            #expect(outcome == .opened)
            #expect(
                records
                    == DurableRecords(
                        revision: Revision(epoch: UInt64(bitPattern: -5), number: 7),
                        lockouts: [Lockout.key: .locked(until: BootTime(nanoseconds: 90_000_000_000))],
                        nextPresentation: 4, lastDraftRevision: 7))
            #expect(
                try store.audit(after: nil, last: nil, limit: 10).entries == [
                    AuditEntry(
                        number: 1, time: WallTime(unixMilliseconds: 1000), kind: .started, actor: nil, mode: .child,
                        detail: ""),
                    AuditEntry(
                        number: 7, time: WallTime(unixMilliseconds: 2000), kind: .lockedOut,
                        actor: AuditEntry.Actor(uid: 1000, pid: 4711), mode: .child, detail: "30 s"),
                ])
            store.close()
        }
    }

    @Test("kept grants and secrets of the version before are as they were; nobody has an account, nobody has paid")
    func opensSecond() throws {
        try make(Self.first, Self.second)
        for _ in 0..<2 {
            let (store, records, outcome) = try scene.open()
            #expect(outcome == .opened)
            #expect(
                records
                    == DurableRecords(
                        revision: Revision(epoch: UInt64(bitPattern: -5), number: 7),
                        lockouts: [Lockout.key: .locked(until: BootTime(nanoseconds: 90_000_000_000))],
                        nextPresentation: 4,
                        keptGrants: [
                            KeptGrant.Key(uid: 1000, gatedAction: "link.open"):
                                KeptGrant(deadline: BootTime(nanoseconds: 95_000_000_000))
                        ],
                        passcodeHash: "$y$j9T$x",
                        totp: TOTPEnrolment(key: GateSecret([1, 2, 3]), usedStep: 58_920_000),
                        lastDraftRevision: 7))
            #expect(records.nextManualClaim == 1)
            store.close()
        }
    }

    @Test("accounts and claims of the version before are as they were; nobody has filled in a form")
    func opensThird() throws {
        try make(Self.first, Self.second, Self.third)
        for _ in 0..<2 {
            let (store, records, outcome) = try scene.open()
            #expect(outcome == .opened)
            #expect(
                records
                    == DurableRecords(
                        revision: Revision(epoch: UInt64(bitPattern: -5), number: 7),
                        lockouts: [Lockout.key: .locked(until: BootTime(nanoseconds: 90_000_000_000))],
                        nextPresentation: 4,
                        keptGrants: [
                            KeptGrant.Key(uid: 1000, gatedAction: "link.open"):
                                KeptGrant(deadline: BootTime(nanoseconds: 95_000_000_000))
                        ],
                        passcodeHash: "$y$j9T$x",
                        totp: TOTPEnrolment(key: GateSecret([1, 2, 3]), usedStep: 58_920_000),
                        accounts: ["anna": AccountRecord(account: .anna, passwordHash: "$y$z")],
                        claims: [Claim.devicesPresent.id: .devicesPresent], nextManualClaim: 2,
                        customers: ["anna-17": WallTime(unixMilliseconds: 5)], notifications: ["n-1": 1],
                        lastDraftRevision: 7))
            #expect(records.nextResponse == 1)
            store.close()
        }
    }

    @Test("it takes what the earlier version did not know")
    func takesNew() throws {
        try make(Self.first)
        var (store, records, _) = try scene.open()
        let transition = records.next([
            .keptGrantSet(KeptGrant.Key(uid: 1000, gatedAction: "link.open"), KeptGrant(deadline: Scene.now)),
            .passcodeSet(hash: "$y$x"), .totpSet(TOTPEnrolment(key: GateSecret([1, 2, 3]), usedStep: 4)),
            .accountSet(.anna, passwordHash: "$y$z"), .claimSet(.annasSubscription), .nextManualClaimSet(2),
            .customerHeard(appUser: "anna-17", at: WallTime(unixMilliseconds: 5)),
            .notificationTaken(id: "n-1", order: 1),
            .draftSet(.annasConsent, FormDraftRecord(revision: 1, openedAt: WallTime(unixMilliseconds: 1))),
            .draftRowSet(.annasConsent, .driversName, .answers([.string("Ben")])), .responseSet(.annasConsent),
            .nextResponseSet(2), .attachmentStored(try #require(.sample(1)), [1, 2, 3]),
            .whatsNewSeen(WhatsNewKey(holder: .user(1000), app: "org.example.draw"), AppVersion(1, 2, 0)),
        ])
        try store.commit([transition])
        records.apply(transition)
        store.close()
        #expect(try scene.open().records == records)
    }

    @Test("the tables of a new store are those of an old one that was brought up to date", arguments: 1...4)
    func sameTables(version: Int) throws {
        try make(upTo: version)
        let old = try Self.tables(of: scene)
        let new = try Self.tables(of: Scene())
        #expect(new.count == 19)
        #expect(old == new)
    }

    /// How they were made, without comments and indentation.
    private static func tables(of scene: Scene) throws -> [String] {
        try scene.open().store.close()
        let statements = try scene.withOtherProgram { database in
            try String.fetchAll(database, sql: "SELECT sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name")
        }
        return statements.map { statement in
            statement.replacing("\"", with: "").split(separator: "\n").map { $0.drop { $0 == " " } }
                .filter { !$0.hasPrefix("--") }.joined(separator: " ")
        }
    }
}
