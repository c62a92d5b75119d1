public import GateCore
public import GateModel
import Glibc
import SQLite
import Synchronization

/// A backup that is being restored: a file beside the store that is not used until a transition brings in its records
/// (`RecordChange.restored`). `discard()` removes it, and so does the next start.
public final class StagedRestore: Sendable {
    private let directory: StoreDirectory
    /// `nil` when no more pieces are accepted.
    private let descriptor: Mutex<CInt?>
    /// Open after the check. The commit copies documents from it.
    fileprivate let database = Mutex<DatabaseQueue?>(nil)

    fileprivate var file: String { directory.stagedRestore }

    fileprivate init(in directory: StoreDirectory) throws(StoreError) {
        self.directory = directory
        descriptor = Mutex(try directory.makeEmpty(directory.stagedRestore))
    }

    deinit { closeFile() }

    /// Appends a piece of the backup. Blocks until the disk has taken it.
    ///
    /// - Throws: `StoreError`, for example `.full`. A part of the piece may have been written.
    public func append(_ piece: [UInt8]) throws(StoreError) {
        guard let descriptor = descriptor.withLock({ $0 }) else { throw .closed }
        var rest = piece[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .system("can't write \(file)") }
            rest = rest.dropFirst(written)
        }
    }

    /// Removes the file. The store is unchanged, unless the transition was committed.
    public func discard() {
        closeFile()
        try? database.withLock { $0.take() }?.close()
        try? directory.remove(file)
    }

    fileprivate func closeFile() {
        if let open = descriptor.withLock({ $0.take() }) { _ = close(open) }
    }

    /// The bytes of a document in the backup; `nil` if it has none with this digest.
    func document(_ digest: AttachmentDigest) throws -> [UInt8]? {
        try database.withLock { database in
            guard let database else { throw StoreError.closed }
            return try database.read { database in
                try RecordTables.attachments.piece(of: digest, offset: 0, count: .max, in: database)?.piece
            }
        }
    }
}

public struct BackupContents: Hashable, Sendable {
    /// The records. If the backup is from another boot, every lock begins again.
    public var records: DurableRecords
    /// The version of Gate that last upgraded its schema, for example "0.9.0"; `nil` if that is not recorded.
    public var version: String?
    /// The time of the newest entry in its journal: the backup was made then or a little later. `nil` if the journal is
    /// empty.
    public var madeAt: WallTime?
}

extension GateStore {
    /// Makes an empty file for a backup. There is only one at a time: the one before is removed.
    public func stageRestore() throws(StoreError) -> StagedRestore {
        forgetStagedRestore()
        return try StagedRestore(in: directory)
    }

    /// Removes the staged backup, if there is one.
    public func forgetStagedRestore() {
        staged.withLock { $0.take() }?.discard()
    }

    /// Checks that the backup is complete, intact, Gate's, and not of a newer version; upgrades it and reads its
    /// records. The store itself is not changed. From now on a commit of `RecordChange.restored` may copy its
    /// documents.
    ///
    /// Nothing in the file is trusted: before a record is read, its tables must be, word for word, those that Gate makes.
    /// - Parameters:
    ///   - now: the boot clock's time.
    ///   - nameOf: computes the digest by which bytes are named.
    /// - Throws: `StoreError`, for example `.notABackup` or `.full`. Then call `discard()`.
    public func check(
        _ restore: StagedRestore, now: BootTime, nameOf: ([UInt8]) -> AttachmentDigest
    ) throws(StoreError) -> BackupContents {
        restore.closeFile()
        do {
            let queue = try Self.opened(restore.file)
            var contents = try queue.read { database in
                try Self.contents(of: database, bootID: bootID, now: now, nameOf: nameOf)
            }
            contents.records.quarantinedFile = nil
            restore.database.withLock { $0 = queue }
            staged.withLock { $0 = restore }
            return contents
        } catch StoreError.newer(let store) {
            throw .notABackup(
                "\(store.version.map { "Gate \($0)" } ?? "a newer version of Gate") made it, with schema \(store.schema), and "
                    + "this version knows \(store.knownSchema); install that version first")
        } catch StoreError.older {
            throw .notABackup("a version before Gate 0.9.0 made it; restore it with Gate 0.9.0, and make another one")
        } catch {
            switch StoreError(error) {
            case .damaged(let why): throw .notABackup(why)
            case let error: throw error
            }
        }
    }

