import GateCore
import GateModel
import Glibc
import SQLite
import Testing

@testable import GateStore

@Suite("Accounts are kept, and their password hashes are removed with them")
struct AccountTests {
    let scene: Scene

    static let oldHash = "$y$j9T$OLDOLDOLDOLDOLDOLDOLDO$the-old-hash-of-annas-password-old"
    static let newHash = "$y$j9T$NEWNEWNEWNEWNEWNEWNEWN$the-new-hash"

    init() throws {
        scene = try Scene()
    }

    @Test("an account comes back with its kind, its date of birth and its hash")
    func comeBack() throws {
        var (store, records, _) = try scene.open()
        let ben = try #require(GateAccount.ben)
        let early = try #require(CivilDate(year: 7, month: 1, day: 2))
        for changes in [
            [.accountSet(.anna, passwordHash: Self.oldHash), .accountSet(ben, passwordHash: "$y$b")],
            [.accountSet(GateAccount(name: "anna", kind: .child(born: early)), passwordHash: Self.newHash)],
            [.accountSet(GateAccount(name: String(repeating: "ü", count: 32), kind: .grownUp), passwordHash: "$y$u")],
            [.accountRemoved(name: "ben"), .accountRemoved(name: "nobody")],
        ] as [[RecordChange]] {
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
            store.close()
            let reopened = try scene.open()
            #expect(reopened.records == records)
            store = reopened.store
        }
        #expect(records.accounts.count == 2)
        #expect(records.accounts["anna"]?.account.kind == .child(born: early))
        #expect(records.accounts["anna"]?.passwordHash == Self.newHash)
    }

    @Test("a name in another spelling of the same letters is the same account, also when it is removed")
    func spellings() throws {
        var (store, records, _) = try scene.open()
        for change in [
            RecordChange.accountSet(GateAccount(name: "zo\u{EB}", kind: .grownUp), passwordHash: Self.oldHash),
            .accountSet(GateAccount(name: "zoe\u{308}", kind: .grownUp), passwordHash: Self.newHash),
            .accountRemoved(name: "zo\u{EB}"),
        ] {
            let transition = records.next([change])
            try store.commit([transition])
            records.apply(transition)
            store.close()
            let reopened = try scene.open()
            #expect(reopened.records == records)
            store = reopened.store
        }
        #expect(records.accounts.isEmpty)
        #expect(!scene.isOnDisk(Array("$y$j9T$".utf8)))
    }

    @Test(
        "an account that could not be read again is not written, and the store goes on",
        arguments: [
            .accountSet(GateAccount(name: "", kind: .grownUp), passwordHash: "$y$x"),
            .accountSet(GateAccount(name: String(repeating: "a", count: 65), kind: .grownUp), passwordHash: "$y$x"),
            .accountSet(GateAccount(name: "an\u{0}na", kind: .grownUp), passwordHash: "$y$x"),
            .accountSet(.anna, passwordHash: ""),
            .accountSet(.anna, passwordHash: String(repeating: "x", count: 1025)),
            .accountSet(born(in: 10_000), passwordHash: "$y$x"),
            .accountSet(born(in: -1), passwordHash: "$y$x"),
        ] as [RecordChange])
    func unstorable(change: RecordChange) throws {
        var (store, records, _) = try scene.open()
        let before = records.next([.accountSet(.anna, passwordHash: Self.oldHash)])
        try store.commit([before])
        records.apply(before)
        let error = #expect(throws: StoreError.self) { try store.commit([records.next([change])]) }
        guard case .failed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let after = records.next([.accountSet(.anna, passwordHash: Self.newHash)])
        try store.commit([after])
        records.apply(after)
        store.close()
        #expect(try scene.open().records == records)
    }

    private static func born(in year: Int) -> GateAccount {
        GateAccount(name: "anna", kind: CivilDate(year: year, month: 1, day: 1).map { .child(born: $0) } ?? .grownUp)
    }

    // MARK: What lies on the disk

    @Test(
        "a password hash that was replaced or removed is wiped from all files while the store goes on",
        arguments: [
            .accountRemoved(name: "anna"), .accountSet(.anna, passwordHash: newHash),
        ] as [RecordChange])
    func forgotten(change: RecordChange) throws {
        var (store, records, _) = try scene.open()
        // Only the beginning is searched for: a shorter row in the same place would overwrite the end anyway.
        let hash = Array(Self.oldHash.utf8.prefix(16))
        let set = records.next([.accountSet(.anna, passwordHash: Self.oldHash)])
        try store.commit([set])
        records.apply(set)
        #expect(scene.isOnDisk(hash), "or else nothing is looked for in the right place")
        try store.commit([records.next([change])])
        #expect(!scene.isOnDisk(hash))
        store.close()
        #expect(!scene.isOnDisk(hash))
    }

