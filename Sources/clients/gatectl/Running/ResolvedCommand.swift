import CProcess
import GateModel
import GateTexts
import Glibc

/// A command that is resolved to a file before the question. `isUnchanged` checks before the start that it is still the
/// same file, in the same state. An open descriptor keeps its inode number from being reused. The check can't see every
/// write; for commands that a question shows, `PinnedProgram` holds the content itself.
final class ResolvedCommand: Sendable {
    /// Absolute. Links in the folder are resolved. The last part stays as written, since programs go by their name.
    let path: String
    private let descriptor: CInt
    private let identity: FileIdentity

    /// `name` is a path if it has a slash; otherwise it is looked for in the search path's absolute folders.
    /// - Throws: `NOT_FOUND` if there is no such file; `INVALID_ARGUMENT` if it can't be started.
    convenience init(_ name: String, searchPath: String?) throws(GateError) {
        guard !name.isEmpty else {
            throw GateError(.notFound, .invalidRequest, saying: localized("The command has no name."))
        }
        guard !name.hasByte("/") else {
            try self.init(path: name)
            return
        }
        // The default that exec uses without PATH.
        let folders = (searchPath ?? "/bin:/usr/bin").parts(between: ":").filter(\.isAbsolutePath)
        guard let folder = folders.first(where: { Self.isProgram("\($0)/\(name)") }) else {
            throw GateError(
                .notFound, .invalidRequest,
                saying: localized(
                    "There is no command '{name}' in PATH. Give its path, or check the name.", ["name": name]))
        }
        try self.init(path: "\(folder)/\(name)")
    }

    private init(path: String) throws(GateError) {
        guard let absolute = Self.absolute(path) else {
            throw GateError(
                .notFound, .invalidRequest, saying: localized("There is no file '{path}'.", ["path": path]))
        }
        self.path = absolute
        descriptor = open(absolute, Self.pathOnly | O_CLOEXEC)
        guard descriptor >= 0, let identity = FileIdentity(of: descriptor) else {
            throw GateError(
                .notFound, .invalidRequest,
                saying: localized("There is no file '{path}' that can be opened.", ["path": absolute]))
        }
        self.identity = identity
        guard Self.isProgram(absolute) else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "You are not allowed to start '{path}': `ls -l` shows why.", ["path": absolute]))
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The text that the question shows: the command line, then the notes in parentheses. An argument can't imitate the
    /// notes, because its parentheses would be quoted.
    /// - Throws: `INVALID_ARGUMENT` if it is too long to be read.
    func details(with arguments: [String], notes: [String] = []) throws(GateError) -> String {
        let line = ShellText.quoted([path] + arguments)
        let text = notes.isEmpty ? line : "\(line) (\(notes.joined(separator: "; ")))"
        guard text.utf8.count <= AuthorizationRequest.maximumDetailsByteCount else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "The command line has more than {count} bytes, which nobody can read before they agree. Put it into a script.",
                    ["count": "\(AuthorizationRequest.maximumDetailsByteCount)"]))
        }
        return text
    }

    var isUnchanged: Bool {
        isFile(at: path) && FileIdentity(of: descriptor) == identity
    }

    /// Whether `path` leads to this file, with the same size and times.
    func isFile(at path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && FileIdentity(status) == identity
    }

    var wasChanged: GateError {
        GateError(
            .aborted, .closed,
            saying: localized(
                "'{path}' was changed while the question was open, and is not started. Ask again.", ["path": path]))
    }

    var isRootOnly: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && RootOnly.isRootOnly(status)
    }

    /// Whether it is setuid or setgid.
    var hasRightsOfItsOwn: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & (S_ISUID | S_ISGID) != 0
    }

    var isInProc: Bool { is_in_proc(descriptor) != 0 }

    /// Opens the same file for reading. Returns a negative number if that fails. The caller closes it.
    func openedToRead() -> CInt {
        let opened = open("/proc/self/fd/\(descriptor)", O_RDONLY | O_CLOEXEC)
        guard opened >= 0, FileIdentity(of: opened) != identity else { return opened }
        close(opened)
        return -1
    }

    /// Another descriptor of the file. The caller closes it.
    func duplicate() -> CInt { fcntl(descriptor, F_DUPFD_CLOEXEC, 3) }

    /// The path with all links resolved; `nil` if the file is gone.
    var pathWithoutLinks: String? {
        guard let path = realpath(path, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    var isThisProgram: Bool {
        var status = stat()
        return stat("/proc/self/exe", &status) == 0 && FileIdentity(status).isSameFile(as: identity)
    }

    /// Whether it is a regular file that the effective user may execute.
    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0
    }

    /// O_PATH, which needs no permission to read. Swift's Glibc lacks it.
    private static let pathOnly: CInt = 0o10000000

    private static func absolute(_ path: String) -> String? {
        let (folder, name) = path.cut(atLast: "/").map { ($0.before + "/", $0.after) } ?? (".", path)
        guard !name.isEmpty, let real = realpath(folder, nil) else { return nil }
        defer { free(real) }
        let realFolder = String(cString: real)
        return realFolder == "/" ? "/\(name)" : "\(realFolder)/\(name)"
    }
}

/// Identifies a file and, by its size and times, its state at one moment.
private struct FileIdentity: Hashable {
    private let device: dev_t
    private let inode: ino_t
    private let size: off_t
    private let modified: [UInt8]
    private let changed: [UInt8]

    init(_ status: stat) {
        device = status.st_dev
        inode = status.st_ino
        size = status.st_size
        modified = Self.bytes(status.st_mtim)
        changed = Self.bytes(status.st_ctim)
    }

    /// The raw bytes, because in a static build the members of `timespec` belong to another module.
    private static func bytes(_ time: timespec) -> [UInt8] {
        withUnsafeBytes(of: time) { Array($0) }
    }

    init?(of descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    func isSameFile(as other: FileIdentity) -> Bool {
        device == other.device && inode == other.inode
    }
}
