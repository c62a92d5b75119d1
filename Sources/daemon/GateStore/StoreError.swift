import Glibc
import SQLite

/// Why the store can't be opened, read or written. After any of these errors, nothing is half-written. The text of a
/// case says why, or what to do.
public enum StoreError: Error, Hashable, Sendable {
    /// The owner or the mode of the directory or file would let others in.
    case unsafe(String)
    /// Another process has this directory open.
    case inUse(directory: String)
    /// A newer version of Gate has written the file, with migrations that this version does not know.
    case newer(NewerStore)
    /// A version before Gate 0.9.0 has written the file.
    case older(path: String)
    /// The disk is full. A later commit succeeds when there is room again.
    case full
    /// The store must be upgraded, and the disk has no room for the copy that is made first.
    case fullBeforeUpgrade
    /// The store must be upgraded, and the copy that is made first failed.
    case notCopied(String)
    /// The file to be restored is not a usable backup.
    case notABackup(String)
    case readOnly
    /// The file was found damaged while in use. The next start sets it aside.
    case damaged(String)
    /// `close()` was called.
    case closed
    /// Any other error, in the words of SQLite or the system.
    case failed(String)

    /// Whether another version of Gate has to be installed.
    public var isOfAnotherVersion: Bool {
        switch self {
        case .newer, .older: true
        case .unsafe, .inUse, .full, .fullBeforeUpgrade, .notCopied, .notABackup, .readOnly, .damaged, .closed, .failed:
            false
        }
    }
}

extension StoreError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unsafe(let text): text
        case .inUse(let directory):
            "another gated is using the state directory \(directory); stop it, or give this one a directory of its own"
        case .newer(let store): store.description
        case .older(let path):
            "\(path) was written by a version before Gate 0.9.0; install Gate 0.9.0, which brings it up to date at its start, "
                + "and then this version again"
        case .full: "the disk of the state directory is full; nothing was changed; make room and try again"
        case .fullBeforeUpgrade:
            "the disk of the state directory is full: the store has to be upgraded, and there is no room for the copy that is "
                + "made before; nothing was changed; make room and try again"
        case .notCopied(let why):
            "the store has to be upgraded, and the copy that is made before can't be made: \(why); nothing was changed; remove the cause and start gated again"
        case .notABackup(let why): "this can't be restored: \(why); nothing was changed"
        case .readOnly: "the state directory can't be written; nothing was changed; is its disk mounted read-only?"
        case .damaged(let text): "the store is damaged (\(text)); restart gated, which sets the store aside"
        case .closed: "the store is closed"
        case .failed(let text): "the store failed: \(text); nothing was changed"
        }
    }
}

public struct NewerStore: Hashable, Sendable {
    public var path: String
    /// How many migrations it has had.
    public var schema: Int
    /// How many migrations this version knows.
    public var knownSchema: Int
    /// The version of Gate that wrote it, for example "0.10.0"; `nil` if that is unknown.
    public var version: String?
    /// The name of a copy beside it, made before an upgrade, that this version can open; `nil` if there is none.
    public var copy: String?
}

extension NewerStore: CustomStringConvertible {
    public var description: String {
        let writer = version.map { "Gate \($0)" } ?? "a newer version of Gate"
        let what =
            "\(path) was written by \(writer) (schema \(schema), and this version knows \(knownSchema)); install that version "
            + "again"
        guard let copy else { return "\(what), or restore a backup of this version into an empty state directory" }
        let directory = path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)
        return what
            + ", or go back to the store from before the upgrade and lose what was changed since: stop gated and its "
            + "socket, then run: cd \(directory) && mkdir newer && mv gate.sqlite* newer/ && cp -p \(copy) gate.sqlite"
    }
}

extension StoreError {
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError:
            self =
                switch error.kind {
                case .full: .full
                case .readOnly: .readOnly
                case .damaged: .damaged(error.message)
                // The connection was closed.
                case .misused: .closed
                case .busy: .failed("another program holds the database locked")
                case .other: .failed(error.message)
                }
        // A `ValueMismatch`: Gate never writes such a value.
        case _: self = .damaged("\(error)")
        }
    }

    /// The error of the system call that has just failed, from `errno`.
    static func system(_ what: String) -> StoreError {
        switch errno {
        case ENOSPC, EDQUOT: .full
        case EROFS: .readOnly
        default: .failed("\(what): \(String(cString: strerror(errno)))")
        }
    }
}
