import GateCore
import GateModel
import SQLite
import Testing

@testable import GateStore

@Suite("What providers said is kept")
struct ClaimTests {
    let scene: Scene

    init() throws {
        scene = try Scene()
    }

    /// The whole claim, and each with one field more or less, or another.
    private static let claims: [Claim] = {
        let whole = Claim.annasSubscription
        let time = WallTime(unixMilliseconds: 1_800_000_000_001)
        let edits: [(inout Claim) -> Void] = [
            { _ in }, { $0.id.provider = .revenueCat }, { $0.id.name = "anna/17/pro" }, { $0.holder = .device },
            { $0.holder = .account("Zoë") }, { $0.purchase.item = "pro" }, { $0.purchase.product = "" },
            { $0.purchase.purchasedAt = time }, { $0.purchase.expiresAt = nil }, { $0.purchase.expiresAt = time },
            { $0.purchase.revokedAt = time }, { $0.purchase.isForTesting = true }, { $0.purchase.saidAt = time },
            { $0.renewal = nil }, { $0.renewal?.isInBillingRetry = false }, { $0.renewal?.gracePeriodEndsAt = nil },
            { $0.renewal?.gracePeriodEndsAt = time }, { $0.renewal?.saidAt = time }, { $0.revokedHere = nil },
            { $0.revokedHere = time },
        ]
        let edited = edits.map { edit in
            var claim = whole
            edit(&claim)
            return claim
        }
        return edited + [.devicesPresent]
    }()

    @Test("a claim comes back with every field, and replaces the one before", arguments: claims)
    func comesBack(claim: Claim) throws {
        var (store, records, _) = try scene.open()
        for next in [Claim.annasSubscription, claim] {
            let transition = records.next([.claimSet(next)])
            try store.commit([transition])
            records.apply(transition)
        }
        store.close()
        let reopened = try scene.open().records
        #expect(reopened == records)
        #expect(reopened.claims[claim.id] == claim)
        #expect(reopened.claims.count == (claim.id == Claim.annasSubscription.id ? 1 : 2))
    }

    @Test("a claim that was removed is gone, and others of its name or provider stay")
    func removed() throws {
        let (store, records, _) = try scene.open()
        var namesake = Claim.annasSubscription
        namesake.id.provider = .manual
        try store.commit([
            records.next([
                .claimSet(.annasSubscription), .claimSet(namesake), .claimSet(.devicesPresent),
                .claimRemoved(Claim.annasSubscription.id), .claimRemoved(Claim.ID(.revenueCat, "never was")),
            ])
        ])
        store.close()
        let claims = try scene.open().records.claims
        #expect(Set(claims.values) == [namesake, .devicesPresent])
    }

    @Test("the next manual claim's number, customers and notifications come back")
    func others() throws {
        var (store, records, _) = try scene.open()
        #expect(records.nextManualClaim == 1)
        let heard = WallTime(unixMilliseconds: 1_800_000_000_000)
        for changes in [
            [
                .nextManualClaimSet(2), .customerHeard(appUser: "$device", at: WallTime(unixMilliseconds: -1)),
                .notificationTaken(id: "a", order: 1), .notificationTaken(id: "b", order: 2),
            ],
            [.customerHeard(appUser: "$device", at: heard), .customerHeard(appUser: "ü/1", at: heard)],
            [.notificationForgotten(id: "a"), .notificationTaken(id: "c", order: 3), .nextManualClaimSet(40_000)],
            [.customerForgotten(appUser: "$device"), .customerForgotten(appUser: "nobody")],
        ] as [[RecordChange]] {
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
            store.close()
            let reopened = try scene.open()
            #expect(reopened.records == records)
            store = reopened.store
        }
        #expect(records.customers == ["ü/1": heard])
        #expect(records.notifications == ["b": 2, "c": 3])
        #expect(records.nextManualClaim == 40_000)
    }

    private static func claim(_ edit: (inout Claim) -> Void) -> RecordChange {
        var claim = Claim.annasSubscription
        edit(&claim)
        return .claimSet(claim)
    }

    @Test(
        "a claim that could not be read again is not written, and neither is the rest of its transition",
        arguments: [
            claim { $0.id.name = "" }, claim { $0.id.name = String(repeating: "x", count: 1025) },
            claim { $0.id.name = "a\u{0}b" }, claim { $0.holder = .account("") },
            claim { $0.holder = .account(String(repeating: "x", count: 1025)) }, claim { $0.purchase.item = "" },
            claim { $0.purchase.item = "a\nb" }, claim { $0.purchase.product = String(repeating: "x", count: 1025) },
            .customerHeard(appUser: "", at: WallTime(unixMilliseconds: 1)),
            .customerHeard(appUser: String(repeating: "x", count: 1025), at: WallTime(unixMilliseconds: 1)),
            .notificationTaken(id: "", order: 1), .notificationTaken(id: "a", order: 0),
            .notificationTaken(id: "a", order: .max),
        ])
    func unstorable(change: RecordChange) throws {
        let (store, records, _) = try scene.open()
        let transition = records.next([.claimSet(.devicesPresent), change])
        #expect(throws: StoreError.self) { try store.commit([transition]) }
        store.close()
        let reopened = try scene.open()
        #expect(reopened.outcome == .opened)
        #expect(reopened.records == records)
    }

