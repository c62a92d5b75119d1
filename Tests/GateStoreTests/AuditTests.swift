import GateCore
import GateModel
import SQLite
import Synchronization
import Testing

@testable import GateStore

@Suite("The journal is bounded, and its pages hold whole revisions")
struct AuditTests {
    let scene: Scene

    init() throws {
        scene = try Scene()
    }

    /// A store whose revision n has the n-th number of entries.
    private func store(entries: [Int], journalCapacity: Int = 50_000) throws -> GateStore {
        var (store, records, _) = try scene.open(journalCapacity: journalCapacity)
        for transition in records.transitions(entries: entries) { try store.commit([transition]) }
        return store
    }

    private func numbers(
        _ store: GateStore, after: UInt64? = nil, last: Int? = nil, limit: Int = 1000
    ) throws -> [UInt64] {
        try store.audit(after: after, last: last, limit: limit).entries.map(\.number)
    }

    @Test("a page of the journal ends with a whole revision", arguments: [1, 2, 3, 4, 5, 6, 100])
    func wholeRevisions(limit: Int) throws {
        let counts = [2, 1, 3, 1, 5, 0, 1, 2]
        let store = try store(entries: counts)
        var seen: [UInt64] = []
        var after: UInt64?
        while true {
            let page = try store.audit(after: after, last: nil, limit: limit)
            for number in Set(page.entries.map(\.number)) {
                #expect(page.entries.count { $0.number == number } == counts[Int(number) - 1])
            }
            #expect(page.entries.count <= limit || Set(page.entries.map(\.number)).count == 1)
            seen += page.entries.map(\.number)
            guard !page.isComplete, let last = page.entries.last?.number else { break }
            after = last
        }
        #expect(seen == [1, 1, 2, 3, 3, 3, 4, 5, 5, 5, 5, 5, 7, 8, 8])
    }

    @Test("a page says that it is complete if and only if nothing follows it")
    func isComplete() throws {
        let store = try store(entries: [1, 1, 3])
        #expect(try store.audit(after: nil, last: nil, limit: 2).isComplete == false)
        #expect(try store.audit(after: 2, last: nil, limit: 2).isComplete)
        #expect(try store.audit(after: nil, last: nil, limit: 5).isComplete)
        #expect(try store.audit(after: 3, last: nil, limit: 5).isComplete)
    }

    @Test("reading goes on after any number that a peer sends")
    func afterNumber() throws {
        let store = try store(entries: [1, 1, 1])
        #expect(try numbers(store, after: 0) == [1, 2, 3])
        #expect(try numbers(store, after: 2) == [3])
        #expect(try numbers(store, after: 3) == [])
        #expect(try numbers(store, after: .max) == [])
        #expect(try numbers(store, limit: .max) == [1, 2, 3])
        #expect(try numbers(store, limit: .min) == [1])
    }

    @Test("the newest entries come with the rest of the oldest revision among them")
    func last() throws {
        let store = try store(entries: [1, 2, 1, 3, 1])
        #expect(try numbers(store, last: 1) == [5])
        #expect(try numbers(store, last: 2) == [4, 4, 4, 5])
        #expect(try numbers(store, last: 5) == [3, 4, 4, 4, 5])
        #expect(try numbers(store, last: 100) == [1, 2, 2, 3, 4, 4, 4, 5])
        #expect(try numbers(store, last: .max) == [1, 2, 2, 3, 4, 4, 4, 5])
        #expect(try numbers(store, last: 0) == [])
        #expect(try numbers(store, last: -1) == [])
        #expect(try numbers(store, after: 4, last: 5) == [5])
    }

    @Test("the journal never holds more than its capacity", arguments: [1, 2, 5, 16, 40])
    func bounded(capacity: Int) throws {
        var (store, records, _) = try scene.open(journalCapacity: capacity)
        for transition in records.transitions(entries: (0..<100).map { $0 % 3 + 1 }) {
            try store.commit([transition])
            let page = try store.audit(after: nil, last: nil, limit: 1000)
            let newest = page.entries.count { $0.number == transition.revision.number }
            #expect(page.entries.count <= max(capacity, newest))
            #expect(newest == transition.audit.count)
        }
    }

