import GateCore
import GateModel
import SQLite
import Testing

@testable import GateStore

@Suite("What is committed is there after the next opening")
struct CommitTests {
    let scene: Scene

    init() throws {
        scene = try Scene()
    }

    @Test("a new store is empty, at revision 0, and reports that it was created")
    func created() throws {
        let (store, records, outcome) = try scene.open()
        #expect(outcome == .created)
        #expect(records.revision.number == 0)
        #expect(records.revision.epoch != 0)
        #expect(records.lockouts.isEmpty)
        #expect(records.quarantinedFile == nil)
        #expect(records.nextPresentation == 1)
        #expect(store.oldestAuditNumber == 1)
        let page = try store.audit(after: nil, last: nil, limit: 10)
        #expect(page == AuditPage(entries: [], isComplete: true, oldestNumber: 1))
    }

    @Test("every kind of record comes back as it was committed")
    func recordsComeBack() throws {
        var (store, records, _) = try scene.open()
        let other = Lockout.Key(owner: .withoutAccount, gate: "photos.delete")
        let lockout = Lockout.locked(until: BootTime(nanoseconds: .max), duration: .seconds(3600))
        for changes in [
            [.lockoutSet(Lockout.key, lockout), .lockoutSet(other, .locked(until: nil))],
            [.nextPresentationSet(7), .damageSet(quarantinedFile: "/somewhere/ü.sqlite")],
            [.lockoutSet(Lockout.key, .locked(until: Scene.now)), .lockoutRemoved(other)],
        ] as [[RecordChange]] {
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
        }
        store.close()
        let reopened = try scene.open()
        #expect(reopened.outcome == .opened)
        #expect(reopened.records == records)
        #expect(reopened.records.lockouts == [Lockout.key: .locked(until: Scene.now)])
        #expect(reopened.records.quarantinedFile == "/somewhere/ü.sqlite")
        #expect(reopened.records.nextPresentation == 7)
    }

    @Test("the record of damage stays until a transition takes it away")
    func damageStays() throws {
        var (store, records, _) = try scene.open()
        for change in [
            RecordChange.damageSet(quarantinedFile: "x"), .nextPresentationSet(2), .damageSet(quarantinedFile: nil),
        ] {
            let transition = records.next([change])
            try store.commit([transition])
            records.apply(transition)
            store.close()
            let reopened = try scene.open()
            #expect(reopened.records.quarantinedFile == records.quarantinedFile)
            store = reopened.store
        }
        #expect(records.quarantinedFile == nil)
    }

    @Test("several transitions are one transaction, and the records of the last one count")
    func batch() throws {
        var (store, records, _) = try scene.open()
        let batch = (1...64).map { count in
            let transition = records.next([.nextPresentationSet(UInt64(count) + 1)], entries: 2)
            records.apply(transition)
            return transition
        }
        try store.commit(batch)
        store.close()
        let reopened = try scene.open()
        #expect(reopened.records == records)
        #expect(try reopened.store.audit(after: nil, last: nil, limit: 1000).entries == batch.flatMap(\.audit))
    }

    @Test("transitions without a change are skipped")
    func noChange() throws {
        let (store, records, _) = try scene.open()
        let nothing = Transition(revision: records.revision, isChange: false, records: [], audit: [], reply: .done)
        try store.commit([])
        try store.commit([nothing])
        try store.commit([nothing, records.next(), nothing])
        store.close()
        #expect(try scene.open().records.revision.number == 1)
    }

    @Test("journal entries come back with every field")
    func entriesComeBack() throws {
        let (store, records, _) = try scene.open()
        let entries = AuditEntry.Kind.allCases.enumerated().map { position, kind in
            AuditEntry(
                number: 1, time: WallTime(unixMilliseconds: Int64(position) - 5), kind: kind,
                actor: position.isMultiple(of: 2)
                    ? nil
                    : AuditEntry.Actor(
                        uid: .max, pid: .max, broker: position == 1 ? Broker(uid: .max, program: "\u{1F600}") : nil),
                mode: Mode.allCases[position % Mode.allCases.count], detail: "“\(kind)”, it's 5′ \u{1F511}")
        }
        var transition = records.next()
        transition.audit = entries
        try store.commit([transition])
        #expect(try store.audit(after: nil, last: nil, limit: 100).entries == entries)
    }

    @Test("after closing, everything is refused and nothing traps")
    func closed() throws {
        let (store, records, _) = try scene.open()
        store.close()
        store.close()
        #expect(throws: StoreError.closed) { try store.commit([records.next()]) }
        #expect(throws: StoreError.closed) { try store.audit(after: nil, last: nil, limit: 1) }
    }

    @Test("two new stores have different epochs, and one keeps its own")
    func epochs() throws {
        let first = try scene.open()
        let second = try Scene().open()
        #expect(first.records.revision.epoch != second.records.revision.epoch)
        first.store.close()
        #expect(try scene.open().records.revision == first.records.revision)
    }
}

@Suite("A lock outlives whatever happens to the device")
struct LockoutRestoreTests {
    let scene: Scene
    let until = Scene.now.advanced(by: .seconds(10))

    init() throws {
        scene = try Scene()
        let (store, records, _) = try scene.open()
        try store.commit([
            records.next([
                .lockoutSet(Lockout.key, .locked(until: until)),
                .lockoutSet(Lockout.Key(owner: .user(1001), gate: "mode"), .locked(until: nil)),
            ])
        ])
        store.close()
    }

    @Test("a lockout keeps its end in the same boot")
    func sameBoot() throws {
        let later = Scene.now.advanced(by: .seconds(5))
        #expect(try scene.open(now: later).records.lockouts[Lockout.key]?.lockedUntil == until)
    }

    @Test("after a reboot a lockout's whole wait begins again, but only once")
    func reboot() throws {
        let afterBoot = BootTime(nanoseconds: 2_000_000_000)
        let expected = BootTime(nanoseconds: 32_000_000_000)
        let first = try scene.open(boot: "boot-2", now: afterBoot)
        #expect(first.records.lockouts[Lockout.key]?.lockedUntil == expected)
        #expect(first.records.lockouts[Lockout.key]?.wrongAnswers == 3)
        #expect(first.records.lockouts[Lockout.Key(owner: .user(1001), gate: "mode")]?.lockedUntil == nil)
        first.store.close()
        let second = try scene.open(boot: "boot-2", now: afterBoot.advanced(by: .seconds(20)))
        #expect(second.records.lockouts == first.records.lockouts)
    }

    @Test("a reboot alone makes no new revision")
    func revisionStays() throws {
        #expect(try scene.open(boot: "boot-2").records.revision.number == 1)
    }
}
