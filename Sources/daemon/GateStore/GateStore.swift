public import GateCore
public import GateModel
import Glibc
import SQLite
import Synchronization

/// What the daemon remembers: lockouts, kept grants, asks, the passcode's hash and the authenticator's key, people,
/// what providers said, forms and their attachments, which news were seen, the damage that it is closed for, the
/// household, choices about gates, and the journal. All of it is in one SQLite file.
///
/// Every function blocks until the disk has answered, so call them on a thread that may block. When a commit has
/// returned, it is on the disk, whatever happens next. Parent mode and open presentations are not stored, so they end
/// at a restart.
public final class GateStore: Sendable {
    public enum OpenOutcome: Hashable, Sendable {
        case opened
        case created
        /// The store was damaged. It is now, unchanged, the file named here, and a new store has replaced it. The new
        /// one keeps the name (`DurableRecords.quarantinedFile`) until `.damageSet(quarantinedFile: nil)` is committed.
        case replacedDamaged(quarantinedFile: String)
    }

    let database: DatabaseQueue
    let directory: StoreDirectory
    let bootID: String
    private let journalCapacity: Int
    private let oldest: Mutex<UInt64>
    /// `nil` after a failed commit.
    let tally: Mutex<JournalTally?>
    /// The backup whose records and documents the next commit may bring in.
    let staged = Mutex<DatabaseQueue?>(nil)

    private init(
        _ database: DatabaseQueue, _ directory: StoreDirectory, bootID: String, journalCapacity: Int,
        _ tally: JournalTally
    ) {
        (self.database, self.directory) = (database, directory)
        (self.bootID, self.journalCapacity) = (bootID, journalCapacity)
        oldest = Mutex(tally.oldestNumber)
        self.tally = Mutex(tally)
    }

    // MARK: - Opening

    /// Opens the store of a state directory, and makes what is missing. Only one process can have it open. A store of
    /// an earlier version is copied before it is upgraded (`UpgradeCopy`). A damaged one is replaced.
    ///
    /// The directory gets mode 0700 if it is made; it must belong to this user and not be writable by others. `bootID`
    /// names this boot of the device. After a reboot the boot clock starts from zero, so every lock that had not ended
    /// begins again: a wait must not become shorter. Grants that the policy keeps end, and a grown-up's yes to an ask
    /// stays. The journal keeps `journalCapacity` entries.
    public static func open(
        directory path: String, bootID: String, now: BootTime, journalCapacity: Int = 50_000
    ) throws(StoreError) -> (store: GateStore, records: DurableRecords, outcome: OpenOutcome) {
        precondition(journalCapacity > 0, "a journal without room")
        let directory = try StoreDirectory(opening: path)
        try directory.removeUnfinishedCopies()
        func connect() throws(StoreError) -> (store: GateStore, records: DurableRecords) {
            try connecting(to: directory, bootID: bootID, now: now, journalCapacity: journalCapacity)
        }
        let sizes = try directory.checkDatabase()
        // SQLite would take an empty file for a new database and discard its log. Gate never leaves an empty file.
        if let size = sizes[0], size > 0 {
            do {
                let (store, records) = try connect()
                return (store, records, .opened)
            } catch {
                guard case .damaged = error else { throw error }
            }
        }
        // No file means a new device, unless a damaged database was set aside before. Then the new store also names
        // that file: the last start may have ended before it made a new store. Gate never removes the database alone.
        let quarantinedFile: String? =
            try sizes.contains { $0 != nil } ? directory.setDatabaseAside() : directory.newestQuarantinedFile()
        try create(in: directory, bootID: bootID, quarantinedFile: quarantinedFile)
        let (store, records) = try connect()
        return (store, records, quarantinedFile.map { .replacedDamaged(quarantinedFile: $0) } ?? .created)
    }

    /// Makes a new, empty store under another name, and renames it when it is complete.
    private static func create(
        in directory: StoreDirectory, bootID: String, quarantinedFile: String?
    ) throws(StoreError) {
        _ = Glibc.close(try directory.makeEmpty(directory.unfinishedDatabase))
        var records = DurableRecords(revision: Revision(epoch: UInt64.random(in: 1 ... .max), number: 0))
        records.quarantinedFile = quarantinedFile
        try performing { [records] in
            let database = try StoreConnection.open(directory.unfinishedDatabase)
            try StoreSchema.migrate(database)
            try database.write { try RecordTables.meta.create(records, bootID: bootID, in: $0) }
            // Moves everything from the log into the file.
            try database.close()
        }
        try directory.finish(directory.unfinishedDatabase, as: StoreDirectory.databaseName)
    }

