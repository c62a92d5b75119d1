import GateModel
import Glibc
import NIOConcurrencyHelpers

/// The directory that says who is billed for a uid (T-01), by the databases of users.
protocol OwnerDirectory: Sendable {
    /// The owner by the ranges as they were read last. Does not block.
    ///
    /// - Returns: `nil`: it has to be looked up.
    func owner(inRanges uid: UInt32) -> Owner?
    /// Blocks, as long as a directory on a network takes.
    ///
    /// - Returns: `nil`: it can't be found out now.
    func lookUp(_ uid: UInt32) -> Owner?
    /// Reads the ranges again where they have changed, or name users that were not known. Blocks.
    func refresh()
}

/// The owners of this device: `/etc/subuid`, and what nsswitch.conf(5) names for users.
final class SystemOwners: OwnerDirectory {
    private struct Known {
        var ranges = SubordinateRanges.none
        /// The text that they were read from, and the version of its file; `nil`: there was no file.
        var text = ""
        var version: FileVersion?
        /// False where it was read so soon after a change that another one may look the same.
        var isSettled = true
    }

    /// More than any device's file has.
    private static let maximumByteCount = 1 << 20

    private let path: String
    private let users: UserDatabase
    private let known = NIOLockedValueBox(Known())

    init(path: String = "/etc/subuid", users: UserDatabase = .system) {
        self.path = path
        self.users = users
        refresh()
    }

    func owner(inRanges uid: UInt32) -> Owner? {
        guard case .owner(let owner) = known.withLockedValue({ $0.ranges }).finding(of: uid) else { return nil }
        return owner
    }

    func lookUp(_ uid: UInt32) -> Owner? {
        refresh()
        switch known.withLockedValue({ $0.ranges }).finding(of: uid) {
        case .owner(let owner): return owner
        case .unknownUser: return .withoutAccount
        case .inNoRange: return users.hasAccount(uid).map { $0 ? .user(uid) : .withoutAccount }
        }
    }

    func refresh() {
        let (version, old) = (FileVersion(of: path), known.withLockedValue { $0 })
        let isAsRead = version == old.version && old.isSettled
        guard !isAsRead || !old.ranges.isComplete else { return }
        // What can't be read now is read with the next look-up; until then everything is as it was.
        guard let text = isAsRead ? old.text : version == nil ? "" : contents(of: path) else { return }
        let ranges = SubordinateRanges(text: text, user: users.uid)
        known.withLockedValue {
            $0 = Known(ranges: ranges, text: text, version: version, isSettled: version?.isSettled ?? true)
        }
    }

    /// No more than a device's ranges take; `nil`: it can't be read.
    private func contents(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while bytes.count < Self.maximumByteCount {
            let more = [UInt8](unsafeUninitializedCapacity: 4096) { $1 = fread($0.baseAddress, 1, 4096, file) }
            if more.isEmpty { break }
            bytes += more
        }
        return ferror(file) == 0 ? String(decoding: bytes.prefix(Self.maximumByteCount), as: UTF8.self) : nil
    }
}

/// Tells whether a file is as it was.
private struct FileVersion: Equatable {
    private let file: [UInt64]
    private let times: [Int]
    /// Whether its last change was some time ago.
    let isSettled: Bool

    /// - Returns: `nil`: there is no such file.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        file = [UInt64(status.st_dev), UInt64(status.st_ino), UInt64(status.st_size)]
        times = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        // Clocks of file systems go in steps, of at most two seconds.
        isSettled = time(nil) - status.st_ctim.tv_sec > 2
    }

    static func == (one: FileVersion, other: FileVersion) -> Bool { (one.file, one.times) == (other.file, other.times) }
}
