import CProcess
import Crypto
import GateModel
import GateTexts
import Glibc

/// The program that a question shows, held so that exactly this program starts, even if somebody writes to its file
/// meanwhile. Checking the file would not be enough: a write through an existing memory mapping leaves no trace.
///
/// - A file that only root can change is started itself: a binary by a descriptor that was opened before the question;
///   a script, or a file of another format, by its path without links, since its interpreter opens it by name. What is
///   loaded together with it, and what reads it, has to be root's, too, as far as the file can be read.
/// - Any other binary that needs no loader is copied into memory that nobody can write to, then shown and started.
/// - Everything else is refused. Which libraries a loader takes depends on links, mounts and more that others can
///   change until the last moment; a copy of a script would not know its name; and a copy has no setuid rights.
final class PinnedProgram: Sendable {
    private enum Start {
        case path(String)
        case descriptor(CInt)
    }

    private let start: Start
    /// The program's name for itself (`argv[0]`): the path of the command, since many programs act by their name. If
    /// others than root can turn a link on the way there, it is the path without links, because a program may look
    /// beside its name for settings or for code.
    let name: String
    /// Open until the start.
    private let file: CInt
    /// What the question shows besides the command line.
    let notes: [String]

    /// In bytes. The copy is in memory.
    static let maximumCopyBytes: off_t = 512 << 20

