import GateModel
import Glibc
import Synchronization

/// The state directory: checked for safety, and locked for this process until `unlock()`. All names in it:
///
///     gate.sqlite, gate.sqlite-wal, gate.sqlite-shm   the store
///     gate.sqlite.new                                 a store that is being made; never in use under this name
///     gate.lock                                       locked with flock while a daemon runs
///     gate-damaged-<UTC>.sqlite (-wal, -shm)          a damaged store that was set aside
///     gate-schema-<n>-<UTC>.sqlite                    the store as it was before an upgrade: see `UpgradeCopy`
///     gate.sqlite.copy                                such a copy that is being made
///     gate.sqlite.backup                              a backup that is being made; unlinked when it is complete
///     gate.sqlite.restore                             a backup that is being restored
final class StoreDirectory: Sendable {
    static let databaseName = "gate.sqlite"
    private static let quarantinePrefix = "gate-damaged-"
    /// The suffixes of a database, and of the files that SQLite puts beside it.
    private static let suffixes = ["", "-wal", "-shm"]

    let path: String
    /// `nil` after `unlock()`.
    private let lock: Mutex<CInt?>

    var database: String { "\(path)/\(Self.databaseName)" }
    /// A new store gets its name only when it is complete, so a crash leaves either none or a whole one.
    var unfinishedDatabase: String { "\(database).new" }
    var unfinishedCopy: String { "\(database).copy" }
    var unfinishedBackup: String { "\(database).backup" }
    var stagedRestore: String { "\(database).restore" }

    /// Opens and locks the directory. Makes it with mode 0700 if only its last component is missing.
    init(opening path: String) throws(StoreError) {
        self.path = path
        if mkdir(path, 0o700) != 0 && errno != EEXIST {
            throw .system("the state directory \(path) is not there and can't be made")
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw .system(path) }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw .unsafe("the state directory \(path) is not a directory; move it away, or name another")
        }
        try Self.checkOwner(of: path, "the state directory \(path)", status)
        guard status.st_mode & 0o022 == 0 else {
            throw .unsafe("others may write to the state directory \(path); run: chmod go-w \(path)")
        }
        lock = Mutex(try Self.lockDirectory(path))
    }

    deinit { unlock() }

    private static func lockDirectory(_ path: String) throws(StoreError) -> CInt {
        let file = "\(path)/gate.lock"
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system("can't open \(file)") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error: StoreError = errno == EWOULDBLOCK ? .inUse(directory: path) : .system("can't lock \(file)")
            _ = close(descriptor)
            throw error
        }
        return descriptor
    }

    func unlock() {
        lock.withLock { descriptor in
            guard let open = descriptor.take() else { return }
            // `close` alone may not unlock it: a child that is just being started may have a copy of the descriptor.
            _ = flock(open, LOCK_UN)
            _ = close(open)
        }
    }

    // MARK: - Safety

    private static func checkOwner(of file: String, _ name: String, _ status: stat) throws(StoreError) {
        guard status.st_uid == geteuid() else {
            throw .unsafe(
                "\(name) belongs to uid \(status.st_uid), and gated runs as uid \(geteuid()); "
                    + "run: chown \(geteuid()) \(file)")
        }
    }

    /// Checks that the database and the files beside it are regular files of this user, and sets their mode to 0600.
    /// Returns their sizes in bytes, the database's first; `nil` for a file that is not there.
    func checkDatabase() throws(StoreError) -> [Int?] {
        try Self.suffixes.map { suffix throws(StoreError) in try Self.checkFile(database + suffix) }
    }

    private static func checkFile(_ file: String) throws(StoreError) -> Int? {
        var status = stat()
        guard lstat(file, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw .system(file)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unsafe("\(file) is not a regular file; move it away")
        }
        try checkOwner(of: file, file, status)
        guard status.st_mode & 0o777 == 0o600 || chmod(file, 0o600) == 0 else {
            throw .system("can't set the mode of \(file)")
        }
        return Int(status.st_size)
    }

    // MARK: - Making a store

    /// Makes an empty file with mode 0600. SQLite gives the files beside it the same mode. A file of this name that a
    /// crash has left is removed. Returns a descriptor, which the caller closes.
    func makeEmpty(_ file: String) throws(StoreError) -> CInt {
        try remove(file)
        let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .system("can't make \(file)") }
        // The umask may have removed bits that are needed.
        guard fchmod(descriptor, 0o600) == 0 else {
            _ = close(descriptor)
            throw .system("can't set the mode of \(file)")
        }
        return descriptor
    }

    /// Removes a database and the files beside it.
    func remove(_ file: String) throws(StoreError) {
        for suffix in Self.suffixes + ["-journal"] {
            guard unlink(file + suffix) == 0 || errno == ENOENT else { throw .system("can't remove \(file + suffix)") }
        }
    }

    /// Removes files that an earlier process was working on when it ended.
    func removeUnfinishedCopies() throws(StoreError) {
        for file in [unfinishedCopy, unfinishedBackup, stagedRestore] { try remove(file) }
    }

    /// Renames a finished store or copy, durably. A file that has the name is replaced.
    func finish(_ file: String, as name: String) throws(StoreError) {
        guard rename(file, "\(path)/\(name)") == 0 else { throw .system("can't rename \(file)") }
        try synchronize()
    }

    private func synchronize() throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("can't open \(path)") }
        defer { _ = close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system("can't synchronize \(path)") }
    }

    // MARK: - Setting aside

    /// Renames the database and the files beside it, so that SQLite's tools still find them together. Nothing is
    /// deleted or overwritten: this process holds the lock, so no other makes a file of the same name meanwhile. The
    /// database goes first: after a crash half-way there is none, and `newestQuarantinedFile()` keeps Gate closed.
    /// Returns the new path of the database, or of the first file that existed.
    func setDatabaseAside() throws(StoreError) -> String {
        let (stem, taken) = (Self.quarantinePrefix + Self.timestamp(), try names())
        var (name, count) = ("\(stem).sqlite", 1)
        while taken.contains(where: { $0.hasPrefix(name) }) {
            count += 1
            name = "\(stem)-\(count).sqlite"
        }
        let target = "\(path)/\(name)"
        var first: String?
        for suffix in Self.suffixes {
            if rename(database + suffix, target + suffix) == 0 {
                first = first ?? target + suffix
            } else if errno != ENOENT {
                throw .system("can't set \(database + suffix) aside")
            }
        }
        try synchronize()
        return first ?? target
    }

    /// The newest file that was set aside, including those beside a database; `nil` if there is none.
    func newestQuarantinedFile() throws(StoreError) -> String? {
        try names().filter { $0.hasPrefix(Self.quarantinePrefix) }.max().map { "\(path)/\($0)" }
    }

    func names() throws(StoreError) -> [String] {
        guard let directory = opendir(path) else { throw .system("can't read \(path)") }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }

    /// The wall clock's time, for names that people read. Nothing depends on it.
    static func timestamp() -> String {
        let now = WallTime(unixMilliseconds: Int64(time(nil)) * 1000).utcText
        // Without separators and fractions, like 20261129T070000Z.
        return now.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
