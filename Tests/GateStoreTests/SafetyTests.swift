import GateCore
import GateModel
import Glibc
import SQLite
import Testing

@testable import GateStore

@Suite("The file is safe from other users, other daemons, power cuts and full disks")
struct SafetyTests {
    let scene: Scene

    init() throws {
        scene = try Scene()
    }

    @Test("SQLite waits for the disk at every commit")
    func synchronousIsFull() throws {
        let (store, records, _) = try scene.open()
        try store.commit([records.next()])
        let (synchronous, journalMode) = try store.database.inDatabase { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA synchronous"),
                try String.fetchOne(database, sql: "PRAGMA journal_mode")
            )
        }
        #expect(synchronous == 2)
        #expect(journalMode == "wal")
    }

    @Test("file, log and index have mode 0600, whatever the umask", arguments: [0o000, 0o022, 0o777] as [UInt32])
    func modes(mask: UInt32) async throws {
        // In a process of its own: the umask belongs to all threads.
        await #expect(processExitsWith: .success) { [mask] in
            let scene = try Scene()
            umask(mask)
            let (store, records, _) = try scene.open()
            try store.commit([records.next()])
            for suffix in ["", "-wal", "-shm"] {
                #expect(scene.mode(of: scene.database + suffix) == 0o600, "\(suffix)")
            }
        }
    }

    @Test("a database file with too wide a mode gets its own mode back")
    func widened() throws {
        try scene.open().store.close()
        chmod(scene.database, 0o666)
        let opened = try scene.open()
        #expect(opened.outcome == .opened)
        #expect(scene.mode(of: scene.database) == 0o600)
    }

    @Test("a missing directory is created for the daemon's user alone")
    func missingDirectory() throws {
        let directory = "\(scene.directory)/state"
        let opened = try GateStore.open(directory: directory, bootID: Scene.boot, now: Scene.now)
        #expect(scene.mode(of: directory) == 0o700)
        opened.store.close()
        for name in ["gate.sqlite", "gate.lock"] { unlink("\(directory)/\(name)") }
        rmdir(directory)
    }

    @Test("a directory that others may write to is refused, with the command that mends it", arguments: [0o770, 0o707])
    func directoryOfOthers(mode: UInt32) throws {
        chmod(scene.directory, mode)
        let error = #expect(throws: StoreError.self) { try scene.open() }
        #expect(error.map { "\($0)" }?.hasSuffix("run: chmod go-w \(scene.directory)") == true)
        #expect(scene.names.isEmpty)
    }

    @Test("another user's directory is refused", .enabled(if: geteuid() == 0, "only root can give a directory away"))
    func directoryOfAnother() throws {
        chown(scene.directory, 65534, 65534)
        defer { chown(scene.directory, 0, 0) }
        let error = #expect(throws: StoreError.self) { try scene.open() }
        #expect(error.map { "\($0)" }?.contains("run: chown") == true)
    }

    @Test("another user's file is refused", .enabled(if: geteuid() == 0, "only root can give a file away"))
    func fileOfAnother() throws {
        try scene.open().store.close()
        chown(scene.database, 65534, 65534)
        let error = #expect(throws: StoreError.self) { try scene.open() }
        #expect(error.map { "\($0)" }?.contains("run: chown") == true)
    }

    @Test("a link, a directory or a pipe in the place of the file is refused, and not followed")
    func notAFile() throws {
        symlink("/etc/passwd", scene.database)
        #expect(throws: StoreError.self) { try scene.open() }
        unlink(scene.database)
        mkfifo(scene.database, 0o600)
        #expect(throws: StoreError.self) { try scene.open() }
        unlink(scene.database)
        mkdir(scene.database, 0o700)
        #expect(throws: StoreError.self) { try scene.open() }
        rmdir(scene.database)
        symlink("/etc/passwd", "\(scene.database)-wal")
        #expect(throws: StoreError.self) { try scene.open() }
    }

    @Test("a file in place of the directory is refused")
    func directoryIsAFile() throws {
        scene.write([], to: "\(scene.directory)/file")
        #expect(throws: StoreError.self) {
            try GateStore.open(directory: "\(scene.directory)/file", bootID: Scene.boot, now: Scene.now)
        }
        #expect(throws: StoreError.self) {
            try GateStore.open(directory: "\(scene.directory)/none/state", bootID: Scene.boot, now: Scene.now)
        }
    }

    @Test("a second daemon on the same directory is refused, and the first is not disturbed")
    func twoDaemons() throws {
        let first = try scene.open()
        #expect(throws: StoreError.inUse(directory: scene.directory)) { try scene.open() }
        try first.store.commit([first.records.next()])
        first.store.close()
        #expect(try scene.open().records.revision.number == 1)
    }

    @Test("a store that is released without closing releases its directory")
    func letGo() throws {
        _ = try scene.open()
        #expect(try scene.open().outcome == .opened)
    }

    @Test("a full disk refuses the whole batch, reads go on, and commits work again once there is room")
    func full() throws {
        var (store, records, _) = try scene.open()
        for transition in records.transitions(entries: [1, 1]) { try store.commit([transition]) }
        try limit(store, toPages: 1)
        let large = String(repeating: "x", count: 100_000)
        let batch = [
            records.next([.nextPresentationSet(99), .lockoutSet(Lockout.key, .locked(until: nil))], detail: large)
        ]
        #expect(throws: StoreError.full) { try store.commit(batch) }
        #expect(throws: StoreError.full) { try store.commit(batch) }
        #expect(try store.audit(after: nil, last: nil, limit: 10).entries.map(\.number) == [1, 2])

        try limit(store, toPages: 1_000_000)
        try store.commit([records.next([.nextPresentationSet(5)])])
        #expect(try store.audit(after: nil, last: nil, limit: 10).entries.map(\.number) == [1, 2, 3])
        store.close()
        let reopened = try scene.open()
        #expect(reopened.records.nextPresentation == 5)
        #expect(reopened.records.lockouts.isEmpty)
    }

    private func limit(_ store: GateStore, toPages pages: Int) throws {
        try store.database.inDatabase { try $0.execute(sql: "PRAGMA max_page_count = \(pages)") }
    }

    @Test("commits to a disk that became read-only fail, and succeed once it is writable")
    func readOnly() throws {
        let (store, records, _) = try scene.open()
        try store.database.inDatabase { try $0.execute(sql: "PRAGMA query_only = 1") }
        #expect(throws: StoreError.readOnly) { try store.commit([records.next()]) }
        #expect(try store.audit(after: nil, last: nil, limit: 10).entries.isEmpty)
        try store.database.inDatabase { try $0.execute(sql: "PRAGMA query_only = 0") }
        try store.commit([records.next()])
        store.close()
        #expect(try scene.open().records.revision.number == 1)
    }

    @Test("a commit fails while another program has the database locked, and the next one succeeds")
    func lockedByAnother() throws {
        let (store, records, _) = try scene.open()
        try scene.withOtherProgram { other in
            try other.inTransaction {
                let error = #expect(throws: StoreError.self) { try store.commit([records.next()]) }
                #expect(error.map { "\($0)" }?.contains("another program") == true)
            }
        }
        try store.commit([records.next()])
    }

    @Test("every error says what to do")
    func descriptions() {
        for error: StoreError in [
            .unsafe("run: chmod"), .inUse(directory: "/d"), .newer(NewerStore(path: "/d/f", schema: 8, knownSchema: 7)),
            .older(path: "/d/f"),
            .full, .fullBeforeUpgrade, .notCopied("x"),
            .notABackup("x"), .readOnly,
            .damaged("x"), .closed, .failed("x"),
        ] {
            #expect(!"\(error)".isEmpty)
        }
    }

    @Test("SQLite's version is told as people write it")
    func version() {
        let parts = GateStore.sqliteVersion.split(separator: ".")
        #expect(parts.count == 3)
        #expect(parts.first == "3")
    }
}