    @Test("only whole revisions are pruned, and the oldest number says from where on the journal is complete")
    func pruned() throws {
        let store = try store(entries: [2, 2, 2, 2], journalCapacity: 5)
        #expect(try numbers(store) == [3, 3, 4, 4])
        #expect(store.oldestAuditNumber == 3)
        #expect(try store.audit(after: nil, last: nil, limit: 1).oldestNumber == 3)
        store.close()
        #expect(try scene.open().store.oldestAuditNumber == 3)
    }

    /// One entry of this user's, in a revision of its own.
    private func entry(of uid: UInt32, billedTo owner: Owner? = nil, _ records: inout DurableRecords) -> Transition {
        var transition = records.next()
        transition.audit[0].actor = AuditEntry.Actor(uid: uid, pid: 1, owner: owner)
        records.apply(transition)
        return transition
    }

    @Test("a user who fills the journal loses their own oldest entries, and not those of others")
    func floods() throws {
        var (store, records, _) = try scene.open(journalCapacity: 20)
        for uid: UInt32 in [0, 1001, 0, 1002, 1001] { try store.commit([entry(of: uid, &records)]) }
        for _ in 0..<200 { try store.commit([entry(of: 1000, &records)]) }
        let page = try store.audit(after: nil, last: nil, limit: 1000)
        #expect(page.entries.count <= 20)
        #expect(page.entries.filter { $0.actor?.uid != 1000 }.map(\.number) == [1, 2, 3, 4, 5])
        // From there on nothing is missing, and a reader that continues from before is told so.
        let whole = page.entries.map(\.number).filter { $0 >= page.oldestNumber }
        #expect(page.oldestNumber > 100)
        #expect(whole == Array(page.oldestNumber...205))
    }

    @Test("a user who fills the journal through a range of uids loses only that range's entries (T-01)")
    func floodsOfARange() throws {
        var (store, records, _) = try scene.open(journalCapacity: 20)
        for uid: UInt32 in [0, 1001, 0, 1002, 1001] { try store.commit([entry(of: uid, &records)]) }
        for number in 0..<200 as Range<UInt32> {
            try store.commit([entry(of: 100_000 + number, billedTo: .user(1000), &records)])
        }
        store.close()
        (store, records, _) = try scene.open(journalCapacity: 20)
        for _ in 0..<20 { try store.commit([entry(of: 1000, &records)]) }
        let entries = try store.audit(after: nil, last: nil, limit: 1000).entries
        #expect(entries.map(\.number).prefix(5) == [1, 2, 3, 4, 5])
        #expect(entries.count <= 20)
    }

    @Test("what Gate records about a user's requests counts as that user's share, and its other entries stay")
    func floodsOfWithdrawals() throws {
        var (store, records, _) = try scene.open(journalCapacity: 20)
        let own = [Owner?](repeating: nil, count: 5) + [Owner?](repeating: .user(1000), count: 200)
        for owner in own {
            var transition = records.next()
            (transition.audit[0].actor, transition.audit[0].requester) = (nil, owner)
            records.apply(transition)
            try store.commit([transition])
        }
        let entries = try store.audit(after: nil, last: nil, limit: 1000).entries
        #expect(entries.map(\.number).prefix(5) == [1, 2, 3, 4, 5] && entries.count <= 20)
        #expect(entries.last?.owner == .user(1000) && entries.last?.actor == nil)
    }

