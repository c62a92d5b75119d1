import GateModel
import GateTexts
import Glibc

/// Writes and removes small configuration files of the system, which everybody may read.
enum SystemFile {
    /// Replaces a file, completely or not at all. The file's own folder is made if it is missing, but no folder above.
    static func write(_ text: String, to path: String) throws(GateError) {
        if let folder = path.cut(atLast: "/")?.before, access(folder, F_OK) != 0, mkdir(folder, 0o755) != 0 {
            throw failure(folder)
        }
        let new = path + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(new) }
        let bytes = Array(text.utf8)
        let isWritten =
            bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count
            && fchmod(descriptor, 0o644) == 0 && fsync(descriptor) == 0
        let error = isWritten ? nil : failure(new)
        close(descriptor)
        guard error == nil, rename(new, path) == 0 else {
            let error = error ?? failure(path)
            unlink(new)
            throw error
        }
        synchronizeFolder(of: path)
    }

    /// Removes a file, if it is there.
    static func remove(_ path: String) throws(GateError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
    }

    /// Waits until the names in the folder are on the disk. A file system that can't do that is no error.
    static func synchronizeFolder(of path: String) {
        let folder = path.cut(atLast: "/")?.before ?? "."
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// The text of a file, of which at most `limit` bytes are read; `nil` if it can't be read.
    static func text(of path: String, limit: Int = 64 << 10, followsLink: Bool = true) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < limit {
            let count = read(descriptor, &piece, min(piece.count, limit - bytes.count))
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            bytes += piece.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func failure(_ path: String) -> GateError {
        GateError(
            errno == EACCES || errno == EPERM ? .permissionDenied : .unavailable, .unspecified,
            saying: localized(
                "{path} can't be written: {reason}", ["path": path, "reason": String(cString: strerror(errno))]))
    }
}
