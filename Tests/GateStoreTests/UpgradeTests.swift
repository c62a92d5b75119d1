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

    /// Makes a store with this many schema steps.
    func make(upTo number: Int = EarlierStores.first) throws {
        try make([EarlierStores.zeroNine] + EarlierStores.later.prefix(number - EarlierStores.first))
    }

    private func make(_ statements: [String]) throws {
        try scene.withOtherProgram { other in
            try other.execute(sql: "PRAGMA journal_mode = WAL")
            for statement in statements { try other.execute(sql: statement) }
        }
    }

    private static let kept: DurableRecords = {
        var records = DurableRecords(revision: Revision(epoch: UInt64(bitPattern: -5), number: 7))
        records.lockouts = [Lockout.key: .locked(until: BootTime(nanoseconds: 90_000_000_000))]
        records.nextPresentation = 4
        records.keptGrants = KeptGrants([
            KeptGrant.Key(uid: 1000, gatedAction: "link.open"):
                KeptGrant(deadline: BootTime(nanoseconds: 95_000_000_000))
        ])
        records.passcodeHash = "$y$j9T$x"
        records.totp = TOTPEnrolment(key: GateSecret([1, 2, 3]), usedStep: 58_920_000)
        records.people = ["anna": PersonRecord(.anna, passwordHash: "$y$z")]
        records.claims = [Claim.devicesPresent.id: .devicesPresent]
        records.nextManualClaim = 2
        records.customers = ["anna-17": WallTime(unixMilliseconds: 5)]
        records.notifications = ["n-1": 1]
        let draft = FormDraftRecord(revision: 3, openedAt: WallTime(unixMilliseconds: 1))
        records.drafts = [.annasConsent: draft, .usersConsent: draft]
        records.lastDraftRevision = 3
        return records
    }()

    @Test(
        "the records of each schema since 0.9.0 are unchanged after an upgrade, and newer kinds are empty",
        arguments: 7...24)
    func opens(number: Int) throws {
        try make(upTo: number)
        for _ in 0..<2 {
            let (store, records, outcome) = try scene.open()
            #expect(outcome == .opened)
            #expect(records == Self.kept)
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

    @Test("a store of a version before 0.9.0 is left as it is, and the error says what to install")
    func older() throws {
        try make([EarlierStores.beforeZeroNine])
        let before = scene.read(scene.database)
        let error = #expect(throws: StoreError.older(path: scene.database)) { try scene.open() }
        #expect(error.map { "\($0)" }?.contains("install Gate 0.9.0") == true && error?.isOfAnotherVersion == true)
        #expect(scene.read(scene.database) == before)
        #expect(!scene.names.contains { $0.hasPrefix("gate-damaged-") || $0.hasPrefix("gate-schema-") })
    }

    @Test("an upgraded store takes every newer kind of record")
    func takesNew() throws {
        try make()
        var (store, records, _) = try scene.open()
        let transition = records.next([
            .keptGrantSet(KeptGrant.Key(uid: 1000, gatedAction: "link.open"), KeptGrant(deadline: Scene.now)),
            .passcodeSet(hash: "$y$x"), .totpSet(TOTPEnrolment(key: GateSecret([1, 2, 3]), usedStep: 4)),
            .personSet(.anna, passwordHash: "$y$z"), .claimSet(.annasSubscription), .nextManualClaimSet(2),
            .customerHeard(appUser: "anna-17", at: WallTime(unixMilliseconds: 5)),
            .notificationTaken(id: "n-1", order: 1),
            .draftSet(.annasConsent, FormDraftRecord(revision: 4, openedAt: WallTime(unixMilliseconds: 1))),
            .draftRowSet(.annasConsent, .driversName, .answers([.string("Ben")])), .responseSet(.annasConsent),
            .nextResponseSet(2), .attachmentStored(try #require(.sample(1)), [1, 2, 3]),
            .whatsNewSeen(WhatsNewKey(holder: .user(1000), app: "org.example.draw"), AppVersion(1, 2, 0)),
        ])
        try store.commit([transition])
        records.apply(transition)
        store.close()
        #expect(try scene.open().records == records)
    }

    @Test("an upgraded store has the same tables as a new one", arguments: 7...24)
    func sameTables(number: Int) throws {
        try make(upTo: number)
        let old = try Self.tables(of: scene)
        let new = try Self.tables(of: Scene())
        #expect(new.count == 26)
        #expect(old == new)
    }

    /// The statements that made the tables, without comments and layout.
    private static func tables(of scene: Scene) throws -> [String] {
        try scene.open().store.close()
        let statements = try scene.withOtherProgram { database in
            try String.fetchAll(database, sql: "SELECT sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY name")
        }
        return statements.map { statement in
            statement.replacing("\"", with: "").split(separator: "\n").map { $0.filter { !$0.isWhitespace } }
                .filter { !$0.hasPrefix("--") }.joined()
        }
    }
}
