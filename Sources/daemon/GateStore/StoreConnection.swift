import Glibc
import SQLite

/// How the database is opened: for writing, and read-only to inspect it before anything is written. Also how it is
/// copied.
///
/// There is one connection instead of a pool. Reading a page of the journal takes a millisecond, for which a commit can
/// wait, and a pool would need memory for every reader.
enum StoreConnection {
    /// Opens the file for writing, in WAL mode, so that every commit is on the disk before it returns.
    ///
    /// Not every file system supports that, so both settings are read back.
    static func open(_ path: String) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path) { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // Deleted data is overwritten: free space of a page does not keep an old hash of the passcode.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // In KiB. What is in use on a day is far smaller, and the daemon should stay small.
            try database.execute(sql: "PRAGMA cache_size = -1024")
        }
        try queue.inDatabase { database in
            let journalMode = try String.fetchOne(database, sql: "PRAGMA journal_mode")
            let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous")
            guard journalMode == "wal", synchronous == 2 else {
                throw StoreError.failed(
                    "SQLite does not keep commits safe here (journal \(journalMode ?? "none"), "
                        + "synchronous \(synchronous ?? -1)); the state directory needs a local disk")
            }
        }
        return queue
    }

    /// Checks whether the file is intact and Gate's, without changing it.
    ///
    /// The connection is read-only, so a damaged file stays exactly as it was found. Keep the result until the file is
    /// open for writing; then SQLite replays an old log only once.
    /// - Throws: `StoreError.damaged` if the file must be set aside; `.newer`, `.older` or `.failed` if it must be left
    ///   alone.
    static func inspect(_ path: String) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path, isReadOnly: true)
        try queue.inDatabase { database in
            guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == StoreSchema.applicationID else {
                throw StoreError.damaged("not a database of Gate")
            }
            guard try StoreSchema.number(in: database, at: path) > 0 else { throw StoreError.damaged("without tables") }
            let problem = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
            guard problem == "ok" else { throw StoreError.damaged(problem ?? "quick_check says nothing") }
        }
        return queue
    }

    /// Copies a whole store to one file, with SQLite's online backup: it contains everything that is committed when it
    /// begins, and commits can go on meanwhile.
    ///
    /// - Parameters:
    ///   - file: the path of the copy. After an error it does not exist.
    ///   - edit: changes the copy before it is used.
    static func copy(
        _ store: DatabaseQueue, as file: String, in directory: StoreDirectory,
        edit: (Database) throws -> Void = { _ in }
    ) throws {
        let descriptor = try directory.makeEmpty(file)
        defer { close(descriptor) }
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
        } catch {
            try? directory.remove(file)
            throw error
        }
    }
}