    @Test(
        "every row of claims that Gate never writes is found as damage",
        arguments: [
            "INSERT INTO person VALUES ('', 'grown-up', NULL, NULL, NULL, 'x', 1)",
            "INSERT INTO person VALUES ('a' || char(10) || 'b', 'grown-up', NULL, NULL, NULL, 'x', 1)",
            "INSERT INTO person VALUES (CAST(zeroblob(65) AS TEXT), 'grown-up', NULL, NULL, NULL, 'x', 1)",
            "INSERT INTO person VALUES (printf('%065d', 1), 'grown-up', NULL, NULL, NULL, 'x', 1)",
            "INSERT INTO person VALUES ('anna', 'grown-up', NULL, NULL, NULL, '', 1)",
            "INSERT INTO person VALUES ('anna', 'grown-up', NULL, NULL, NULL, printf('%01025d', 1), 1)",
            "INSERT INTO person VALUES ('zo\u{EB}', 'grown-up', NULL, NULL, NULL, 'x', 1), ('zoe\u{308}', 'grown-up', NULL, NULL, NULL, 'x', 1)",
            "INSERT INTO person VALUES ('anna', 'child', '2016-02-30', NULL, NULL, 'x', 1)",
            "INSERT INTO person VALUES ('anna', 'child', '', NULL, NULL, 'x', 1)",
            "INSERT INTO person VALUES ('anna', 'child', '10000-01-01', NULL, NULL, 'x', 1)",
            "INSERT INTO person VALUES ('anna', 'teenager', NULL, NULL, NULL, 'x', 1)",
            "INSERT INTO person VALUES ('anna', 'shared', NULL, NULL, NULL, NULL, 1)",
            "INSERT INTO person VALUES ('anna', 'shared', NULL, 'a', 1, 'x', 1)",
            "INSERT INTO person VALUES ('anna', 'child', NULL, 'a', NULL, NULL, 1)",
            "INSERT INTO person VALUES ('anna', 'child', NULL, NULL, 1, NULL, 1)",
            "INSERT INTO person VALUES ('anna', 'child', NULL, '', 1, NULL, 1)",
            "INSERT INTO person VALUES ('anna', 'child', NULL, printf('%0257d', 1), 1, NULL, 1)",
            "INSERT INTO person VALUES ('anna', 'child', NULL, 'a', -1, NULL, 1)",
            "INSERT INTO person VALUES ('anna', 'child', NULL, 'a', 1 << 32, NULL, 1)",
            "INSERT INTO person VALUES ('anna', 'grown-up', '2016-02-28', NULL, NULL, 'x', 1)",
            "UPDATE claim SET provider = 'applepay'", "UPDATE claim SET name = ''",
            "UPDATE claim SET name = printf('%01025d', 1)", "UPDATE claim SET account = ''",
            "UPDATE claim SET account = char(7)", "UPDATE claim SET item = ''",
            "UPDATE claim SET item = printf('%01025d', 1)", "UPDATE claim SET product = printf('%01025d', 1)",
            "UPDATE claim SET product = 'a' || char(127)", "UPDATE claim SET is_for_testing = 2",
            "UPDATE claim SET is_in_billing_retry = -1", "UPDATE claim SET is_in_billing_retry = NULL",
            "UPDATE claim SET renewal_said_at = NULL",
            "UPDATE claim SET renewal_said_at = NULL, is_in_billing_retry = NULL",
            "INSERT INTO customer VALUES ('', 1)", "INSERT INTO customer VALUES (printf('%01025d', 1), 1)",
            "INSERT INTO customer VALUES ('K', 1), ('\u{212A}', 1)",
            "INSERT INTO notification VALUES ('', 1)", "INSERT INTO notification VALUES (printf('%01025d', 1), 1)",
            "INSERT INTO notification VALUES ('a', 0)", "INSERT INTO notification VALUES ('a', -1)",
            "INSERT INTO notification VALUES ('a', 9223372036854775807)",
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 100000)
            INSERT INTO notification SELECT i, i FROM n
            """,
        ])
    func foreignRows(sql: String) throws {
        let (store, records, _) = try scene.open()
        try store.commit([records.next([.claimSet(.annasSubscription)])])
        store.close()
        try scene.withOtherProgram { other in
            try other.execute(sql: "PRAGMA ignore_check_constraints = 1")
            try other.execute(sql: sql)
            #expect(other.changesCount > 0, "or else nothing was damaged")
        }
        let outcome = try scene.open().outcome
        guard case .replacedDamaged = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    /// SQLite finds rows that break a constraint; this test removes the constraints.
    @Test("values of claims are checked even if their table has no checks")
    func withoutConstraints() throws {
        for (column, value) in [
            ("provider", "'applepay'"), ("is_for_testing", "2"), ("is_in_billing_retry", "2"),
            ("is_in_billing_retry", "NULL"), ("renewal_said_at", "NULL"), ("said_at", "NULL"), ("said_at", "'soon'"),
            ("expires_at", "'never'"), ("item", "x'ff00'"), ("name", "NULL"), ("account", "x'ff'"),
        ] {
            let queue = try DatabaseQueue()
            try StoreSchema.migrator.migrate(queue)
            try queue.write { database in
                try RecordTables.apply(.claimSet(.annasSubscription), in: database)
                try database.execute(sql: "CREATE TABLE free AS SELECT * FROM claim")
                try database.execute(sql: "UPDATE free SET \(column) = \(value)")
                try database.execute(sql: "DROP TABLE claim; ALTER TABLE free RENAME TO claim")
            }
            #expect(throws: (any Error).self, "\(column) = \(value)") {
                try queue.read { try RecordTables.claims.load(from: $0) }
            }
        }
    }
}
