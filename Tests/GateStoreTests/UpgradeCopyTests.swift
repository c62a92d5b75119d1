import GateCore
import GateModel
import Glibc
import SQLite
import Testing

@testable import GateStore

extension UpgradeTests {
    /// The copies beside the store.
    private var copies: [String] { scene.names.filter { $0.hasPrefix("gate-schema-") } }

    @Test("before an upgrade the store is copied unchanged, readable only for the daemon's user", arguments: 7..<15)
    func copiedAside(number: Int) throws {
        try make(upTo: number)
        let (store, records, _) = try scene.open()
        store.close()
        let copy = try #require(copies.first)
        #expect(copies.count == 1 && copy.hasPrefix("gate-schema-\(number)-") && copy.hasSuffix(".sqlite"))
        #expect(scene.mode(of: "\(scene.directory)/\(copy)") == 0o600)
        let queue = try DatabaseQueue(path: "\(scene.directory)/\(copy)")
        let (count, revision, mode) = try queue.read { database in
            (
                try Int.fetchOne(database, sql: "SELECT count(*) FROM grdb_migrations"),
                try Int.fetchOne(database, sql: "SELECT number FROM meta"),
                try String.fetchOne(database, sql: "PRAGMA journal_mode")
            )
        }
        #expect(count == number && revision == Int(records.revision.number) && mode == "delete")
        #expect(!scene.names.contains { $0.hasSuffix(".copy") })
        // Once is enough.
        _ = try scene.open()
        #expect(copies.count == 1)
    }

    @Test("a new store is not copied, and records the version that is needed to read it")
    func newStore() throws {
        let (store, _, _) = try scene.open()
        #expect(copies.isEmpty)
        #expect(try store.database.read { try StoreSchema.version(in: $0) } == GateRelease.version)
    }

    @Test("only the newest three copies are kept")
    func fewCopies() throws {
        for name in ["1-20260101T000000Z", "2-20260101T000000Z", "7-20250101T000000Z", "7-20250101T000001Z"] {
            scene.write([1], to: "\(scene.directory)/gate-schema-\(name).sqlite")
        }
        scene.write([1], to: "\(scene.directory)/gate-schema-mine.sqlite")
        try make()
        _ = try scene.open()
        #expect(copies.count == 4)
        #expect(copies.contains("gate-schema-mine.sqlite"), "what is not Gate's is left alone")
        #expect(copies.contains("gate-schema-7-20250101T000001Z.sqlite"))
        #expect(!copies.contains("gate-schema-2-20260101T000000Z.sqlite"))
    }

    @Test("if no copy can be made, the store is left unchanged and the error says why")
    func noCopy() throws {
        try make()
        let before = try scene.withOtherProgram { try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_migrations") }
        // A folder that is not empty is in the place of the copy, so that none can be made.
        let descriptor = scene.database + ".copy/x"
        #expect(mkdir(scene.database + ".copy", 0o700) == 0)
        scene.write([1], to: descriptor)
        defer {
            unlink(descriptor)
            rmdir(scene.database + ".copy")
        }
        let error = #expect(throws: StoreError.self) { try scene.open() }
        #expect(error.map { "\($0)" }?.contains("gate.sqlite.copy") == true)
        let after = try scene.withOtherProgram { try Int.fetchOne($0, sql: "SELECT count(*) FROM grdb_migrations") }
        #expect(before == 7 && after == 7)
    }

    @Test("a version that meets a newer store names the copy to go back to, and that copy opens")
    func wayBack() throws {
        try make()
        try scene.open().store.close()
        let copy = try #require(copies.first)
        try scene.withOtherProgram { database in
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('what comes next')")
            try database.execute(sql: "PRAGMA user_version = 1002003")
        }
        let error = #expect(throws: StoreError.self) { try scene.open() }
        let number = StoreSchema.number
        #expect(
            error
                == .newer(
                    NewerStore(
                        path: scene.database, schema: number + 1, knownSchema: number, version: "1.2.3", copy: copy)))
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("Gate 1.2.3") && text.contains("cp -p \(copy) gate.sqlite"))
        // The copy opens as the message says.
        for name in scene.names where name.hasPrefix("gate.sqlite") { unlink("\(scene.directory)/\(name)") }
        scene.write(scene.read("\(scene.directory)/\(copy)"), to: scene.database)
        let (_, records, outcome) = try scene.open()
        #expect(outcome == .opened && records.drafts.count == 2)
    }

    @Test("the tables of each schema since 0.9.0 are known, so that backups of it can be restored", arguments: 7...15)
    func knownShape(number: Int) throws {
        try make(upTo: number)
        let shape = try scene.withOtherProgram(StoreSchema.shape(of:))
        #expect(shape == (try StoreSchema.shape(ofNumber: number)))
        #expect(EarlierStores.last == StoreSchema.number)
    }
}
