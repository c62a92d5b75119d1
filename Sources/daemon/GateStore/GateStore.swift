public import GateCore
public import GateModel
import Glibc
import SQLite
import Synchronization

/// The memory of the daemon: lockouts, kept grants, the passcode's hash and the authenticator's key, accounts,
/// what providers said, forms and their attachments, which news were seen, the damage it is closed for, and the journal, in
/// one SQLite file.
///
/// Every function blocks until the disk has answered; call them from a thread that may wait. A commit that returned is
/// on the disk, whatever happens next (G-03, G-05). Parent mode and open presentations are not in here, and so don't
/// survive a restart.
public final class GateStore: Sendable {
    /// How the store was found.
    public enum OpenOutcome: Hashable, Sendable {
        case opened
        /// There was none.
        case created
        /// It was damaged. It lies in the file named, untouched, and a new one has taken its place, which remembers
        /// that (`DurableRecords.quarantinedFile`) until a transition says `.damageSet(quarantinedFile: nil)`.
        case replacedDamaged(quarantinedFile: String)
    }

    let database: DatabaseQueue
    let directory: StoreDirectory
    let bootID: String
    private let epoch: UInt64
    private let journalCapacity: Int
    private let oldest: Mutex<UInt64>
    /// The tally of the journal; `nil` after a commit that failed.
    let tally: Mutex<JournalTally?>
    /// The backup whose rows the next commit may bring, with its documents.
    let staged = Mutex<StagedRestore?>(nil)

    private init(
        database: DatabaseQueue, directory: StoreDirectory, bootID: String, epoch: UInt64, journalCapacity: Int,
        tally: JournalTally
    ) {
        self.database = database
        self.directory = directory
        self.bootID = bootID
        self.epoch = epoch
        self.journalCapacity = journalCapacity
        oldest = Mutex(tally.oldestNumber)
        self.tally = Mutex(tally)
    }

    // MARK: - Opening

    /// Opens the store of a state directory, and makes what is missing. At most one process has it open.
    ///
    /// - Parameters:
    ///   - directory: made with mode 0700 if it is missing; must be ours, and not writable by others.
    ///   - bootID: of this boot of the device. After a reboot each lock that had not run out begins again: the boot
    ///     clock has started from zero, and a wait must not become shorter. Kept grants end.
    ///   - now: of the boot clock.
    ///   - journalCapacity: how many audit entries are kept.
    /// A store of an earlier version is copied aside before it is upgraded (`UpgradeCopy`).
    /// - Throws: `StoreError`. A damaged file is no error: see `OpenOutcome.replacedDamaged`.
    public static func open(
        directory path: String, bootID: String, now: BootTime, journalCapacity: Int = 50_000
    ) throws(StoreError) -> (store: GateStore, records: DurableRecords, outcome: OpenOutcome) {
        precondition(journalCapacity > 0, "a journal without room")
        let directory = try StoreDirectory(opening: path)
        try directory.removeUnfinishedCopies()
        func connect() throws(StoreError) -> (store: GateStore, records: DurableRecords) {
            try connecting(to: directory, bootID: bootID, now: now, journalCapacity: journalCapacity)
        }
        func replace(quarantinedFile: String) throws(StoreError) -> (GateStore, DurableRecords, OpenOutcome) {
            try create(in: directory, bootID: bootID, quarantinedFile: quarantinedFile)
            let (store, records) = try connect()
            return (store, records, .replacedDamaged(quarantinedFile: quarantinedFile))
        }

        guard let size = try directory.checkDatabase() else {
            // Nothing there is a new device, unless something was damaged: then it stays closed, even where the last
            // start ended between setting aside and making the new store.
            if directory.hasOrphans { return try replace(quarantinedFile: try directory.setDatabaseAside()) }
            if let quarantinedFile = try directory.newestQuarantinedFile() {
                return try replace(quarantinedFile: quarantinedFile)
            }
            try create(in: directory, bootID: bootID, quarantinedFile: nil)
            let (store, records) = try connect()
            return (store, records, .created)
        }
        // SQLite takes an empty file for a new database, and throws its log away. We never leave an empty file.
        guard size > 0 else { return try replace(quarantinedFile: try directory.setDatabaseAside()) }
        do {
            let (store, records) = try connect()
            return (store, records, .opened)
        } catch {
            guard case .damaged = error else { throw error }
            return try replace(quarantinedFile: try directory.setDatabaseAside())
        }
    }

