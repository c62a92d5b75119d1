import GRDB
import Glibc

/// Why the store can't be opened, read or written. Nothing is half-written after any of these.
public enum StoreError: Error, Hashable, Sendable {
    /// The directory or the file has an owner or a mode that would let others in. The text says what to do.
    case unsafe(String)
    /// Another process serves this directory.
    case inUse(directory: String)
    /// A newer version of Gate has written the file, with a migration that this one does not know.
    case newer(path: String, migration: String)
    /// The disk has no room. A later commit works again once there is some.
    case full
    /// The file or its disk can't be written.
    case readOnly
    /// The file was found damaged while in use. The next start sets it aside.
    case damaged(String)
    /// `close()` was called before.
    case closed
    /// Anything else, in SQLite's or the system's words.
    case failed(String)
}

extension StoreError: CustomStringConvertible {
    /// For a person: what is wrong, and what to do.
    public var description: String {
        switch self {
        case .unsafe(let text):
            text
        case .inUse(let directory):
            "another gated is using the state directory \(directory); stop it, or give this one a directory of its own"
        case .newer(let path, let migration):
            "\(path) was written by a newer version of Gate (it has \"\(migration)\"); install that version again"
        case .full:
            "the disk of the state directory is full; nothing was changed; make room and try again"
        case .readOnly:
            "the state directory can't be written; nothing was changed; is its disk mounted read-only?"
        case .damaged(let text):
            "the store is damaged (\(text)); restart gated, which sets it aside"
        case .closed:
            "the store is closed"
        case .failed(let text):
            "the store failed: \(text); nothing was changed"
        }
    }
}

extension StoreError {
    /// The error that an error of SQLite is to us.
    init(_ error: any Error) {
        switch error {
        case let error as StoreError:
            self = error
        case let error as DatabaseError:
            self.init(error)
        default:
            // RowDecodingError and its like: a value that no version of ours writes.
            self = .damaged("\(error)")
        }
    }

    private init(_ error: DatabaseError) {
        switch error.extendedResultCode {
        // The second is the index of the log, which found no room.
        case .SQLITE_FULL, .SQLITE_IOERR_SHMSIZE:
            self = .full
        case .SQLITE_READONLY, .SQLITE_PERM:
            self = .readOnly
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self = .damaged(error.message ?? "\(error.resultCode)")
        case .SQLITE_MISUSE:
            // GRDB's word for a connection that was closed.
            self = .closed
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = .failed("another program holds the database locked")
        default:
            self = .failed(error.message ?? "\(error.resultCode)")
        }
    }

    /// The system call that has just failed, in the system's words.
    static func system(_ what: String) -> StoreError {
        switch errno {
        case ENOSPC, EDQUOT: .full
        case EROFS: .readOnly
        default: .failed("\(what): \(String(cString: strerror(errno)))")
        }
    }
}