    /// So many, and so different in length, that SQLite splits and joins pages, and leaves copies of rows behind.
    @Test(
        "after many accounts came and went, only the hashes in use are in the files", arguments: [1, 2, 3] as [UInt64])
    func forgottenAmongMany(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        var (store, records, _) = try scene.open()
        var ended: [String] = []
        for round in 0..<40 {
            var changes: [RecordChange] = []
            for place in 0..<15 {
                let letters = (0..<1 + random.number(below: 64)).map { _ in
                    "abcdefgh".randomElement(using: &random) ?? "a"
                }
                let hash = "$y$<\(round * 100 + place)>" + String(repeating: "h", count: random.number(below: 900))
                let known = records.accounts.keys.sorted().randomElement(using: &random)
                switch random.number(below: 10) {
                case 0, 1: changes.append(.accountRemoved(name: known ?? "nobody"))
                case 2...4:
                    changes.append(.accountSet(GateAccount(name: known ?? "a", kind: .grownUp), passwordHash: hash))
                case _ where records.accounts.count < 100:
                    changes.append(.accountSet(GateAccount(name: String(letters), kind: .grownUp), passwordHash: hash))
                case _: break
                }
            }
            let before = Set(records.accounts.values.map(\.passwordHash))
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
            ended += before.subtracting(records.accounts.values.map(\.passwordHash))
            #expect(scene.onDisk(ended.map { Array($0.utf8.prefix { $0 != UInt8(ascii: "h") }) }).isEmpty)
        }
        #expect(ended.count > 150 && records.accounts.count > 50)
        store.close()
        #expect(try scene.open().records == records)
    }

    @Test("a daemon killed right after a removal keeps the other accounts, and the next start wipes the removed hash")
    func killed() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [directory = scene.directory as String] in
            let opened = try GateStore.open(directory: directory, bootID: Scene.boot, now: Scene.now)
            var records = opened.records
            let set = records.next([
                .accountSet(.anna, passwordHash: AccountTests.oldHash),
                .accountSet(GateAccount(name: "mara", kind: .grownUp), passwordHash: AccountTests.newHash),
                .claimSet(.annasSubscription), .nextManualClaimSet(4),
                .customerHeard(appUser: "anna-17", at: WallTime(unixMilliseconds: 7)),
                .notificationTaken(id: "n-1", order: 3),
            ])
            try opened.store.commit([set])
            records.apply(set)
            // Another reader keeps the log from being emptied, so that the kill comes before that.
            let other = try DatabaseQueue(path: "\(directory)/gate.sqlite")
            try other.inDatabase { other in
                try other.reading {
                    _ = try Int.fetchOne(other, sql: "SELECT number FROM meta")
                    try opened.store.commit([records.next([.accountRemoved(name: "anna")])])
                    kill(getpid(), SIGKILL)
                }
            }
        }
        #expect(scene.isOnDisk(Array(Self.oldHash.utf8)), "or else there is nothing to forget")
        let records = try scene.open().records
        #expect(records.accounts.keys.sorted() == ["mara"])
        #expect(records.accounts["mara"]?.passwordHash == Self.newHash)
        #expect(records.claims == [Claim.annasSubscription.id: .annasSubscription])
        #expect(records.nextManualClaim == 4)
        #expect(records.customers == ["anna-17": WallTime(unixMilliseconds: 7)])
        #expect(records.notifications == ["n-1": 3])
        #expect(!scene.isOnDisk(Array(Self.oldHash.utf8)))
    }

    @Test("no error about a password repeats its hash")
    func errors() throws {
        let queue = try DatabaseQueue()
        try StoreSchema.migrator.migrate(queue)
        let long = String(repeating: "sesame", count: 500)
        try queue.write { try $0.execute(sql: "INSERT INTO account VALUES ('anna', 'grown-up', NULL, '\(long)', 1)") }
        let reading = #expect(throws: StoreError.self) { try queue.read { try RecordTables.accounts.load(from: $0) } }
        let writing = #expect(throws: StoreError.self) {
            try queue.write { try RecordTables.apply(.accountSet(.anna, passwordHash: long), in: $0) }
        }
        for error in [reading, writing] {
            #expect(error.map { "\($0)" }?.contains("sesame") == false)
        }
    }
}
