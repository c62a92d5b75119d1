public import GateCore
public import GateModel
import Glibc
import SQLite
import Synchronization

/// A backup: a copy of the store in one file, to be read in pieces. The file is already unlinked, so it disappears with
/// this object or with the process.
public final class StoreBackup: Sendable {
    public let byteCount: Int
    private let descriptor: CInt

    fileprivate init(_ descriptor: CInt) {
        (self.descriptor, byteCount) = (descriptor, max(0, Int(lseek(descriptor, 0, SEEK_END))))
    }

    deinit { close(descriptor) }

    /// A piece of at most `count` bytes, which is empty past the end. Blocks until the disk has answered.
    public func piece(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
        let start = min(max(0, offset), byteCount)
        let wanted = min(max(0, count), byteCount - start)
        // A file on a local disk is read as a whole, without interruptions.
        let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, wanted, off_t(start)))
        }
        guard piece.count == wanted else { throw .system("the backup can't be read") }
        return piece
    }
}

/// A backup that is being restored: a file beside the store that is not used until a transition brings in its records
/// (`RecordChange.restored`). `forgetStagedRestore()` removes it, and so does the next start.
public final class StagedRestore: Sendable {
    private let directory: StoreDirectory
    private let descriptor: CInt

    fileprivate var file: String { directory.stagedRestore }
    fileprivate var byteCount: Int { Int(lseek(descriptor, 0, SEEK_END)) }

    fileprivate init(in directory: StoreDirectory) throws(StoreError) {
        self.directory = directory
        descriptor = try directory.makeEmpty(directory.stagedRestore)
    }

    deinit { close(descriptor) }

    /// Appends a piece of the backup. Blocks until the disk has taken it. After an error a part may have been written.
    public func append(_ piece: [UInt8]) throws(StoreError) {
        var rest = piece[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard written > 0 else { throw .system("can't write \(file)") }
            rest = rest.dropFirst(written)
        }
    }
}

public struct BackupContents: Hashable, Sendable {
    /// The records. If the backup is from another boot, every lock begins again.
    public var records: DurableRecords
    /// The version of Gate that last upgraded its schema, for example "0.9.0"; `nil` if that is not recorded.
    public var version: String?
    /// The time of its journal's newest entry, and so about that of the backup; `nil` if the journal is empty.
    public var madeAt: WallTime?
}

extension GateStore {
    /// Makes a backup of what is committed now. Commits can go on meanwhile. The backup has no kept grants, no asks, no
    /// answers to this or other devices' asks, and no time used on other devices, because a restore never takes these
    /// from a backup. It contains everything else that outlives the daemon, including password hashes and the
    /// authenticator's key. The state directory's disk needs room for a second copy.
    public func makeBackup() throws(StoreError) -> StoreBackup {
        try Self.performing {
            // A separate connection, so that commits need not wait for it.
            let source = try StoreConnection.inspect(directory.database)
            defer { try? source.close() }
            let file = directory.unfinishedBackup
            let backup = StoreBackup(
                try StoreConnection.copy(source, as: file, in: directory) { database in
                    for table in ["kept_grant", "ask", "ask_answer", "household_answer", "usage_elsewhere"] {
                        try database.execute(sql: "DELETE FROM \(table)")
                    }
                })
            try directory.remove(file)
            guard backup.byteCount > 0 else { throw StoreError.system("can't read \(file)") }
            return backup
        }
    }

    /// Makes an empty file for a backup. There is only one at a time: the one before is removed.
    public func stageRestore() throws(StoreError) -> StagedRestore {
        forgetStagedRestore()
        return try StagedRestore(in: directory)
    }

    /// Closes and removes the file. The store is unchanged, unless the transition was committed.
    public func forgetStagedRestore() {
        try? staged.withLock { $0.take() }?.close()
        try? directory.remove(directory.stagedRestore)
    }

    /// Checks that the backup is complete, intact, Gate's, and not of a newer version; upgrades it and reads its
    /// records. The store itself is not changed. From now on a commit of `RecordChange.restored` may copy its
    /// documents, which `nameOf` names by their bytes. After an error, call `forgetStagedRestore()`.
    ///
    /// Nothing in the file is trusted: before a record is read, its tables must be, word for word, those of Gate.
    public func check(
        _ restore: StagedRestore, now: BootTime, nameOf: ([UInt8]) -> AttachmentDigest
    ) throws(StoreError) -> BackupContents {
        do {
            let backup = try Self.opened(restore)
            let contents = try backup.read { try self.contents(of: $0, now: now, nameOf: nameOf) }
            staged.withLock { $0 = backup }
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

    private static func opened(_ restore: StagedRestore) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: restore.file) { database in
            try database.execute(sql: "PRAGMA trusted_schema = OFF")
            try database.execute(sql: "PRAGMA cell_size_check = ON")
        }
        try queue.read { database in
            let number = try StoreSchema.number(in: database, at: restore.file)
            guard try StoreSchema.shape(of: database) == StoreSchema.shape(ofNumber: number) else {
                throw StoreError.notABackup("its tables are not those of Gate")
            }
            // SQLite would read bytes that are missing at the end of the last page as zeros.
            let size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            let expected = try Int.fetchOne(database, sql: size) ?? 0
            guard restore.byteCount >= expected else { throw StoreError.notABackup("it is not complete") }
            guard restore.byteCount == expected else { throw StoreError.notABackup("there are bytes after its end") }
            try StoreConnection.check(database, "integrity_check")
        }
        try StoreSchema.migrator.migrate(queue)
        return queue
    }

    private func contents(
        of database: Database, now: BootTime, nameOf: ([UInt8]) -> AttachmentDigest
    ) throws -> BackupContents {
        var (records, storedBootID) = try RecordTables.load(from: database)
        if storedBootID != bootID { records.deviceRebooted(at: now) }
        guard
            try RecordTables.largestNumber(in: database).map({ $0 <= Self.maximumNumber }) == true,
            records.isWithinCounters(at: now)
        else { throw StoreError.notABackup("it has a number that no device has") }
        for digest in records.attachments.keys {
            guard try RecordTables.attachments.piece(of: digest, in: database).map({ nameOf($0.piece) }) == digest
            else {
                throw StoreError.notABackup("a document in it is not what its name says")
            }
        }
        records.quarantinedFile = nil
        let newest = try Row.fetchOne(database, sql: "SELECT time FROM audit ORDER BY id DESC LIMIT 1")
        return BackupContents(
            records: records, version: try StoreSchema.version(in: database),
            madeAt: try newest.map { try Format.time.read($0[0]) })
    }
}

extension DurableRecords {
    /// Whether each draft, response and part has an id below the counter of its kind, and no lockout has counted more
    /// answers or lasts longer than it can on a device. Otherwise a row that is new after the restore would replace one
    /// with the same id, and a user could stay locked out for ever.
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
