import GateCore
import GateModel
import Glibc
import SQLite
import Testing

@testable import GateStore

@Suite("People are kept, and the hashes of their passwords are gone with them")
struct PersonTests {
    let scene: Scene

    static let oldHash = "$y$j9T$OLDOLDOLDOLDOLDOLDOLDO$the-old-hash-of-annas-password-old"
    static let newHash = "$y$j9T$NEWNEWNEWNEWNEWNEWNEWN$the-new-hash"

    init() throws {
        scene = try Scene()
    }

    @Test("A person comes back with kind, date of birth, Unix user and hash")
    func comeBack() throws {
        var (store, records, _) = try scene.open()
        let ben = try #require(GatePerson.ben)
        let early = try #require(CivilDate(year: 7, month: 1, day: 2))
        for changes in [
            [.personSet(.anna, passwordHash: Self.oldHash), .personSet(ben, passwordHash: "$y$b")],
            [.personSet(GatePerson(name: "anna", kind: .child(born: early)), passwordHash: Self.newHash)],
            [.personSet(GatePerson(name: String(repeating: "ü", count: 32), kind: .grownUp), passwordHash: "$y$u")],
            [
                .personSet(
                    GatePerson(
                        name: "mia", kind: .child(born: nil), user: GatePerson.UnixUser(name: "mia", uid: 1001)),
                    passwordHash: nil),
                .personSet(
                    GatePerson(name: "tv", kind: .shared, user: GatePerson.UnixUser(name: "tv", uid: 1002)),
                    passwordHash: nil),
            ],
            [.personRemoved(name: "ben"), .personRemoved(name: "nobody")],
        ] as [[RecordChange]] {
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
            store.close()
            let reopened = try scene.open()
            #expect(reopened.records == records)
            store = reopened.store
        }
        #expect(records.people.count == 4 && records.people["mia"]?.person.hasPassword == false)
        #expect(records.people["anna"]?.person.kind == .child(born: early))
        #expect(records.people["anna"]?.passwordHash == Self.newHash)
    }

    @Test("a name in another spelling of the same letters is the same account, and goes with it")
    func spellings() throws {
        var (store, records, _) = try scene.open()
        for change in [
            RecordChange.personSet(GatePerson(name: "zo\u{EB}", kind: .grownUp), passwordHash: Self.oldHash),
            .personSet(GatePerson(name: "zoe\u{308}", kind: .grownUp), passwordHash: Self.newHash),
            .personRemoved(name: "zo\u{EB}"),
        ] {
            let transition = records.next([change])
            try store.commit([transition])
            records.apply(transition)
            store.close()
            let reopened = try scene.open()
            #expect(reopened.records == records)
            store = reopened.store
        }
        #expect(records.people.isEmpty)
        #expect(!scene.isOnDisk(Array("$y$j9T$".utf8)))
    }

    @Test(
        "what can't be read again is not written, and the store goes on",
        arguments: [
            .personSet(GatePerson(name: "", kind: .grownUp), passwordHash: "$y$x"),
            .personSet(GatePerson(name: String(repeating: "a", count: 65), kind: .grownUp), passwordHash: "$y$x"),
            .personSet(GatePerson(name: "an\u{0}na", kind: .grownUp), passwordHash: "$y$x"),
            .personSet(.anna, passwordHash: ""),
            .personSet(.anna, passwordHash: String(repeating: "x", count: 1025)),
            .personSet(born(in: 10_000), passwordHash: "$y$x"),
            .personSet(born(in: -1), passwordHash: "$y$x"),
            .personSet(GatePerson(name: "tv", kind: .shared), passwordHash: nil),
            .personSet(
                GatePerson(name: "tv", kind: .shared, user: GatePerson.UnixUser(name: "tv", uid: 1)),
                passwordHash: "$y$x"),
            .personSet(
                GatePerson(name: "mia", kind: .grownUp, user: GatePerson.UnixUser(name: "", uid: 1)), passwordHash: nil),
        ] as [RecordChange])
    func unstorable(change: RecordChange) throws {
        var (store, records, _) = try scene.open()
        let before = records.next([.personSet(.anna, passwordHash: Self.oldHash)])
        try store.commit([before])
        records.apply(before)
        let error = #expect(throws: StoreError.self) { try store.commit([records.next([change])]) }
        guard case .failed = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let after = records.next([.personSet(.anna, passwordHash: Self.newHash)])
        try store.commit([after])
        records.apply(after)
        store.close()
        #expect(try scene.open().records == records)
    }