    @Test("two users who fill the journal get about half of it each")
    func evenFloods() throws {
        var (store, records, _) = try scene.open(journalCapacity: 20)
        for _ in 0..<100 { try store.commit([entry(of: 1000, &records)]) }
        for _ in 0..<100 { try store.commit([entry(of: 1001, &records)]) }
        let entries = try store.audit(after: nil, last: nil, limit: 1000).entries
        // The newest revision stays, whoever it belongs to, and entries are removed a few at a time.
        for uid: UInt32 in [1000, 1001] { #expect((9...11).contains(entries.count { $0.actor?.uid == uid })) }
    }

    @Test(
        "the largest shares are cut first, all to the same size",
        arguments: [
            ([10, 3, 2], 4, 6), ([10, 9, 2], 5, 7), ([5, 5, 5], 3, 4), ([5, 5, 5], 15, 0), ([4, 1], 9, 0), ([], 1, 0),
        ])
    func evenShares(shares: [Int], count: Int, rest: Int) {
        #expect(JournalShares.evenShare(of: shares, without: count) == rest)
    }

    @Test(
        "the counted shares of a full journal equal its entries, also after a commit that failed",
        arguments: [1, 2, 3] as [UInt64])
    func shares(seed: UInt64) throws {
        var (store, records, _) = try scene.open(journalCapacity: 40)
        var random = SplitMix(state: seed)
        var countedCommits = 0
        for step in 0..<400 {
            var transition = records.next(entries: .random(in: 1...3, using: &random))
            for index in transition.audit.indices {
                let uids: [UInt32?] = [nil, 0, 1000, 1000, 1000, 1001, 2000 + UInt32(step)]
                let uid = uids[random.number(below: uids.count)]
                transition.audit[index].actor = uid.map { AuditEntry.Actor(uid: $0, pid: 1) }
            }
            records.apply(transition)
            try store.commit([transition])
            var stored = try store.database.inDatabase { try RecordTables.meta.tally(in: $0) }
            let counted = try store.database.inDatabase { try AuditJournal.shares(in: $0) }
            #expect(counted.values.reduce(0, +) == stored.count && stored.count <= 40)
            let known = store.tally.withLock(\.self)
            if known?.shares != nil {
                stored.shares = counted
                countedCommits += 1
            }
            #expect(known == stored)
            // The rows of this commit are already there.
            if step % 50 == 49 {
                #expect(throws: StoreError.self) { try store.commit([transition]) }
                let known = store.tally.withLock(\.self)
                #expect(known == nil)
            }
        }
        #expect(countedCommits > 300)
    }

    @Test("revisions without entries don't count as pruned")
    func revisionsWithoutEntries() throws {
        let store = try store(entries: [0, 0, 1, 0])
        #expect(store.oldestAuditNumber == 1)
        #expect(try numbers(store) == [3])
    }

    @Test("a revision larger than the whole journal is kept whole, and alone")
    func oversized() throws {
        let store = try store(entries: [1, 1, 9], journalCapacity: 4)
        #expect(try numbers(store) == Array(repeating: 3, count: 9))
        #expect(store.oldestAuditNumber == 3)
    }

    @Test("a smaller capacity than last time prunes at the next commit")
    func smallerCapacity() throws {
        try store(entries: Array(repeating: 1, count: 20)).close()
        let (store, records, _) = try scene.open(journalCapacity: 5)
        try store.commit([records.next()])
        #expect(try numbers(store) == [17, 18, 19, 20, 21])
        #expect(store.oldestAuditNumber == 17)
    }

    @Test("a value of a newer version is read as unrecognized, and a row that no version writes is an error")
    func foreignRow() throws {
        let store = try store(entries: [1])
        try scene.withOtherProgram { try $0.execute(sql: "UPDATE audit SET kind = 'teleported', mode = 'elsewhere'") }
        let read = try store.audit(after: nil, last: nil, limit: 1).entries
        #expect(read.map(\.kind) == [.unrecognized] && read.map(\.mode) == [.child])
        try scene.withOtherProgram { try $0.execute(sql: "UPDATE audit SET kind = 'locked', uid = -1") }
        #expect(throws: StoreError.self) { try store.audit(after: nil, last: nil, limit: 1) }
    }
}
