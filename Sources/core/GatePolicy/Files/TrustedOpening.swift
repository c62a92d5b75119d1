import Glibc

/// Why a file is not read: one or two sentences for the person who put it there.
struct FileRefusal: Error, Hashable {
    let message: String

    init(message: String) {
        self.message = message
    }

    /// - Parameter what: what went wrong, like "can't be opened".
    init(_ what: String, _ number: CInt) {
        message = "It \(what): \(String(cString: strerror(number)))."
    }

    /// A file that a person has named can't be opened.
    init(openingNamedFile number: CInt) {
        let advice =
            switch number {
            case ENOENT: " Is this its path?"
            case EACCES: " Use `sudo`, or name a copy that you may read."
            default: ""
            }
        message = Self("can't be opened", number).message + advice
    }
}

/// Opens directories and files of a configuration, if only trusted owners can write to them.
///
/// Each file is opened once, relative to an open directory, and checked then: what was checked is what is read.
struct TrustedOpening {
    /// The uids that directories and files may belong to. `nil`: owners are not checked, and links are followed,
    /// because the person who wants the files read answers for them.
    let owners: Set<UInt32>?

    /// Opens a directory, which the caller has to close; `nil` if it does not exist. `path` is for messages.
    /// `mayBeLink`: whether it may be a symbolic link.
    func directory(
        _ name: String, in parent: CInt, path: String, mayBeLink: Bool = false
    ) throws(FileRefusal) -> CInt? {
        let flags = O_DIRECTORY | (mayBeLink || owners == nil ? 0 : O_NOFOLLOW)
        return try open(name, in: parent, path: path, flags)
    }

    /// The content of an ordinary file; `nil` if there is none. `limit`: the most bytes, and the message about more.
    func bytes(
        of name: String, in directory: CInt, path: String, limit: (bytes: Int, message: String)
    ) throws(FileRefusal) -> [UInt8]? {
        // Without O_NONBLOCK, opening a pipe would wait for its writer.
        let flags = O_NONBLOCK | O_NOCTTY | (owners == nil ? 0 : O_NOFOLLOW)
        guard let descriptor = try open(name, in: directory, path: path, flags) else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw FileRefusal(message: "This is not an ordinary file. Move it away.")
        }
        return try Self.bytes(of: descriptor, limit: limit)
    }

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

    /// The names of what is in an open directory, sorted by their bytes. At most `limit` are read.
    static func names(in directory: CInt, atMost limit: Int = .max) throws(FileRefusal) -> [String] {
        let copy = fcntl(directory, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let refusal = FileRefusal("can't be read", errno)
            if copy >= 0 { close(copy) }
            throw refusal
        }
        defer { closedir(stream) }
        var names: [String] = []
        while names.count < limit, let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func open(_ name: String, in parent: CInt, path: String, _ flags: CInt) throws(FileRefusal) -> CInt? {
        let descriptor = openat(parent, name, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: return nil
            // A link that O_NOFOLLOW forbids gives ELOOP, or, together with O_DIRECTORY, ENOTDIR.
            case ELOOP: throw FileRefusal(message: Self.linkMessage)
            case ENOTDIR:
                throw FileRefusal(message: "This is not a directory, or is only a link to one. Move it away.")
            default: throw FileRefusal("can't be opened", errno)
            }
        }
        guard let refusal = distrust(of: descriptor, path) else { return descriptor }
        close(descriptor)
        throw refusal
    }

    private static let linkMessage =
        "This is a symbolic link, and Gate can't tell who may change its target. Put the file itself here."

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