    private static func born(in year: Int) -> GatePerson {
        GatePerson(name: "anna", kind: CivilDate(year: year, month: 1, day: 1).map { .child(born: $0) } ?? .grownUp)
    }

    // MARK: What lies on the disk

    @Test(
        "a hash that was replaced or removed is in no file any more, while the store goes on",
        arguments: [
            .personRemoved(name: "anna"), .personSet(.anna, passwordHash: newHash),
        ] as [RecordChange])
    func forgotten(change: RecordChange) throws {
        var (store, records, _) = try scene.open()
        // The beginning: a shorter row in the same place would overwrite the end anyway.
        let hash = Array(Self.oldHash.utf8.prefix(16))
        let set = records.next([.personSet(.anna, passwordHash: Self.oldHash)])
        try store.commit([set])
        records.apply(set)
        #expect(scene.isOnDisk(hash), "or else nothing is looked for in the right place")
        try store.commit([records.next([change])])
        #expect(!scene.isOnDisk(hash))
        store.close()
        #expect(!scene.isOnDisk(hash))
    }

    /// So many, and so different in length, that SQLite splits and joins pages, and leaves copies of rows behind.
    @Test("of many accounts that come and go, no hash stays that is not in use", arguments: [1, 2, 3] as [UInt64])
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
                let known = records.people.keys.sorted().randomElement(using: &random)
                switch random.number(below: 10) {
                case 0, 1: changes.append(.personRemoved(name: known ?? "nobody"))
                case 2...4:
                    changes.append(.personSet(GatePerson(name: known ?? "a", kind: .grownUp), passwordHash: hash))
                case _ where records.people.count < 100:
                    changes.append(.personSet(GatePerson(name: String(letters), kind: .grownUp), passwordHash: hash))
                case _: break
                }
            }
            let before = Set(records.people.values.compactMap(\.passwordHash))
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
            ended += before.subtracting(records.people.values.compactMap(\.passwordHash))
            #expect(scene.onDisk(ended.map { Array($0.utf8.prefix { $0 != UInt8(ascii: "h") }) }).isEmpty)
        }
        #expect(ended.count > 150 && records.people.count > 50)
        store.close()
        #expect(try scene.open().records == records)
    }

    @Test("a daemon killed right after a removal keeps the others, and leaves nothing past the next start")
    func killed() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [directory = scene.directory as String] in
            let opened = try GateStore.open(directory: directory, bootID: Scene.boot, now: Scene.now)
            var records = opened.records
            let set = records.next([
                .personSet(.anna, passwordHash: PersonTests.oldHash),
                .personSet(GatePerson(name: "mara", kind: .grownUp), passwordHash: PersonTests.newHash),
                .claimSet(.annasSubscription), .nextManualClaimSet(4),
                .customerHeard(appUser: "anna-17", at: WallTime(unixMilliseconds: 7)),
                .notificationTaken(id: "n-1", order: 3),
            ])
            try opened.store.commit([set])
            records.apply(set)
            // Somebody's reading keeps the log from being emptied, so that the kill comes before that.
            let other = try DatabaseQueue(path: "\(directory)/gate.sqlite")
            try other.inDatabase { other in
                try other.reading {
                    _ = try Int.fetchOne(other, sql: "SELECT number FROM meta")
                    try opened.store.commit([records.next([.personRemoved(name: "anna")])])
                    kill(getpid(), SIGKILL)
                }
            }
        }
        #expect(scene.isOnDisk(Array(Self.oldHash.utf8)), "or else there is nothing to forget")
        let records = try scene.open().records
        #expect(records.people.keys.sorted() == ["mara"])
        #expect(records.people["mara"]?.passwordHash == Self.newHash)
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
        try queue.write {
            try $0.execute(sql: "INSERT INTO person VALUES ('anna', 'grown-up', NULL, NULL, NULL, '\(long)', 1)")
        }
        let reading = #expect(throws: StoreError.self) { try queue.read { try RecordTables.people.load(from: $0) } }
        let writing = #expect(throws: StoreError.self) {
            try queue.write { try RecordTables.apply(.personSet(.anna, passwordHash: long), in: $0) }
        }
        for error in [reading, writing] {
            #expect(error.map { "\($0)" }?.contains("sesame") == false)
        }
    }
}
