import Glibc

/// Why a file is not read: a sentence or two for the one who put it there.
struct FileRefusal: Error, Hashable {
    let message: String

    init(message: String) {
        self.message = message
    }

    /// - Parameter what: like "can't be opened".
    init(_ what: String, _ number: CInt) {
        message = "It \(what): \(String(cString: strerror(number)))."
    }
}

/// Opens directories and files of a configuration, once it is known that nobody else can write to them.
///
/// What is checked is what is then read: each file is opened once, in a directory that is open.
struct TrustedOpening {
    /// The uids that directories and files may belong to. `nil`: anyone who wants them read answers for them, and links are
    /// followed.
    let owners: Set<UInt32>?

    /// An open directory, for the caller to close; `nil`: it is not there.
    ///
    /// - Parameters:
    ///   - name: in `parent`.
    ///   - path: for messages.
    ///   - mayBeLink: whether it may be reached over a symbolic link.
    func directory(
        _ name: String, in parent: CInt, path: String, mayBeLink: Bool = false
    ) throws(FileRefusal) -> CInt? {
        let flags = O_DIRECTORY | (mayBeLink || owners == nil ? 0 : O_NOFOLLOW)
        return try open(name, in: parent, path: path, flags)
    }

    /// All that is in an ordinary file; `nil`: it is not there.
    ///
    /// - Parameter limit: in bytes, and what to say of more.
    func bytes(
        of name: String, in directory: CInt, path: String, limit: (bytes: Int, message: String)
    ) throws(FileRefusal) -> [UInt8]? {
        // Not waiting: somebody may have put a pipe there.
        let flags = O_NONBLOCK | O_NOCTTY | (owners == nil ? 0 : O_NOFOLLOW)
        guard let descriptor = try open(name, in: directory, path: path, flags) else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FileRefusal(message: "This is no ordinary file. Move it away.")
        }
        return try Self.bytes(of: descriptor, limit: limit)
    }

    /// All that can be read, until it ends.
    static func bytes(
        of descriptor: CInt, limit: (bytes: Int, message: String)
    ) throws(FileRefusal) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw FileRefusal("can't be read", errno) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit.bytes else { throw FileRefusal(message: limit.message) }
        }
    }

    private func open(_ name: String, in parent: CInt, path: String, _ flags: CInt) throws(FileRefusal) -> CInt? {
        let descriptor = openat(parent, name, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            // How both look where O_DIRECTORY or O_NOFOLLOW forbids it.
            case ELOOP: throw FileRefusal(message: Self.linkMessage)
            case ENOTDIR:
                throw FileRefusal(message: "This is no directory, or only a link to one. Move it away.")
            default: throw FileRefusal("can't be opened", errno)
            }
        }
        guard let refusal = distrust(of: descriptor, path) else { return descriptor }
        close(descriptor)
        throw refusal
    }

    private static let linkMessage =
        "This is a symbolic link, and who can change what it leads to is unknown. Put the file itself here."

    /// Why it can't be believed; `nil` where it can.
    private func distrust(of descriptor: CInt, _ path: String) -> FileRefusal? {
        guard let owners else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return FileRefusal("can't be examined", errno) }
        guard owners.contains(status.st_uid) else {
            let uids = owners.sorted().map(String.init).joined(separator: " or ")
            return FileRefusal(
                message:
                    "It belongs to uid \(status.st_uid), who could change the policy; it must belong to uid \(uids). Look at "
                    + "what is in it, then run: chown \(owners.min() ?? 0) '\(path)'")
        }
        guard status.st_mode & 0o022 == 0 else {
            return FileRefusal(
                message: "Others may write to it, and so could change the policy. Look at what is in it, then run: "
                    + "chmod go-w '\(path)'")
        }
        return nil
    }
}
