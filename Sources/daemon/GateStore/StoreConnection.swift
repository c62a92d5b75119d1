import Glibc
import SQLite

/// How the database is opened, inspected and copied. There is one connection instead of a pool: reading a page of the
/// journal takes a millisecond, for which a commit can wait, and a pool would need memory for every reader.
enum StoreConnection {
    /// Opens the file for writing, in WAL mode, so that every commit is on the disk before it returns. Not every file
    /// system supports that, so both settings are read back.
    static func open(_ path: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: path) { database in
            let journalMode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") ?? "none"
            try database.execute(sql: "PRAGMA synchronous = FULL")
            let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1
            guard journalMode == "wal", synchronous == 2 else {
                throw StoreError.failed(
                    "SQLite does not keep commits safe here (journal \(journalMode), synchronous \(synchronous)); "
                        + "the state directory needs a local disk")
            }
            // Deleted data is overwritten: free space of a page does not keep an old hash of the passcode.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // In KiB. What is in use on a day is far smaller, and the daemon should stay small.
            try database.execute(sql: "PRAGMA cache_size = -1024")
        }
    }

    /// Checks whether the file is intact and Gate's. The connection is read-only, so a damaged file stays exactly as it
    /// was found. Keep the result until the file is open for writing; then SQLite replays an old log only once.
    ///
    /// - Throws: `StoreError.damaged` if the file must be set aside, and other errors if it must be left alone.
    static func inspect(_ path: String) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path, isReadOnly: true)
        try queue.inDatabase { database in
            _ = try StoreSchema.number(in: database, at: path)
            try check(database, "quick_check")
        }
        return queue
    }

    /// Has SQLite check the file, and each value against the constraints of its column.
    static func check(_ database: Database, _ pragma: String) throws {
        let problem = try String.fetchOne(database, sql: "PRAGMA \(pragma)(1)")
        guard problem == "ok" else { throw StoreError.damaged(problem ?? "\(pragma) says nothing") }
    }

    /// Copies a whole store to one file, with SQLite's online backup: it contains everything that is committed when it
    /// begins, and commits can go on meanwhile. After an error there is no file; otherwise it is on the disk. Returns a
    /// descriptor of it, which the caller closes.
    static func copy(
        _ store: DatabaseQueue, as file: String, in directory: StoreDirectory,
        edit: (Database) throws -> Void = { _ in }
    ) throws -> CInt {
        let descriptor = try directory.makeEmpty(file)
        do {
            let copy = try DatabaseQueue(path: file) { try $0.execute(sql: "PRAGMA secure_delete = ON") }
            try store.backup(to: copy)
            // With this mode the copy is a single file, without a log beside it.
            try copy.inDatabase { database in
                try database.execute(sql: "PRAGMA journal_mode = DELETE")
                try edit(database)
            }
            try copy.close()
            guard fsync(descriptor) == 0 else { throw StoreError.system("can't synchronize \(file)") }
            return descriptor
        } catch {
            _ = close(descriptor)
            try? directory.remove(file)
            throw error
        }
    }
}

/// The copy of a store that is made before an upgrade, so that one can go back to the version before. It lies beside
/// the store, with the number of the schema in its name, and only the newest `keptCount` are kept. It gets its name
/// when it is complete; if it can't be made, the store is not upgraded.
enum UpgradeCopy {
    static let keptCount = 3
    private static let prefix = "gate-schema-"
    private static let suffix = ".sqlite"

    /// - Throws: `StoreError.fullBeforeUpgrade`, `.notCopied`.
    static func makeIfNeeded(of store: DatabaseQueue, in directory: StoreDirectory) throws {
        let schema = try store.read { try StoreSchema.number(in: $0, at: directory.database) }
        guard schema < StoreSchema.number else { return }
        do {
            _ = close(try StoreConnection.copy(store, as: directory.unfinishedCopy, in: directory))
            let name = "\(prefix)\(schema)-\(StoreDirectory.timestamp())\(suffix)"
            try directory.finish(directory.unfinishedCopy, as: name)
            for copy in try copies(in: directory).dropLast(keptCount) {
                try directory.remove("\(directory.path)/\(copy.name)")
            }
        } catch {
            switch StoreError(error) {
            case .full: throw StoreError.fullBeforeUpgrade
            case let error: throw StoreError.notCopied("\(error)")
            }
        }
    }

    /// Runs `work`. If it finds a store of a newer version, the error also names the copy to which one can go back.
    static func namingCopy<Result>(in directory: StoreDirectory, _ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch StoreError.newer(var store) {
            store.copy = try? copies(in: directory).last { $0.schema <= store.knownSchema }?.name
            throw StoreError.newer(store)
        }
    }

    /// All copies, by schema and then by time, the oldest first.
    private static func copies(in directory: StoreDirectory) throws -> [(schema: Int, name: String)] {
        try directory.names().compactMap { name in
            guard name.hasPrefix(prefix), name.hasSuffix(suffix),
                let schema = Int(name.dropFirst(prefix.count).prefix { $0 != "-" })
            else { return nil }
            return (schema, name)
        }
        .sorted { ($0.schema, $0.name) < ($1.schema, $1.name) }
    }
}
