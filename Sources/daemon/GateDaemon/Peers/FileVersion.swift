import Glibc

/// Tells whether a file is unchanged.
struct FileVersion: Equatable {
    private let file: [UInt64]
    private let times: [Int]
    let isSettled: Bool

    /// - Returns: `nil` if there is no such file.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        file = [UInt64(status.st_dev), UInt64(status.st_ino), UInt64(status.st_size)]
        times = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        // File systems have clocks that advance in steps of up to two seconds.
        isSettled = time(nil) - status.st_ctim.tv_sec > 2
    }

    static func == (one: FileVersion, other: FileVersion) -> Bool { (one.file, one.times) == (other.file, other.times) }
}