    /// - Parameter searchPath: where to look for an interpreter without a folder in its name.
    /// - Throws: `INVALID_ARGUMENT` if it is not certain what would start; `ABORTED` if the file was changed since.
    init(_ command: ResolvedCommand, searchPath: String) throws(GateError) {
        guard let real = command.pathWithoutLinks, !command.path.starts(withBytesOf: "/proc/"), !command.isInProc else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "'{path}' is under /proc, where a name can mean another file every time. Give the file's own path.",
                    ["path": command.path]))
        }
        // The path must lead to the open file, and not to one that took its place a moment later.
        guard command.isFile(at: real) else { throw command.wasChanged }
        var notes = real.hasBytes(of: command.path) ? [] : ["it is \(ShellText.quoted(real))"]
        name = RootOnly.holds(command.path) ? command.path : real
        let isRootOnly = command.isRootOnly && RootOnly.holds(real)
        let opened = command.openedToRead()
        if isRootOnly {
            defer { if opened >= 0 { close(opened) } }
            let header = opened >= 0 ? ProgramHeader(Self.reader(of: opened)) : .binary(isWhole: false)
            try Self.checkLibraries(of: real, opened: opened)
            file = command.duplicate()
            switch header {
            case .binary: start = .descriptor(file)
            case .script(let interpreter, let argument):
                notes.append(
                    "read by \(try Self.interpreter(interpreter, argument, of: command.path, searchPath: searchPath))")
                start = .path(real)
            case .other: start = .path(real)
            }
        } else {
            defer { if opened >= 0 { close(opened) } }
            let copy = try Self.copy(of: opened, command)
            file = copy.descriptor
            start = .descriptor(copy.descriptor)
            notes.append("a copy of \(copy.byteCount) bytes with the SHA-256 \(copy.digest)")
        }
        self.notes = notes
    }

    deinit {
        if file >= 0 { close(file) }
    }

    /// Replaces this process. Returns only if that fails, with the error number. `name` is the first argument.
    func replaceThisProcess(
        _ arguments: inout [UnsafeMutablePointer<CChar>?], _ environment: inout [UnsafeMutablePointer<CChar>?]
    ) -> CInt {
        switch start {
        case .path(let path):
            execve(path, &arguments, &environment)
            return errno
        case .descriptor(let descriptor):
            return execute_descriptor(descriptor, &arguments, &environment)
        }
    }

    // MARK: -

    /// The program that reads a script, also behind `env` and `env -S`; `nil` for any other use of `env`.
    private static func interpreterName(_ interpreter: String, _ argument: String?) -> String? {
        guard interpreter.lastPathPart == "env" else { return interpreter }
        let words = (argument ?? "").parts(between: " ").flatMap { $0.parts(between: "\t") }.filter { !$0.isEmpty }
        guard let name = words.first == "-S" ? words.dropFirst().first : words.first,
            !name.starts(withBytesOf: "-"), !name.utf8.contains(where: "=$\\\"'#".utf8.contains)
        else { return nil }
        return name
    }

    /// Follows a script's interpreters to the last one, whose path it returns, quoted for the question.
    /// - Throws: `INVALID_ARGUMENT` if one of them is missing, or others than root can change it.
    private static func interpreter(
        _ interpreter: String, _ argument: String?, of path: String, searchPath: String, links: Int = 5
    ) throws(GateError) -> String {
        guard let name = interpreterName(interpreter, argument) else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "'{path}' says to `env` which program reads it in a way that can't be shown for sure. Name that program alone behind `env`.",
                    ["path": path]))
        }
        func refusal(_ name: String) -> GateError {
            GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "'{path}' is read by '{name}', which is not there, or which others than root can change. Run a program that root has installed.",
                    ["path": path, "name": name]))
        }
        // The kernel starts the interpreter that the script names, also if that is `env`. So it has to be root's. A
        // name without a folder is refused: the kernel would start a program of that name in the working folder.
        guard RootOnly.holds(interpreter), isProgram(interpreter), links > 0 else { throw refusal(interpreter) }
        // `env` skips what it can't start, so every file of this name must be root's.
        let places =
            name.hasByte("/") ? [name] : RootOnly.folders(of: searchPath).map { "\($0)/\(name)" }
        let found = places.compactMap { RootOnly.resolved($0) }
        guard found.allSatisfy(\.isRootOnly), let first = found.first(where: { isProgram($0.path) }) else {
            throw refusal(name)
        }
        let descriptor = open(first.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return ShellText.quoted(first.path) }
        defer { close(descriptor) }
        // An interpreter may be a script itself; the kernel then goes on to its interpreter.
        guard case .script(let next, let argument) = ProgramHeader(reader(of: descriptor)) else {
            try checkLibraries(of: first.path, opened: descriptor)
            return ShellText.quoted(first.path)
        }
        return try self.interpreter(next, argument, of: first.path, searchPath: searchPath, links: links - 1)
    }

    /// - Parameter opened: negative if the file can't be read, and so can't be checked.
    /// - Throws: `INVALID_ARGUMENT` if the program is loaded together with something that others than root can change.
    private static func checkLibraries(of path: String, opened: CInt) throws(GateError) {
        guard opened >= 0 else { return }
        let hasUsersRights = has_rights_of_its_own(opened) == 0
        let libraries = ProgramLibraries(of: path, hasUsersRights: hasUsersRights, reader(of: opened))
        guard let place = libraries.placeOfOthers else { return }
        throw GateError(
            .invalidArgument, .invalidRequest,
            saying: localized(
                "'{path}' is loaded together with what is in '{place}', where others than root can put something. Have root install it so that it takes its libraries from folders of root's.",
                ["path": path, "place": place.isEmpty ? "." : place]))
    }

    private static func isProgram(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    private struct Copy {
        let descriptor: CInt
        let byteCount: Int
        let digest: String
    }

    private static func copy(of opened: CInt, _ command: ResolvedCommand) throws(GateError) -> Copy {
        guard opened >= 0 else {
            throw refusal(command.path, localized("it can't be read, so no copy can be made that is shown"))
        }
        guard !command.hasRightsOfItsOwn else {
            throw refusal(command.path, localized("it has rights of its own (setuid), which a copy has not"))
        }
        let name = command.path.lastPathPart ?? "program"
        let descriptor = sealed_copy(opened, name, maximumCopyBytes)
        guard descriptor >= 0 else {
            let why =
                errno == EFBIG
                ? localized("it is too large for a copy")
                : localized("no copy can be made: {error}", ["error": String(cString: strerror(errno))])
            throw refusal(command.path, why)
        }
        do throws(GateError) {
            try check(ProgramHeader(reader(of: descriptor)), command.path)
        } catch {
            close(descriptor)
            throw error
        }
        let (count, digest) = digest(of: descriptor)
        return Copy(descriptor: descriptor, byteCount: count, digest: digest)
    }

    /// - Throws: if a copy would not behave like the original.
    private static func check(_ header: ProgramHeader, _ path: String) throws(GateError) {
        switch header {
        case .script: throw refusal(path, localized("it is a script, of which a copy would not know its name"))
        case .other: throw refusal(path, localized("it is not a 64-bit program of this system"))
        case .binary(isWhole: false):
            throw refusal(path, localized("it is loaded together with libraries, which nobody can hold as they are"))
        case .binary: break
        }
    }

    private static func refusal(_ path: String, _ why: String) -> GateError {
        GateError(
            .invalidArgument, .invalidRequest,
            saying: localized(
                "Others than root can change '{path}', and {why}. So nobody can be asked about it. Have root install it where nobody else can write, like /usr/local/bin.",
                ["path": path, "why": why]))
    }

    /// Reads from an open file: `count` bytes from `offset` on, fewer at its end.
    static func reader(of descriptor: CInt) -> (_ offset: Int, _ count: Int) -> [UInt8] {
        { offset, count in
            var bytes = [UInt8](repeating: 0, count: max(0, count))
            let length = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
            return Array(bytes.prefix(max(0, length)))
        }
    }

    private static func digest(of descriptor: CInt) -> (byteCount: Int, digest: String) {
        let read = reader(of: descriptor)
        var hash = SHA256()
        var count = 0
        while true {
            let bytes = read(count, 1 << 16)
            guard !bytes.isEmpty else { break }
            hash.update(data: bytes)
            count += bytes.count
        }
        return (count, Hex.encoded(Array(hash.finalize())))
    }
}
