import GateCore
import GateModel
import Glibc
import SQLite
import Testing

@testable import GateStore

@Suite("Secrets are kept, and gone when they are removed")
struct SecretTests {
    let scene: Scene

    static let oldHash = "$y$j9T$OLDOLDOLDOLDOLDOLDOLDO$the-old-hash-of-the-passcode-old"
    static let newHash = "$y$j9T$NEW$new"
    static let oldKey = Array("the old key of 20 by".utf8)
    static let newKey = Array("another key: as long as keys may be".utf8)

    init() throws {
        scene = try Scene()
    }

    private static func enrolment(_ key: [UInt8], usedStep: UInt64 = 0) -> RecordChange {
        .totpSet(TOTPEnrolment(key: GateSecret(key), usedStep: usedStep))
    }

    @Test("a new store has no secrets")
    func none() throws {
        let records = try scene.open().records
        #expect(records.passcodeHash == nil)
        #expect(records.totp == nil)
    }

    @Test("passcode hash, authenticator key and used step come back, and each can be removed alone")
    func comeBack() throws {
        let key = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        for (changes, hash, totp) in [
            ([.passcodeSet(hash: Self.oldHash)], Self.oldHash, nil),
            ([Self.enrolment(key, usedStep: 58_920_000)], Self.oldHash, (key, 58_920_000)),
            ([Self.enrolment(key, usedStep: 58_920_001)], Self.oldHash, (key, 58_920_001)),
            ([.passcodeSet(hash: nil)], nil, (key, 58_920_001)),
            ([.passcodeSet(hash: Self.newHash), .totpSet(nil)], Self.newHash, nil),
        ] as [([RecordChange], String?, ([UInt8], UInt64)?)] {
            var (store, records, _) = try scene.open()
            let transition = records.next(changes)
            try store.commit([transition])
            records.apply(transition)
            store.close()
            let reopened = try scene.open()
            #expect(reopened.records == records)
            #expect(reopened.records.passcodeHash == hash)
            #expect(reopened.records.totp?.key == totp.map { GateSecret($0.0) })
            #expect(reopened.records.totp?.usedStep == totp?.1)
            reopened.store.close()
        }
    }

    @Test("after a reboot the secrets and the used step are still there")
    func reboot() throws {
        let (store, records, _) = try scene.open()
        try store.commit([records.next([.passcodeSet(hash: Self.oldHash), Self.enrolment(Self.oldKey, usedStep: 9)])])
        store.close()
        let reopened = try scene.open(boot: "boot-2").records
        #expect(reopened.passcodeHash == Self.oldHash)
        #expect(reopened.totp == TOTPEnrolment(key: GateSecret(Self.oldKey), usedStep: 9))
    }

    // MARK: What lies on the disk

    @Test(
        "a secret that was replaced or removed is wiped from all files while the store goes on",
        arguments: [
            [.passcodeSet(hash: newHash), enrolment(newKey)], [.passcodeSet(hash: nil), .totpSet(nil)],
        ] as [[RecordChange]])
    func forgotten(changes: [RecordChange]) throws {
        var (store, records, _) = try scene.open()
        // Only the beginning of each is searched for: a shorter row in the same place would overwrite the end anyway.
        let secrets = [Array(Self.oldHash.utf8.prefix(16)), Array(Self.oldKey.prefix(8))]
        let set = records.next([.passcodeSet(hash: Self.oldHash), Self.enrolment(Self.oldKey)])
        try store.commit([set])
        records.apply(set)
        #expect(secrets.allSatisfy(scene.isOnDisk), "or else nothing is looked for in the right place")
        try store.commit([records.next(changes)])
        #expect(!secrets.contains(where: scene.isOnDisk))
        store.close()
        #expect(!secrets.contains(where: scene.isOnDisk))
    }

    @Test("while another program reads, a removed secret stays in the log, but no longer than the store is open")
    func reader() throws {
        var (store, records, _) = try scene.open()
        let set = records.next([.passcodeSet(hash: Self.oldHash)])
        try store.commit([set])
        records.apply(set)
        try scene.withOtherProgram { other in
            try other.reading {
                _ = try Int.fetchOne(other, sql: "SELECT number FROM meta")
                let removed = records.next([.passcodeSet(hash: nil)])
                try store.commit([removed])
                records.apply(removed)
            }
        }
        store.close()
        #expect(!scene.isOnDisk(Array(Self.oldHash.utf8)))
        #expect(try scene.open().records.passcodeHash == nil)
    }

    @Test("the next start wipes a secret whose removal the daemon was killed right after")
    func killed() async throws {
        await #expect(processExitsWith: .signal(SIGKILL)) { [directory = scene.directory as String] in
            let opened = try GateStore.open(directory: directory, bootID: Scene.boot, now: Scene.now)
            var records = opened.records
            let set = records.next([.passcodeSet(hash: SecretTests.oldHash)])
            try opened.store.commit([set])
            records.apply(set)
            // Another reader keeps the log from being emptied, so that the kill comes before that.
            let other = try DatabaseQueue(path: "\(directory)/gate.sqlite")
            try other.inDatabase { other in
                try other.reading {
                    _ = try Int.fetchOne(other, sql: "SELECT number FROM meta")
                    try opened.store.commit([records.next([.passcodeSet(hash: nil)])])
                    kill(getpid(), SIGKILL)
                }
            }
        }
        #expect(scene.isOnDisk(Array(Self.oldHash.utf8)), "or else there is nothing to forget")
        let opened = try scene.open()
        #expect(opened.records.passcodeHash == nil)
        #expect(!scene.isOnDisk(Array(Self.oldHash.utf8)))
    }

    @Test("a value that the next start would take for damage is not written, nor the rest of its transition")
    func unreadable() throws {
        let (store, records, _) = try scene.open()
        for change in [
            .passcodeSet(hash: ""), .passcodeSet(hash: String(repeating: "x", count: 1025)), Self.enrolment([]),
            Self.enrolment(Self.oldKey, usedStep: .max), .nextPresentationSet(0), .nextManualClaimSet(.max),
            .deviceKeySet(DeviceKey(publicKey: [1], secret: GateSecret(Self.oldKey))),
        ] as [RecordChange] {
            let transition = records.next([.damageSet(quarantinedFile: "x"), change])
            #expect(throws: StoreError.self, "\(change)") { try store.commit([transition]) }
        }
        store.close()
        let reopened = try scene.open()
        #expect(reopened.records == records && reopened.outcome == .opened)
    }

    @Test("no error about a secret repeats it")
    func errors() throws {
        for edit in [
            "passcode_hash = '\(String(repeating: "sesame", count: 500))'",
            "totp_key = CAST('\(String(repeating: "sesame", count: 500))' AS BLOB), totp_used_step = 1",
        ] {
            let queue = try DatabaseQueue()
            try StoreSchema.migrator.migrate(queue)
            try queue.write { try $0.execute(sql: "UPDATE secret SET \(edit)") }
            let error = #expect(throws: StoreError.self) { try queue.read { try RecordTables.secret.load(from: $0) } }
            #expect(error.map { "\($0)" }?.contains("sesame") == false)
        }
    }
}
