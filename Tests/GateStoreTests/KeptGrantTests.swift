import GateCore
import GateModel
import SQLite
import Testing

@testable import GateStore

@Suite("Kept grants")
struct KeptGrantTests {
    let scene: Scene
    let key = KeptGrant.Key(uid: 1000, gatedAction: "link.open")
    let grant = KeptGrant(deadline: Scene.now.advanced(by: .seconds(600)))

    init() throws {
        scene = try Scene()
    }

    @Test("a kept grant comes back, and one that was removed does not")
    func comeBack() throws {
        var (store, records, _) = try scene.open()
        let other = KeptGrant.Key(uid: .max, gatedAction: "löschen'")
        for changes in [
            [.keptGrantSet(key, KeptGrant(deadline: Scene.now)), .keptGrantSet(other, grant)],
            [.keptGrantSet(key, grant)],
            [.keptGrantRemoved(other), .keptGrantRemoved(KeptGrant.Key(uid: 7, gatedAction: "never.was"))],
        ] as [[RecordChange]] {
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
            store.close()
            let reopened = try scene.open()
            #expect(reopened.records == records)
            store = reopened.store
        }
        #expect(records.keptGrants == KeptGrants([key: grant]))
    }

    @Test("a reboot ends kept grants for good, even if an earlier boot id returns")
    func reboot() throws {
        let (store, records, _) = try scene.open()
        try store.commit([records.next([.keptGrantSet(key, grant)])])
        store.close()
        let rebooted = try scene.open(boot: "boot-2", now: BootTime(nanoseconds: 1))
        #expect(rebooted.records.keptGrants.isEmpty)
        #expect(rebooted.records.revision.number == 1)
        rebooted.store.close()
        for boot in ["boot-2", Scene.boot] {
            let again = try scene.open(boot: boot)
            #expect(again.records.keptGrants.isEmpty)
            again.store.close()
        }
    }

    @Test("of too many kept grants those that end last are loaded, and the others are removed from the file")
    func tooMany() throws {
        try scene.open().store.close()
        try scene.withOtherProgram { other in
            try other.execute(
                sql: """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10007)
                    INSERT INTO kept_grant SELECT i, 'link.open', i FROM n
                    """)
        }
        for _ in 0..<2 {
            let (store, records, outcome) = try scene.open()
            #expect(outcome == .opened)
            #expect(records.keptGrants.count == 10_000)
            #expect(records.keptGrants.keys.map(\.uid).min() == 8)
            #expect(try store.database.read(RecordTables.keptGrants.table.count) == 10_000)
            store.close()
        }
    }
}
