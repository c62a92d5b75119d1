import GateCore
import GateModel
import Glibc
import SQLite
import Testing

@testable import GateStore

@Suite("A backup is the whole store as one file, and comes back whole or not at all")
struct StoreBackupTests {
    let scene: Scene
    private let document = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    private let digest: AttachmentDigest

    init() throws {
        scene = try Scene()
        digest = try #require(.sample(1))
    }

    // MARK: -

    /// One row of each kind.
    private var changes: [RecordChange] {
        [
            .lockoutSet(Lockout.key, .locked(until: Scene.now)), .passcodeSet(hash: "$y$x"),
            .totpSet(TOTPEnrolment(key: GateSecret([1, 2, 3]), usedStep: 4)), .personSet(.anna, passwordHash: "$y$z"),
            .claimSet(.annasSubscription), .nextManualClaimSet(2),
            .customerHeard(appUser: "anna-17", at: WallTime(unixMilliseconds: 5)),
            .notificationTaken(id: "n-1", order: 1),
            .draftSet(.annasConsent, FormDraftRecord(revision: 1, openedAt: WallTime(unixMilliseconds: 1))),
            .draftSet(.annasOtherConsent, FormDraftRecord(revision: 2, openedAt: WallTime(unixMilliseconds: 1))),
            .draftRowSet(.annasConsent, .driversName, .answers([.string("Ben")])), .partSet(.annasPerson),
            .responseSet(.annasConsent),
            .nextResponseSet(2), .attachmentStored(digest, document),
            .whatsNewSeen(WhatsNewKey(holder: .user(1000), app: "org.example.draw"), AppVersion(1, 2, 0)),
        ]
    }

    /// A store with one row of each kind.
    private func filled(_ scene: Scene) throws -> (store: GateStore, records: DurableRecords) {
        var (store, records, _) = try scene.open()
        let transition = records.next(changes)
        try store.commit([transition])
        records.apply(transition)
        return (store, records)
    }

    private func bytes(of store: GateStore) throws -> [UInt8] {
        let backup = try store.makeBackup()
        var bytes: [UInt8] = []
        while bytes.count < backup.byteCount { bytes += try backup.piece(at: bytes.count, count: 10_000) }
        #expect(try backup.piece(at: bytes.count, count: 10).isEmpty)
        return bytes
    }

    /// Stands in for the digest of documents: the document here has its own, and other bytes have another.
    private func name(_ bytes: [UInt8]) -> AttachmentDigest {
        bytes == document ? digest : AttachmentDigest(bytes: Array(repeating: 9, count: 32))!
    }

    @discardableResult
    private func check(_ bytes: [UInt8], in store: GateStore, boot: BootTime = Scene.now) throws -> BackupContents {
        let staged = try store.stageRestore()
        var rest = bytes[...]
        while !rest.isEmpty {
            try staged.append(Array(rest.prefix(4099)))
            rest = rest.dropFirst(4099)
        }
        do {
            return try store.check(staged, now: boot, nameOf: name)
        } catch {
            store.forgetStagedRestore()
            throw error
        }
    }

    // MARK: - Making one

    @Test("a backup holds what the store holds except kept grants, and leaves no file beside the store")
    func made() throws {
        let (store, records) = try filled(scene)
        let key = KeptGrant.Key(uid: 1000, gatedAction: "link.open")
        try store.commit([records.next([.keptGrantSet(key, KeptGrant(deadline: Scene.now))])])
        let names = scene.names
        let bytes = try bytes(of: store)
        #expect(scene.names == names)
        let other = try Scene()
        scene.write(bytes, to: other.database)
        let (_, found, outcome) = try other.open()
        #expect(outcome == .opened)
        #expect(found.keptGrants.isEmpty && found.people == records.people && found.totp == records.totp)
        #expect(found.attachments == [digest: document.count] && found.responses == records.responses)
    }

    @Test("commits go on while a backup is made, and the backup is of one moment")
    func madeWhileInUse() throws {
        var (store, records) = try filled(scene)
        let backup = try store.makeBackup()
        let transition = records.next([.personRemoved(name: "anna")])
        try store.commit([transition])
        records.apply(transition)
        let bytes = try backup.piece(at: 0, count: backup.byteCount)
        #expect(try check(bytes, in: store).records.people["anna"] != nil)
        #expect(bytes.count == backup.byteCount)
    }

    // MARK: - Bringing it back

