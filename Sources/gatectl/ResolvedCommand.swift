import GateModel
import Glibc

/// A command that was found in the file system before anybody is asked about it, and that is checked to be the same file,
/// unchanged, before it starts.
///
/// The file is held by a descriptor, so that its number can't be given to another one meanwhile. Between the last look
/// and the start there are some microseconds: what a child can write to, and swap at just that moment, is only the
/// child's own. Started by its path and not by the descriptor, since scripts can't be started by descriptor.
final class ResolvedCommand: Sendable {
    /// Absolute. Links in the folder are followed; the last part stays as it was written, since programs go by their name.
    let path: String
    private let descriptor: CInt
    private let identity: FileIdentity

    /// - Parameters:
    ///   - name: a path if there is a slash in it; else it is looked for.
    ///   - searchPath: folders, with colons between them; relative ones are passed over.
    /// - Throws: `NOT_FOUND` where there is none; `INVALID_ARGUMENT` where it is no file that can be started.
    convenience init(_ name: String, searchPath: String?) throws(GateError) {
        guard !name.isEmpty else { throw GateError(.notFound, .invalidRequest, "The command has no name.") }
        guard !name.contains("/") else {
            try self.init(path: name)
            return
        }
        // What exec would take without PATH.
        let folders = (searchPath ?? "/bin:/usr/bin").split(separator: ":").filter { $0.hasPrefix("/") }
        guard let folder = folders.first(where: { Self.isProgram("\($0)/\(name)") }) else {
            throw GateError(
                .notFound, .invalidRequest, "There is no command '\(name)' in PATH. Give its path, or check the name.")
        }
        try self.init(path: "\(folder)/\(name)")
    }

    private init(path: String) throws(GateError) {
        guard let absolute = Self.absolute(path) else {
            throw GateError(.notFound, .invalidRequest, "There is no file '\(path)'.")
        }
        self.path = absolute
        descriptor = open(absolute, Self.pathOnly | O_CLOEXEC)
        guard descriptor >= 0, let identity = FileIdentity(of: descriptor) else {
            throw GateError(.notFound, .invalidRequest, "There is no file '\(absolute)' that can be opened.")
        }
        self.identity = identity
        guard Self.isProgram(absolute) else {
            throw GateError(
                .invalidArgument, .invalidRequest, "'\(absolute)' is no program that you may start: `ls -l` tells why.")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// What is shown to the person.
    /// - Throws: `INVALID_ARGUMENT` where nobody could read it all.
    func details(with arguments: [String]) throws(GateError) -> String {
        let text = ShellText.quoted([path] + arguments)
        guard text.utf8.count <= AuthorizationRequest.maximumDetailsByteCount else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                "The command line has more than \(AuthorizationRequest.maximumDetailsByteCount) bytes, which nobody can read before they "
                    + "agree. Put it into a script.")
        }
        return text
    }

    /// Whether the path still leads to the same file, and nobody has written to it.
    var isUnchanged: Bool {
        var status = stat()
        return stat(path, &status) == 0 && FileIdentity(status) == identity && FileIdentity(of: descriptor) == identity
    }

    /// Whether it is this program.
    /// Where the file is in the end; `nil` where it is gone.
    var pathWithoutLinks: String? {
        guard let path = realpath(path, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    var isThisProgram: Bool {
        var status = stat()
        return stat("/proc/self/exe", &status) == 0 && FileIdentity(status).isSameFile(as: identity)
    }

    /// A file, not a folder or a device, that the effective user may start.
    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            && faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) == 0
    }

    /// O_PATH of the kernel, which needs no permission to read. Swift's Glibc does not have it.
    private static let pathOnly: CInt = 0o10000000

    private static func absolute(_ path: String) -> String? {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { path[...$0] } ?? "."
        let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
        guard !name.isEmpty, let real = realpath(String(folder), nil) else { return nil }
        defer { free(real) }
        let realFolder = String(cString: real)
        return realFolder == "/" ? "/\(name)" : "\(realFolder)/\(name)"
    }
}

/// Which file it is, and in which state.
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

    /// Seconds and nanoseconds as they lie in memory: in a static build their members belong to another module.
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
