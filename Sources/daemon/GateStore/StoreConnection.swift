import Glibc
import SQLite

/// How the database is opened, by the one connection that writes and by the one that looks before anything is written; and
/// how it is copied.
///
/// There is one connection and no pool: a page of the journal takes a millisecond, which a commit can wait, and a pool
/// would hold memory for every reader.
enum StoreConnection {
    /// Opens the file for writing: WAL, and every commit on the disk before it returns.
    ///
    /// A file system may not be able to; so both are read back.
    static func open(_ path: String) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: path) { database in
            try database.execute(sql: "PRAGMA journal_mode = WAL")
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // What is deleted is overwritten: a passcode's old hash is not left in a page's free space.
            try database.execute(sql: "PRAGMA secure_delete = ON")
            // KiB. A day's working set is far smaller, and the daemon promises to stay small.
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

    /// Looks whether the file is whole and ours, and changes nothing of it.
    ///
    /// The connection can only read, so what turns out to be damaged is left exactly as it was found. Keep the result
    /// until the file is open for writing: then SQLite reads an old log back only once.
    /// - Throws: `StoreError.damaged` to set it aside; `.newer`, `.failed` to leave it alone.
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

    /// Copies a whole store to one file, with SQLite's online backup: whatever is committed when it begins is in it, while
    /// others go on writing.
    ///
    /// - Parameters:
    ///   - file: what the copy is called; on an error there is none.
    ///   - edit: what to change in the copy before anybody reads it.
    static func copy(
        _ store: DatabaseQueue, as file: String, in directory: StoreDirectory,
        edit: (Database) throws -> Void = { _ in }
    ) throws {
        let descriptor = try directory.makeEmpty(file)
        defer { close(descriptor) }
        do {
            let copy = try DatabaseQueue(path: file) { try $0.execute(sql: "PRAGMA secure_delete = ON") }
            try store.backup(to: copy)
            // A single file, without a log beside it.
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
