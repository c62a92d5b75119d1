import Glibc
import SQLite

/// A whole store as one file, made with SQLite's online backup: whatever is committed when it begins is in it, while others
/// go on writing.
enum StoreCopy {
    /// - Parameters:
    ///   - file: what the copy is called; on an error there is none.
    ///   - edit: what to change in the copy before anybody reads it.
    static func make(
        of store: DatabaseQueue, as file: String, in directory: StoreDirectory,
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
