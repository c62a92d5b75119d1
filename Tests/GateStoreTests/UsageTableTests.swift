import GateCore
import GateModel
import SQLite
import Testing

@testable import GateStore

@Suite("The time that people have used, in the store (Z-02)")
struct UsageTableTests {
    private static let games = UsageMeter(uid: 1002, .allowance("games"))
    private static let action = UsageMeter(uid: 1002, .gatedAction("games"))
    private let scene: Scene

    init() throws {
        scene = try Scene()
    }

    @Test("it outlives the daemon and the device; an allowance and a gated action of one name are two things")
    func restarted() throws {
        var (store, records, _) = try scene.open()
        let transition = records.next([
            .usageSet(Self.games, day: 20_453, milliseconds: 60_000),
            .usageSet(Self.games, day: 20_454, milliseconds: 1), .usageSet(Self.action, day: 20_454, milliseconds: 2),
            .usageSet(Self.games, day: 20_453, milliseconds: 120_000),
            .usageSet(UsageMeter(uid: 0, .allowance("games")), day: -1, milliseconds: .max),
        ])
        try store.commit([transition])
        records.apply(transition)
        store.close()
        for boot in ["boot-1", "boot-2"] {
            let found = try scene.open(boot: boot)
            #expect(found.records.usage == records.usage)
            #expect(found.records.usage[Self.games, 20_453] == 120_000)
            #expect(found.records.usage[Self.action, 20_454] == 2)
            found.store.close()
        }
    }

    @Test("a day that is forgotten leaves no row")
    func removed() throws {
        var (store, records, _) = try scene.open()
        for changes: [RecordChange] in [
            [.usageSet(Self.games, day: 1, milliseconds: 5), .usageSet(Self.games, day: 2, milliseconds: 5)],
            [.usageRemoved(Self.games, day: 1), .usageRemoved(Self.games, day: 3)],
        ] {
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
        }
        #expect(try store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM usage") } == 1)
        store.close()
        #expect(try scene.open().records.usage == records.usage)
    }

    @Test("what other devices have told outlives the daemon and the device; two spellings of a name are two people")
    func elsewhere() throws {
        var (store, records, _) = try scene.open()
        let composed = try UsageElsewhere.Key.tablets("zo\u{EB}", day: 1)
        let decomposed = try UsageElsewhere.Key.tablets("zoe\u{308}", day: 1)
        let mias = try UsageElsewhere.Key.tablets(day: -1)
        for changes: [RecordChange] in [
            [
                .usageElsewhereSet(composed, milliseconds: 5), .usageElsewhereSet(decomposed, milliseconds: 6),
                .usageElsewhereSet(mias, milliseconds: 7), .usageElsewhereSet(mias, milliseconds: 86_400_000),
                .usageElsewhereSet(try .tablets(day: 2), milliseconds: 1),
            ],
            [.usageElsewhereRemoved(try .tablets(day: 2)), .usageElsewhereRemoved(try .tablets(day: 3))],
        ] {
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
        }
        store.close()
        for boot in ["boot-1", "boot-2"] {
            let found = try scene.open(boot: boot)
            #expect(found.records.usageElsewhere == records.usageElsewhere)
            #expect(found.records.usageElsewhere[composed] == 5 && found.records.usageElsewhere[decomposed] == 6)
            #expect(found.records.usageElsewhere[mias] == 86_400_000)
            #expect(found.records.usageElsewhere.entries.count == 3)
            found.store.close()
        }
    }

    @Test("what was used is gone after a restart when its last day is forgotten")
    func forgotten() throws {
        var (store, records, _) = try scene.open()
        for changes: [RecordChange] in [
            [.usageSet(Self.games, day: 1, milliseconds: 5), .usageSet(Self.action, day: 1, milliseconds: 5)],
            [.usageRemoved(Self.action, day: 1)],
        ] {
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
        }
        store.close()
        #expect(try scene.open().records.usage.meters == [Self.games])
    }

    @Test("a row that Gate never writes is damage", arguments: ["0", "-1"])
    func damaged(milliseconds: String) throws {
        let (store, _, _) = try scene.open()
        #expect(throws: (any Error).self) {
            try store.database.write {
                try $0.execute(sql: "INSERT INTO usage VALUES (1002, 1, 'games', 1, \(milliseconds))")
            }
        }
        store.close()
    }
}