    private static func connecting(
        to directory: StoreDirectory, bootID: String, now: BootTime, journalCapacity: Int
    ) throws(StoreError) -> (store: GateStore, records: DurableRecords) {
        try performing {
            let inspection = try UpgradeCopy.namingCopy(in: directory) {
                try StoreConnection.inspect(directory.database)
            }
            try UpgradeCopy.makeIfNeeded(of: inspection, in: directory)
            let database = try StoreConnection.open(directory.database)
            try inspection.close()
            try StoreSchema.migrate(database)
            let (records, tally) = try database.inDatabase { database in
                try StoreSchema.checkTables(in: database)
                let records = try restore(bootID: bootID, now: now, in: database)
                return (records, try RecordTables.meta.tally(in: database))
            }
            // A crash may have come after a secret was replaced and before its last trace was removed from the log.
            forgetLog(of: database)
            return (GateStore(database, directory, bootID: bootID, journalCapacity: journalCapacity, tally), records)
        }
    }

    /// Loads what was stored. If the device has rebooted, the locks begin again, and grants that the policy keeps end.
    private static func restore(bootID: String, now: BootTime, in database: Database) throws -> DurableRecords {
        var (records, storedBootID) = try RecordTables.load(from: database)
        let isReboot = storedBootID != bootID
        if isReboot { records.deviceRebooted(at: now) }
        let kept = records.keptGrants.count { $0.key.ask == nil }
        let grantsAreRight = try RecordTables.keptGrants.table.count(in: database) == kept
        guard isReboot || !grantsAreRight else { return records }
        try database.inTransaction {
            try RecordTables.meta.change(in: database) { $0.bootID = bootID }
            try RecordTables.lockouts.replaceAll(with: records, in: database)
            try RecordTables.keptGrants.replaceAll(with: records, in: database)
            try RecordTables.answers.replaceAll(with: records, in: database)
        }
        return records
    }

    // MARK: - Writing

    /// Makes transitions durable, in order, in one transaction: all or none. Transitions without changes are skipped;
    /// if there are no others, nothing is written. After an error a later commit may succeed (`.full`, `.readOnly`).
    public func commit(_ transitions: [Transition]) throws(StoreError) {
        let changes = transitions.filter(\.isChange)
        guard let last = changes.last else { return }
        let staged = self.staged.withLock { $0 }
        // The tally is taken out, so that after a failed commit the next one reads it from the store.
        let known = self.tally.withLock { $0.take() }
        var replacedSecret = false
        let tally = try Self.performing {
            try database.write { database in
                for record in changes.lazy.flatMap(\.records) {
                    let isSecret = try RecordTables.apply(record, documentsFrom: staged, in: database)
                    replacedSecret = replacedSecret || isSecret
                }
                let tally = try AuditJournal.append(changes, capacity: journalCapacity, to: known, in: database)
                try RecordTables.meta.set(last.revision, tally, in: database)
                return tally
            }
        }
        oldest.withLock { $0 = tally.oldestNumber }
        self.tally.withLock { $0 = tally }
        if replacedSecret { Self.forgetLog(of: database) }
    }

    /// Moves the log into the file and empties it, so that the log does not keep what was overwritten in the file. If
    /// another program is reading or the disk is full, the log is emptied when the store is closed or opened the next
    /// time, or at the next change of a secret. The commit is not affected.
    private static func forgetLog(of database: DatabaseQueue) {
        try? database.inDatabase { try $0.emptyLog() }
    }

    // MARK: - The journal

    /// The first revision from which on the journal is complete; 1 until something was pruned. A reader that has seen
    /// revision `n` has missed nothing if `n + 1` is at least this. Does not block.
    public var oldestAuditNumber: UInt64 { oldest.withLock { $0 } }

    /// A page of the journal: the oldest entries of revisions after `number`, at most `limit` but always a whole
    /// revision. With `last`, only that many of the newest entries are read, and the rest of the first one's revision.
    public func audit(after number: UInt64?, last: Int?, limit: Int) throws(StoreError) -> AuditPage {
        try reading { try AuditJournal.page(after: number ?? 0, last: last, limit: limit, in: $0) }
    }

    /// Closes the store, so that another process can open the directory. Later calls throw `StoreError.closed`.
    public func close() {
        // An error loses nothing: the log stays beside the file, and the next start reads it.
        try? database.close()
        directory.unlock()
    }

    public static let sqliteVersion = Database.libraryVersion

    func reading<Result>(_ work: (Database) throws -> Result) throws(StoreError) -> Result {
        try Self.performing { try database.inDatabase(work) }
    }

    static func performing<Result>(_ work: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try work()
        } catch {
            throw StoreError(error)
        }
    }
}
