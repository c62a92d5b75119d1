import GRDB
import GateCore
import GateModel
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

    private func makeFirst() throws {
        try scene.withOtherProgram {
            try $0.execute(sql: "PRAGMA journal_mode = WAL")
            try $0.execute(sql: Self.first)
        }
    }

    @Test("lockouts, journal and revision are as they were; there are no kept grants and no secrets")
    func opens() throws {
        try makeFirst()
        for _ in 0..<2 {
            let (store, records, outcome) = try scene.open()
            #expect(outcome == .opened)
            #expect(
                records
                    == DurableRecords(
                        revision: Revision(epoch: UInt64(bitPattern: -5), number: 7),
                        lockouts: [Lockout.key: .locked(until: BootTime(nanoseconds: 90_000_000_000))],
                        nextPresentation: 4))
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

    @Test("it takes what the earlier version did not know")
    func takesNew() throws {
        try makeFirst()
        var (store, records, _) = try scene.open()
        let transition = records.next([
            .keptGrantSet(KeptGrant.Key(uid: 1000, gatedAction: "link.open"), KeptGrant(deadline: Scene.now)),
            .passcodeSet(hash: "$y$x"), .totpSet(TOTPEnrolment(key: Secret([1, 2, 3]), usedStep: 4)),
        ])
        try store.commit([transition])
        records.apply(transition)
        store.close()
        #expect(try scene.open().records == records)
    }

    @Test("the tables of a new store are those of an old one that was brought up to date")
    func sameTables() throws {
        try makeFirst()
        let old = try Self.tables(of: scene)
        let new = try Self.tables(of: Scene())
        #expect(new.count == 6)
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
