import GateHousehold
import Glibc

/// Reads and writes the files and folders of a household.
enum FileSystem {
    private static let maximumByteCount = 4 << 20

    static func read(_ path: String) throws(FoundingError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .file(path) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .file(path) }
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= maximumByteCount else { throw .badFile(path: path) }
        }
    }

    /// Replaces a file. When this returns, the new content is on the disk, but the file's name only after `sync`. If
    /// `group` is `nil`, the system chooses the group.
    static func write(
        _ content: [UInt8], to path: String, _ mode: mode_t, _ group: gid_t?
    ) throws(FoundingError) {
        unlink(path)
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .file(path) }
        defer { close(file) }
        if let group, fchown(file, 0, group) != 0 { throw .file(path) }
        // Separately, because the umask would change the mode of open(2).
        guard fchmod(file, mode) == 0 else { throw .file(path) }
        try fill(file, content, path)
    }

    private static func fill(_ file: CInt, _ content: [UInt8], _ path: String) throws(FoundingError) {
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .file(path) }
            rest = rest.dropFirst(count)
        }
        guard fsync(file) == 0 else { throw .file(path) }
    }

    /// Makes a folder for this user alone, with these files in it. Another user may own the folder around it, and
    /// replace the new one meanwhile. So no link is followed, and no file is replaced.
    static func makeFolder(_ path: String, _ files: [HouseholdFile]) throws(FoundingError) {
        guard mkdir(path, 0o700) == 0 else { throw .file(path) }
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard folder >= 0 else { throw .file(path) }
        defer { close(folder) }
        var status = stat()
        guard fstat(folder, &status) == 0 else { throw .file(path) }
        guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw .file(path: path, problem: String(cString: strerror(EPERM)))
        }
        for content in files {
            let place = "\(path)/\(content.path)"
            let file = openat(folder, content.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard file >= 0 else { throw .file(place) }
            defer { close(file) }
            try fill(file, content.content, place)
        }
        guard fsync(folder) == 0 else { throw .file(path) }
    }

    /// Writes a folder's entries to the disk.
    static func sync(_ path: String) throws(FoundingError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .file(path) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw .file(path) }
    }

    static func move(_ old: String, to new: String) throws(FoundingError) {
        guard rename(old, new) == 0 else { throw .file(new) }
    }

    /// The names in a folder, sorted.
    static func names(in path: String) throws(FoundingError) -> [String] {
        guard let folder = opendir(path) else { throw .file(path) }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Removes a file, or a folder with everything in it. Links are not followed. It is no error if nothing is there.
    static func remove(_ path: String) throws(FoundingError) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return }
            throw .file(path)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            guard unlink(path) == 0 else { throw .file(path) }
            return
        }
        for name in try names(in: path) { try remove("\(path)/\(name)") }
        guard rmdir(path) == 0 else { throw .file(path) }
    }
}

extension FoundingError {
    /// The error of the last system call, from errno, about this file.
    static func file(_ path: String) -> FoundingError {
        .file(path: path, problem: String(cString: strerror(errno)))
    }
}
