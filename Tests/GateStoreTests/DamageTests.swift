import GateCore
import GateModel
import Glibc
import SQLite
import Testing

@testable import GateStore

@Suite("A damaged store is set aside, never deleted, and Gate starts closed")
struct DamageTests {
    let scene: Scene

    init() throws {
        scene = try Scene()
        var (store, records, _) = try scene.open()
        // One commit for all leaves the same rows in the file, and is quick: each case makes a store of its own.
        try store.commit(records.transitions(entries: Array(repeating: 1, count: 500)))
        store.close()
    }

    /// Opens, expects what was there to be set aside byte for byte, and a new store that remembers it.
    @discardableResult
    private func expectQuarantined(_ damaged: [UInt8]?) throws -> String {
        let (store, records, outcome) = try scene.open()
        guard case .replacedDamaged(let quarantinedFile) = outcome else {
            Issue.record("\(outcome)")
            return ""
        }
        #expect(quarantinedFile.hasPrefix("\(scene.directory)/gate-damaged-"))
        if let damaged { #expect(scene.read(quarantinedFile) == damaged) }
        #expect(records.quarantinedFile == quarantinedFile)
        #expect(records.revision.number == 0)
        try store.commit([records.next()])
        store.close()

        let reopened = try scene.open()
        #expect(reopened.outcome == .opened)
        #expect(reopened.records.quarantinedFile == quarantinedFile)
        reopened.store.close()
        return quarantinedFile
    }

    @Test("a store whose header is garbage is quarantined")
    func garbageHeader() throws {
        var bytes = scene.read(scene.database)
        bytes.replaceSubrange(0..<100, with: repeatElement(0xAA, count: 100))
        scene.write(bytes, to: scene.database)
        try expectQuarantined(bytes)
    }

    @Test(
        "a store with numbers that no device reaches is quarantined",
        arguments: [
            "UPDATE meta SET number = 9223372036854775807", "UPDATE meta SET number = 281474976710656",
            "UPDATE meta SET next_presentation = 9223372036854775807",
            "UPDATE meta SET next_manual_claim = 9223372036854775807",
            "PRAGMA ignore_check_constraints = 1; UPDATE meta SET next_manual_claim = 0",
            "UPDATE meta SET next_response = 9223372036854775807",
            "PRAGMA ignore_check_constraints = 1; UPDATE meta SET next_response = 0",
            "UPDATE meta SET audit_count = 9223372036854775807",
            "UPDATE meta SET pruned_through = 9223372036854775807",
        ])
    func absurdNumbers(edit: String) throws {
        try DatabaseQueue(path: scene.database).write { try $0.execute(sql: edit) }
        try expectQuarantined(nil)
    }

    @Test("a trigger that swallows writes makes commits fail, and traps nothing")
    func swallowingTrigger() throws {
        let trigger = "CREATE TRIGGER swallow BEFORE UPDATE ON meta BEGIN SELECT RAISE(IGNORE); END"
        try DatabaseQueue(path: scene.database).write { try $0.execute(sql: trigger) }
        let (store, records, _) = try scene.open()
        let transition = records.next()
        #expect(throws: StoreError.self) { try store.commit([transition]) }
        store.close()
    }

    @Test("a file that was cut off", arguments: [0, 1, 99, 100, 4096, 4097, 20_000])
    func truncated(size: Int) throws {
        let bytes = Array(scene.read(scene.database).prefix(size))
        scene.write(bytes, to: scene.database)
        try expectQuarantined(bytes)
    }

    @Test("garbage in any page after the header", arguments: [1, 2, 3, 4, 5, 6, 7])
    func garbagePage(page: Int) throws {
        var bytes = scene.read(scene.database)
        let start = page * 4096
        try #require(start + 4096 <= bytes.count)
        bytes.replaceSubrange(start..<start + 4096, with: repeatElement(0xAA, count: 4096))
        scene.write(bytes, to: scene.database)
        try expectQuarantined(bytes)
    }

    @Test("a text file or another program's database is quarantined")
    func somethingElse() throws {
        let text = Array("This is not a database. ".utf8) + Array(repeating: 0x20, count: 5000)
        scene.write(text, to: scene.database)
        try expectQuarantined(text)
        unlink(scene.database)
        try scene.withOtherProgram { try $0.execute(sql: "CREATE TABLE theirs (id INTEGER PRIMARY KEY)") }
        try expectQuarantined(scene.read(scene.database))
    }

    @Test(
        "a store with a missing table or with rows that Gate never writes is quarantined",
        arguments: [
            "DELETE FROM meta",
            "DROP TABLE lockout",
            "DROP TABLE meta",
            "DROP TABLE audit",
            "DROP TABLE kept_grant",
            "DROP TABLE secret",
            "DROP TABLE person",
            "DROP TABLE claim",
            "DROP TABLE customer",
            "DROP TABLE notification",
            "DROP TABLE draft",
            "DROP TABLE draft_row",
            "DROP TABLE response",
            "DROP TABLE attachment",
            "DROP TABLE whats_new",
            "DELETE FROM secret",
            "DELETE FROM grdb_migrations",
            "PRAGMA ignore_check_constraints = 1; UPDATE meta SET number = -1",
            "INSERT INTO lockout VALUES (-1, 'mode', 1, 1, NULL, 1)",
            "INSERT INTO lockout VALUES (4294967296, 'mode', 1, 1, NULL, 1)",
            "INSERT INTO kept_grant VALUES (-1, 'link.open', 1)",
            "INSERT INTO kept_grant VALUES (4294967296, 'link.open', 1)",
            "UPDATE secret SET passcode_hash = ''",
            "UPDATE secret SET passcode_hash = CAST(zeroblob(2000) AS TEXT)",
            "UPDATE secret SET totp_key = x'', totp_used_step = 1",
            "UPDATE secret SET totp_key = zeroblob(2000), totp_used_step = 1",
            "UPDATE secret SET totp_key = x'01', totp_used_step = 9223372036854775807",
            "PRAGMA ignore_check_constraints = 1; UPDATE secret SET totp_key = x'01'",
            "PRAGMA ignore_check_constraints = 1; UPDATE secret SET totp_key = x'01', totp_used_step = -1",
        ])
    func foreignRows(sql: String) throws {
        try scene.withOtherProgram { try $0.execute(sql: sql) }
        try expectQuarantined(nil)
    }

    @Test("the log and its index are quarantined with their file, unchanged")
    func companions() throws {
        let (store, records, _) = try scene.open()
        try store.commit([records.next()])
        let log = scene.read(scene.database + "-wal")
        #expect(!log.isEmpty)
        store.close()
        var bytes = scene.read(scene.database)
        bytes.replaceSubrange(4096..<8192, with: repeatElement(0xAA, count: 4096))
        scene.write(bytes, to: scene.database)
        scene.write(log, to: scene.database + "-wal")
        let quarantinedFile = try expectQuarantined(bytes)
        #expect(scene.read(quarantinedFile + "-wal") == log)
        #expect(scene.mode(of: quarantinedFile + "-shm") == 0o600)
    }

    @Test("a second quarantine does not overwrite the first")
    func twice() throws {
        var kept: [String] = []
        for round in 0..<4 {
            let bytes = Array("damage number \(round)".utf8)
            scene.write(bytes, to: scene.database)
            kept.append(try expectQuarantined(bytes))
        }
        #expect(Set(kept).count == 4)
        for (round, path) in kept.enumerated() {
            #expect(scene.read(path) == Array("damage number \(round)".utf8))
        }
    }

    @Test("a crash between setting aside and making the new store leaves Gate closed")
    func crashBetween() throws {
        scene.write(Array("damaged".utf8), to: scene.database)
        let quarantinedFile = try StoreDirectory(opening: scene.directory).setDatabaseAside()
        #expect(!scene.names.contains("gate.sqlite"))
        let opened = try scene.open()
        #expect(opened.outcome == .replacedDamaged(quarantinedFile: quarantinedFile))
        #expect(opened.records.quarantinedFile == quarantinedFile)
    }

    @Test("a log without its file is quarantined")
    func orphan() throws {
        unlink(scene.database)
        scene.write([1, 2, 3], to: scene.database + "-wal")
        let quarantinedFile = try expectQuarantined([1, 2, 3])
        #expect(quarantinedFile.hasSuffix("-wal"))
    }

    @Test("a crash during the first creation of a store leaves no damage")
    func crashWhileCreating() throws {
        unlink(scene.database)
        scene.write([1, 2, 3], to: scene.database + ".new")
        scene.write([1, 2, 3], to: scene.database + ".new-wal")
        let opened = try scene.open()
        #expect(opened.outcome == .created)
        #expect(!scene.names.contains { $0.contains(".new") })
    }

    @Test("a store of a newer version is left unchanged, and the error says so")
    func newer() throws {
        try scene.withOtherProgram {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('entitlements')")
        }
        let before = scene.read(scene.database)
        let number = StoreSchema.number
        #expect(
            throws: StoreError.newer(
                NewerStore(
                    path: scene.database, schema: number + 1, knownSchema: number, version: GateRelease.version))
        ) { try scene.open() }
        #expect(scene.read(scene.database) == before)
        #expect(!scene.names.contains { $0.hasPrefix("gate-damaged-") })
        try scene.withOtherProgram {
            try $0.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'entitlements'")
        }
        let reopened = try scene.open()
        #expect(reopened.outcome == .opened)
        #expect(reopened.records.revision.number == 500)
    }
}
