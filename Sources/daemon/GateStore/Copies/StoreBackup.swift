import Glibc
import SQLite
import Synchronization

/// A backup: a copy of the store in one file, to be read in pieces. The file is already unlinked, so it disappears with
/// this object or with the process.
public final class StoreBackup: Sendable {
    /// The size of the whole file, in bytes.
    public let byteCount: Int
    private let descriptor: CInt

    fileprivate init(descriptor: CInt, byteCount: Int) {
        (self.descriptor, self.byteCount) = (descriptor, byteCount)
    }

    deinit { close(descriptor) }

    /// A piece of the backup. Blocks until the disk has answered.
    ///
    /// - Parameters:
    ///   - offset: where the piece begins, in bytes from 0. Past the end, the piece is empty.
    ///   - count: the most bytes to read.
    public func piece(at offset: Int, count: Int) throws(StoreError) -> [UInt8] {
        let start = min(max(0, offset), byteCount)
        let wanted = min(max(0, count), byteCount - start)
        let piece = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            while filled < wanted {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled..<wanted])
                let read = pread(descriptor, rest.baseAddress, rest.count, off_t(start + filled))
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { break }
                filled += read
            }
        }
        guard piece.count == wanted else { throw .system("the backup can't be read") }
        return piece
    }
}

extension GateStore {
    /// Makes a backup of what is committed now. Commits can go on meanwhile.
    ///
    /// Kept grants are left out: they count only in this boot, and end within a day. It contains everything else that
    /// outlives the daemon, including password hashes and the authenticator's key.
    /// - Throws: `StoreError`; `.full` if the state directory's disk has no room for a second copy.
    public func makeBackup() throws(StoreError) -> StoreBackup {
        try Self.performing {
            // A separate connection, so that commits need not wait for it.
            let source = try StoreConnection.inspect(directory.database)
            defer { try? source.close() }
            let file = directory.unfinishedBackup
            try StoreConnection.copy(source, as: file, in: directory) { database in
                try database.execute(sql: "DELETE FROM kept_grant")
            }
            let descriptor = Glibc.open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw StoreError.system("can't open \(file)") }
            let size = lseek(descriptor, 0, SEEK_END)
            let backup = StoreBackup(descriptor: descriptor, byteCount: Int(size))
            try directory.remove(file)
            guard size > 0 else { throw StoreError.system("can't read \(file)") }
            return backup
        }
    }
}