    /// No device reaches this number, and it leaves room for as many more.
    fileprivate static let maximumNumber = RecordTables.maximumNumber / 2

    private static func opened(_ file: String) throws -> DatabaseQueue {
        var status = stat()
        guard stat(file, &status) == 0 else { throw StoreError.system("can't read \(file)") }
        let byteCount = Int(status.st_size)
        let queue = try DatabaseQueue(path: file) { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA cell_size_check = ON")
        }
        let schema = try queue.read { database in
            guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == StoreSchema.applicationID else {
                throw StoreError.notABackup("it is no backup of Gate")
            }
            let schema = try StoreSchema.number(in: database, at: file)
            guard try schema > 0 && StoreSchema.shape(of: database) == StoreSchema.shape(ofNumber: schema) else {
                throw StoreError.notABackup("its tables are not those of Gate")
            }
            // SQLite would read bytes that are missing at the end of the last page as zeros.
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let pageSize = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
            guard byteCount >= pages * pageSize else { throw StoreError.notABackup("it is not complete") }
            guard byteCount == pages * pageSize else { throw StoreError.notABackup("there are bytes after its end") }
            let problem = try String.fetchOne(database, sql: "PRAGMA integrity_check(1)")
            guard problem == "ok" else { throw StoreError.notABackup(problem ?? "integrity_check says nothing") }
            return schema
        }
        if schema < StoreSchema.number { try StoreSchema.migrator.migrate(queue) }
        return queue
    }

    private static func contents(
        of database: Database, bootID: String, now: BootTime, nameOf: ([UInt8]) -> AttachmentDigest
    ) throws -> BackupContents {
        var (records, storedBootID) = try RecordTables.load(from: database)
        if storedBootID != bootID { records.deviceRebooted(at: now) }
        guard
            records.revision.number <= maximumNumber,
            MetaTable.counters.allSatisfy({ records[keyPath: $0.path] <= maximumNumber }),
            records.isWithinCounters(at: now)
        else { throw StoreError.notABackup("it has a number that no device has") }
        for digest in records.attachments.keys {
            let bytes = try RecordTables.attachments.piece(of: digest, offset: 0, count: .max, in: database)?.piece
            guard bytes.map(nameOf) == digest else {
                throw StoreError.notABackup("a document in it is not what its name says")
            }
        }
        let newest = try Row.fetchOne(database, sql: "SELECT time FROM audit ORDER BY id DESC LIMIT 1")
        return BackupContents(
            records: records, version: try StoreSchema.version(in: database),
            madeAt: try newest.map { try Format.time.read($0[0]) })
    }
}

extension DurableRecords {
    /// Whether each row has an id below the counter of its kind, and no lockout counts or lasts for longer than Gate
    /// ever lets one. Otherwise a row that is new after the restore would replace one with the same id, and a user could
    /// stay locked out for ever.
    fileprivate func isWithinCounters(at now: BootTime) -> Bool {
        let longest = Configuration.longestLock
        return drafts.keys.allSatisfy { $0.id < nextDraft } && responses.keys.allSatisfy { $0 < nextResponse }
            && parts.keys.allSatisfy { $0 < nextPart }
            && lockouts.values.allSatisfy { lockout in
                max(lockout.wrongAnswers, lockout.unanswered) <= Int(clamping: GateStore.maximumNumber)
                    && lockout.lockDuration <= longest
                    && lockout.lockedUntil.map { $0 <= now.advanced(by: longest) } ?? true
            }
    }
}