    /// Makes a new, empty store under another name, and puts it into force when it is whole.
    private static func create(
        in directory: StoreDirectory, bootID: String, quarantinedFile: String?
    ) throws(StoreError) {
        _ = Glibc.close(try directory.makeEmpty(directory.unfinishedDatabase))
        let records = DurableRecords(
            revision: Revision(epoch: UInt64.random(in: 1 ... .max), number: 0), quarantinedFile: quarantinedFile)
        try performing {
            let database = try StoreConnection.open(directory.unfinishedDatabase)
            try StoreSchema.migrate(database)
            try database.write { try RecordTables.meta.create(records, bootID: bootID, in: $0) }
            // Brings everything from the log into the file.
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
            // A crash may have come between a secret's end and that of its last trace.
            forgetLog(of: database)
            let store = GateStore(
                database: database, directory: directory, bootID: bootID, epoch: records.revision.epoch,
                journalCapacity: journalCapacity, tally: tally)
            return (store, records)
        }
    }

    /// Restores what was stored, with the locks of an earlier boot begun again (G-03) and its kept grants ended.
    private static func restore(bootID: String, now: BootTime, in database: Database) throws -> DurableRecords {
        var (records, storedBootID) = try RecordTables.load(from: database)
        let isReboot = storedBootID != bootID
        if isReboot { records.deviceRebooted(at: now) }
        let grantsAreRight = try RecordTables.keptGrants.table.count(in: database) == records.keptGrants.count
        guard isReboot || !grantsAreRight else { return records }
        try database.inTransaction {
            if isReboot {
                for (key, lockout) in records.lockouts where lockout.lockedUntil != nil {
                    try RecordTables.lockouts.set(lockout, for: key, in: database)
                }
                try RecordTables.meta.set(bootID: bootID, in: database)
            }
            if !grantsAreRight {
                try RecordTables.keptGrants.replaceAll(with: records, documentsFrom: nil, in: database)
            }
        }
        return records
    }

    // MARK: - Writing

    /// Makes transitions durable, in order, as one transaction: all of them, or none. Those that changed nothing are
    /// passed over, and with no other there is nothing to wait for.
    ///
    /// - Throws: `StoreError`; then nothing is stored, and a later commit may work again (`.full`, `.readOnly`).
    public func commit(_ transitions: [Transition]) throws(StoreError) {
        let changes = transitions.filter(\.isChange)
        guard let last = changes.last else { return }
        precondition(changes.allSatisfy { $0.revision.epoch == epoch }, "a commit of another store's revision")
        let staged = self.staged.withLock { $0 }
        // Taken out: after a commit that fails the store alone knows what is in it.
        let known = self.tally.withLock { $0.take() }
        let tally = try Self.performing {
            var tally = known
            try database.inDatabase { database in
                try database.inTransaction {
                    for change in changes {
                        for record in change.records {
                            try RecordTables.apply(record, documentsFrom: staged, in: database)
                        }
                    }
                    let counted = try AuditJournal.append(
                        changes, capacity: journalCapacity, to: known, in: database)
                    try RecordTables.meta.set(last.revision, counted, in: database)
                    tally = counted
                }
            }
            return tally
        }
        if let tally { oldest.withLock { $0 = tally.oldestNumber } }
        self.tally.withLock { $0 = tally }
        if changes.contains(where: { $0.records.contains(where: RecordTables.replacesSecret) }) {
            Self.forgetLog(of: database)
        }
    }

    /// Brings the log into the file and empties it, so that what was overwritten there is not left in the log.
    ///
    /// Fails where another program is reading, or the disk is full: then the commit stands all the same, and the log is
    /// emptied when the store is closed or opened the next time, or at the next change of a secret.
    private static func forgetLog(of database: DatabaseQueue) {
        try? database.inDatabase { try $0.emptyLog() }
    }

    // MARK: - The journal

    /// The first revision of which the journal holds everything from there on; 1 until something was pruned. A reader
    /// that has seen revision `n` has missed nothing if `n + 1` is at least this. Does not block.
    public var oldestAuditNumber: UInt64 { oldest.withLock { $0 } }

    /// A page of the journal (G-05).
    ///
    /// - Parameters:
    ///   - number: entries of later revisions only; `nil`: from the oldest that is kept.
    ///   - last: only the newest so many, and what else belongs to the first one's revision; `nil`: all.
    ///   - limit: at most so many entries, at least 1; a single revision that has more comes whole.
    /// - Throws: `StoreError`.
    public func audit(after number: UInt64?, last: Int?, limit: Int) throws(StoreError) -> AuditPage {
        try Self.performing {
            try database.inDatabase { database in
                try AuditJournal.page(after: number ?? 0, last: last, limit: limit, in: database)
            }
        }
    }

    // MARK: - The end

    /// Ends every use of the store, and lets another process have the directory. Calls after this throw
    /// `StoreError.closed`.
    public func close() {
        // What fails here loses nothing: the log stays beside the file, and the next start reads it.
        try? database.close()
        directory.unlock()
    }

    /// The version of SQLite in use, for example "3.40.1".
    public static var sqliteVersion: String {
        let number = Database.sqliteLibVersionNumber
        return "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
    }

    static func performing<Result>(_ work: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try work()
        } catch {
            throw StoreError(error)
        }
    }
}
