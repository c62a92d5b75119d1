import GateCore
import GateModel
import SQLite
import Testing

@testable import GateStore

@Suite("Questions that wait for a grown-up, and the yes to them, in the store (W-01)")
struct AskTableTests {
    private let scene: Scene
    private static let asked = WallTime(unixMilliseconds: 1_767_225_600_000)
    private static let key = KeptGrant.Key(uid: 1002, gatedAction: "link.open", ask: 12)

    init() throws {
        scene = try Scene()
    }

    /// A store with a question that waits, and one that was allowed.
    private func filled() throws -> (store: GateStore, records: DurableRecords) {
        var (store, records, _) = try scene.open()
        let yes = KeptGrant(deadline: Scene.now, yes: .mias(from: Self.asked))
        let transition = records.next([
            .askSet(12, .mias(at: Self.asked)), .askSet(13, .mias(at: Self.asked)), .keptGrantSet(Self.key, yes),
        ])
        try store.commit([transition])
        records.apply(transition)
        return (store, records)
    }

    @Test("they outlive the daemon and the device, and the yes begins its time on the new boot's clock")
    func restarted() throws {
        let (store, records) = try filled()
        store.close()
        let restarted = try scene.open()
        #expect(restarted.records == records)
        restarted.store.close()

        let now = BootTime(nanoseconds: 5)
        for _ in 0..<2 {
            let rebooted = try scene.open(boot: "boot-2", now: now)
            #expect(rebooted.records.asks == records.asks)
            let grant = try #require(rebooted.records.keptGrants[Self.key])
            #expect(grant.yes == records.keptGrants[Self.key]?.yes)
            #expect(grant.deadline == now.advanced(by: .seconds(3 * 24 * 3600)))
            rebooted.store.close()
        }
    }

    @Test("a yes that lasts is the same after a restart of daemon and device, and an unknown choice is damage (W-04)")
    func lasting() throws {
        var (store, records, _) = try scene.open()
        let yeses = [AskChoice.always, .thisSite, .today, .time(.seconds(5400))].map {
            KeptGrant(deadline: .never, yes: .mias(from: Self.asked, choice: $0))
        }
        let changes = zip((1 as UInt64)..., yeses).map { number, grant in
            RecordChange.keptGrantSet(KeptGrant.Key(uid: 1002, gatedAction: "link.open", ask: number), grant)
        }
        let transition = records.next(changes)
        try store.commit([transition])
        records.apply(transition)
        let unrecognized = KeptGrant(deadline: .never, yes: .mias(from: Self.asked, choice: .unrecognized))
        #expect(throws: StoreError.self) { try store.commit([records.next([.keptGrantSet(Self.key, unrecognized)])]) }
        store.close()
        let restarted = try scene.open()
        #expect(restarted.records == records)
        restarted.store.close()
        let rebooted = try scene.open(boot: "boot-2", now: BootTime(nanoseconds: 5))
        #expect(rebooted.records.keptGrants == records.keptGrants)
        rebooted.store.close()

        try scene.withOtherProgram { try $0.execute(sql: "UPDATE ask_answer SET choice = 'ever' WHERE ask = 2") }
        #expect(try scene.open().outcome != .opened)
    }

    @Test("a yes that is used up and an ask that is over leave no row and no words in the file")
    func removed() throws {
        var (store, records) = try filled()
        let transition = records.next([.keptGrantRemoved(Self.key), .askRemoved(12), .askRemoved(13)])
        try store.commit([transition])
        records.apply(transition)
        for table in ["ask", "ask_answer"] {
            #expect(try store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } == 0)
        }
        store.close()
        let found = try scene.open().records
        #expect(found == records && found.asks.isEmpty && found.keptGrants.isEmpty)
    }

    @Test("answers to asks of other devices are told apart by device and number, and leave no row when they are over")
    func household() throws {
        var (store, records, _) = try scene.open()
        let other = RequestName(try #require(HouseholdID(String(repeating: "b", count: 32))), 12)
        // Another device decides about its numbers.
        let names = [try RequestName.tablets(12), try .tablets(.max), other]
        let given = records.next(try names.map { .answerToAskSet($0, try .yes(at: Self.asked)) })
        try store.commit([given])
        records.apply(given)
        store.close()
        (store, records, _) = try scene.open()
        #expect(Set(records.household.answers.keys) == Set(names))
        #expect(try records.household.answers[other] == .yes(at: Self.asked))

        var no = try AnswerToAsk.yes(at: Self.asked)
        no.isAllowed = false
        let over = records.next([
            .answerToAskRemoved(names[0]), .answerToAskRemoved(names[1]), .answerToAskSet(other, no),
        ])
        try store.commit([over])
        records.apply(over)
        store.close()
        let found = try scene.open().records
        #expect(found == records && found.household.answers == [other: no])
    }

    @Test(
        "how much a yes to another device allows, and what kind of no it is, is stored, and so is each state of an ask")
    func words() throws {
        var (store, records, _) = try scene.open()
        let answers: [AskAnswer] = [.yes(.once), .yes(.always), .yes(.time(.seconds(1800))), .no, .notUntilTomorrow]
        var changes: [RecordChange] = []
        for (number, answer) in zip(1... as PartialRangeFrom<UInt64>, answers) {
            var given = try AnswerToAsk.yes(at: Self.asked)
            (given.isAllowed, given.word) = (answer.isAllowed, answer.word)
            changes.append(.answerToAskSet(try .tablets(number), given))
        }
        for (number, state) in zip(1... as PartialRangeFrom<UInt64>, AskRecord.State.allCases) {
            var ask = AskRecord.mias(at: Self.asked)
            ask.state = state
            changes.append(.askSet(number, ask))
        }
        let transition = records.next(changes)
        try store.commit([transition])
        records.apply(transition)
        store.close()
        let found = try scene.open().records
        #expect(found == records)
        #expect(found.asks.inOrder.map(\.ask.state) == AskRecord.State.allCases)
        let words = found.household.answers.sorted { $0.key < $1.key }.map(\.value)
        #expect(words.map { AskAnswer(isAllowed: $0.isAllowed, word: $0.word) } == answers)
    }

    @Test("a backup has neither, so none comes back that was used, and no answer to an ask of another device")
    func backup() throws {
        var (store, records) = try filled()
        let given = records.next([.answerToAskSet(try .tablets(12), try .yes(at: Self.asked))])
        try store.commit([given])
        records.apply(given)
        let backup = try store.makeBackup()
        var bytes: [UInt8] = []
        while bytes.count < backup.byteCount { bytes += try backup.piece(at: bytes.count, count: 10_000) }
        let other = try Scene()
        other.write(bytes, to: other.database)
        let found = try other.open().records
        #expect(found.asks.isEmpty && found.keptGrants.isEmpty && found.household.answers.isEmpty)
    }
}