    @Test("a restore replaces all records and documents at once; the store keeps its own journal and revision")
    func restored() throws {
        let (store, records) = try filled(scene)
        let bytes = try bytes(of: store)
        let other = try Scene()
        var (target, before, _) = try other.open()
        let gone = before.next([
            .personSet(.anna, passwordHash: "$y$other"), .attachmentStored(try #require(.sample(2)), [1]),
        ])
        try target.commit([gone])
        before.apply(gone)
        let contents = try check(bytes, in: target)
        #expect(contents.version == GateRelease.version)
        #expect(contents.madeAt == WallTime(unixMilliseconds: 1_767_225_600_000))
        let transition = before.next([.restored(contents.records)])
        try target.commit([transition])
        before.apply(transition)
        target.forgetStagedRestore()
        target.close()
        let (reopened, found, _) = try other.open()
        #expect(found == before && found.people == records.people)
        #expect(try reopened.attachment(digest, offset: 0, count: .max)?.piece == document)
        #expect(try reopened.attachment(try #require(.sample(2)), offset: 0, count: 1) == nil)
        #expect(try reopened.audit(after: nil, last: nil, limit: 10).entries.map(\.number) == [1, 2])
        #expect(!other.names.contains { $0.contains("restore") })
        #expect(other.onDisk([Array("$y$other".utf8)]).isEmpty, "the old hash is gone from the file")
    }

    @Test("a lockout in a backup from another boot begins again")
    func otherBoot() throws {
        let bytes = try bytes(of: filled(scene).store)
        let other = try Scene()
        let (target, _, _) = try other.open(boot: "boot-2")
        let contents = try check(bytes, in: target, boot: BootTime(nanoseconds: 5))
        #expect(contents.records.lockouts[Lockout.key]?.lockedUntil == BootTime(nanoseconds: 30_000_000_005))
    }

    /// A backup as another version made it.
    private func bytes(_ statements: [String]) throws -> [UInt8] {
        let other = try Scene()
        try other.withOtherProgram { database in
            for statement in statements { try database.execute(sql: statement) }
        }
        return scene.read(other.database)
    }

    @Test("a backup of each schema since 0.9.0 is upgraded, and an earlier one is refused", arguments: 7...15)
    func ofEarlierVersions(number: Int) throws {
        let (target, before, _) = try scene.open()
        let later = EarlierStores.later.prefix(number - EarlierStores.first)
        let contents = try check(try bytes([EarlierStores.zeroNine] + later), in: target)
        try target.commit([before.next([.restored(contents.records)])])
        target.close()
        let records = try scene.open().records
        #expect(records.people.keys.elementsEqual(["anna"]) && records.drafts.count == 2)
        #expect(records.passcodeHash == "$y$j9T$x" && records.nextDraft == 1 && records.lastDraftRevision == 3)
        let (again, _, _) = try scene.open()
        let error = #expect(throws: StoreError.self) { try check(try bytes([EarlierStores.beforeZeroNine]), in: again) }
        #expect(error.map { "\($0)" }?.contains("a version before Gate 0.9.0 made it") == true)
    }

    @Test("a restore whose file is gone is not committed, and changes nothing")
    func withoutFile() throws {
        let bytes = try bytes(of: filled(scene).store)
        let other = try Scene()
        let (target, before, _) = try other.open()
        let contents = try check(bytes, in: target)
        target.forgetStagedRestore()
        #expect(throws: StoreError.self) { try target.commit([before.next([.restored(contents.records)])]) }
        target.close()
        #expect(try other.open().records == before)
    }

    @Test("a start removes a backup that was brought only in part")
    func leftovers() throws {
        let (store, _, _) = try scene.open()
        try store.stageRestore().append([1, 2, 3])
        #expect(scene.names.contains("gate.sqlite.restore"))
        #expect(scene.mode(of: scene.database + ".restore") == 0o600)
        store.close()
        _ = try scene.open()
        #expect(!scene.names.contains("gate.sqlite.restore"))
    }

    // MARK: - What is no backup

    /// Changes that somebody makes to a backup to get more from it than it holds.
    private static let forgeries: [String] = [
        "CREATE TRIGGER t AFTER INSERT ON person BEGIN DELETE FROM lockout; END",
        "CREATE VIEW v AS SELECT * FROM person", "CREATE TABLE mine (a)", "ALTER TABLE person ADD COLUMN mine TEXT",
        "DROP TABLE lockout; CREATE VIEW lockout AS SELECT 1 AS uid", "CREATE INDEX i ON person (upper(name))",
        "DELETE FROM meta", "DELETE FROM secret", "UPDATE meta SET number = 1 << 44, last_draft_revision = 1 << 50",
        "UPDATE meta SET number = (1 << 44) + 1", "UPDATE meta SET next_draft = (1 << 44) + 1",
        "UPDATE meta SET next_presentation = 1 << 62", "UPDATE meta SET next_response = 1",
        "UPDATE meta SET next_draft = 1", "UPDATE meta SET next_part = 1", "UPDATE part SET id = 9",
        "UPDATE lockout SET lock_duration = 604800000000001", "UPDATE lockout SET locked_until = 1 << 62",
        "UPDATE lockout SET wrong_answers = (1 << 44) + 1", "UPDATE lockout SET unanswered = (1 << 44) + 1",
        "UPDATE attachment SET bytes = x'00'", "UPDATE person SET password_hash = ''",
        "UPDATE person SET name = char(10)", "UPDATE draft SET key = key || 'x'", "DELETE FROM grdb_migrations",
        "DELETE FROM grdb_migrations WHERE identifier = 'owners'",
        "INSERT INTO grdb_migrations VALUES ('what comes next')", "PRAGMA application_id = 1",
        "UPDATE secret SET totp_key = zeroblob(5000), totp_used_step = 1", "UPDATE response SET response = '{'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'person'",
    ]

    @Test("a forged backup is refused, and nothing is changed", arguments: forgeries)
    func forged(statement: String) throws {
        let bytes = try bytes(of: filled(scene).store)
        let forgery = try Scene()
        scene.write(bytes, to: forgery.database)
        try forgery.withOtherProgram { database in
            try database.execute(sql: "PRAGMA ignore_check_constraints = ON")
            try database.execute(sql: statement)
        }
        let other = try Scene()
        let (target, before, _) = try other.open()
        let error = #expect(throws: StoreError.self) { try check(scene.read(forgery.database), in: target) }
        if case .notABackup = error {} else { Issue.record("\(String(describing: error))") }
        #expect(!other.names.contains { $0.contains("restore") })
        try target.commit([before.next()])
        target.close()
        #expect(try other.open().outcome == .opened)
    }

    @Test("a backup with missing or additional bytes at its end is refused")
    func lastBytes() throws {
        let bytes = try bytes(of: filled(scene).store)
        let other = try Scene()
        let (target, _, _) = try other.open()
        for wrong in [Array(bytes.dropLast(1)), Array(bytes.dropLast(1000))] {
            #expect(throws: StoreError.notABackup("it is not complete")) { try check(wrong, in: target) }
        }
        #expect(throws: StoreError.notABackup("there are bytes after its end")) { try check(bytes + [0], in: target) }
        #expect(try check(bytes, in: target).records.people["anna"] != nil)
    }

    @Test(
        "a file that is no database, or only part of one, is refused as a backup", arguments: [0, 1, 100, 4096, 20_000])
    func cut(count: Int) throws {
        let bytes = try bytes(of: filled(scene).store)
        let other = try Scene()
        let (target, _, _) = try other.open()
        for wrong in [Array(bytes.prefix(count)), [UInt8](repeating: 0x41, count: count)] {
            let error = #expect(throws: StoreError.self) { try check(wrong, in: target) }
            if case .notABackup = error {} else { Issue.record("\(String(describing: error))") }
        }
    }

    @Test(
        "flipped bytes in a backup are noticed, or change nothing but a word of the journal", arguments: 0..<40
    )
    func turned(seed: Int) throws {
        var bytes = try bytes(of: filled(scene).store)
        var random = SplitMix(state: UInt64(seed))
        for _ in 0..<20 { bytes[random.number(below: bytes.count)] ^= UInt8(1 + random.number(below: 255)) }
        let other = try Scene()
        let (target, before, _) = try other.open()
        do {
            let contents = try check(bytes, in: target)
            try target.commit([before.next([.restored(contents.records)])])
            target.close()
            #expect(try other.open().outcome == .opened)
        } catch let error as StoreError {
            if case .notABackup = error {} else { Issue.record("\(error)") }
        }
    }

    @Test("the recorded shape of the newest schema is that of a new store")
    func shapes() throws {
        let (store, _, _) = try scene.open()
        let shape = try store.database.read(StoreSchema.shape(of:))
        #expect(shape == (try StoreSchema.shape(ofNumber: StoreSchema.number)))
        #expect(try StoreSchema.shape(ofNumber: 0).isEmpty && StoreSchema.shape(ofNumber: 99).isEmpty)
    }

    // MARK: - A crash

    @Test(
        "kill -9 in the middle of a restore leaves the old store or the new one",
        arguments: [0, 200, 1000, 3000, 8000, 20_000])
    func killed(microseconds: UInt32) async throws {
        let bytes = try bytes(of: filled(scene).store)
        let other = try Scene()
        let file = other.directory + "/backup"
        scene.write(bytes, to: file)
        let (target, before, _) = try other.open()
        target.close()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = other.directory as String, microseconds] in
            try restoreUntilKilled(directory: directory, microseconds: microseconds)
        }
        let (_, found, outcome) = try other.open()
        #expect(outcome == .opened)
        if found.revision == before.revision {
            #expect(found == before)
        } else {
            #expect(found.people["anna"] != nil && found.attachments == [digest: document.count])
            #expect(found.lockouts[Lockout.key] != nil && found.responses.count == 1)
        }
    }
}

/// Restores the file `backup` of this directory, and is killed after this time.
private func restoreUntilKilled(directory: String, microseconds: UInt32) throws {
    let (store, records, _) = try GateStore.open(directory: directory, bootID: Scene.boot, now: Scene.now)
    let descriptor = open(directory + "/backup", O_RDONLY)
    var bytes = [UInt8](repeating: 0, count: 4 << 20)
    bytes.removeLast(bytes.count - read(descriptor, &bytes, bytes.count))
    let staged = try store.stageRestore()
    try staged.append(bytes)
    let contents = try store.check(staged, now: Scene.now) { bytes in
        AttachmentDigest(bytes: [1] + Array(repeating: 7, count: 31)).unsafelyUnwrapped
    }
    let delay = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    delay.initialize(to: microseconds)
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { argument in
            usleep(argument.unsafelyUnwrapped.load(as: UInt32.self))
            kill(getpid(), SIGKILL)
            return nil
        }, delay)
    try store.commit([records.next([.restored(contents.records)])])
    while true { sleep(1) }
}
