import GateModel
import GateTexts
import Glibc

/// The file of a backup. gatectl opens it with the rights of the person who runs it; the daemon never does.
final class BackupFile {
    private let path: String
    private let descriptor: CInt

    private init(_ path: String, _ descriptor: CInt) {
        (self.path, self.descriptor) = (path, descriptor)
    }

    deinit { close(descriptor) }

    /// Creates a file that only this user can read.
    /// - Throws: `ALREADY_EXISTS` if the file exists, which is left alone; `INVALID_ARGUMENT` if it can't be made.
    static func making(_ path: String) throws(GateError) -> BackupFile {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            guard errno != EEXIST else {
                throw GateError(
                    .alreadyExists, .exists,
                    saying: localized("'{path}' is there already. Give another name.", ["path": path]))
            }
            throw unwritable(path)
        }
        fchmod(descriptor, 0o600)
        return BackupFile(path, descriptor)
    }

    static func reading(_ path: String) throws(GateError) -> BackupFile {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path, .invalidArgument) }
        return BackupFile(path, descriptor)
    }

    /// Reads at most `byteLimit` bytes; the result is empty at the end of the file.
    func read(_ byteLimit: Int) throws(GateError) -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: byteLimit)
        var count = 0
        repeat {
            count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
        } while count < 0 && errno == EINTR
        guard count >= 0 else { throw .unreadable(path, .invalidArgument) }
        return Array(piece.prefix(count))
    }

    func write(_ piece: [UInt8]) throws(GateError) {
        var rest = piece[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.unwritable(path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until everything is on the disk. A file system that can't do that (`EINVAL`) is no error.
    func synchronize() throws(GateError) {
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw Self.unwritable(path) }
    }

    /// Called after a failure: half a backup is useless.
    func remove() {
        unlink(path)
    }

    private static func unwritable(_ path: String) -> GateError {
        GateError(
            .invalidArgument, .invalidRequest,
            saying: localized(
                "'{path}' can't be written: {error}.", ["path": path, "error": String(cString: strerror(errno))]))
    }
}
