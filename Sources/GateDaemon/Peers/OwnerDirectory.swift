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
    }

    /// More than any device's file has.
    private static let maximumByteCount: Int64 = 1 << 20

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
        guard version != old.version || !old.ranges.isComplete else { return }
        let text = version == old.version ? old.text : version.map { contents(of: path, $0) } ?? ""
        let ranges = SubordinateRanges(text: text, user: users.uid)
        known.withLockedValue { $0 = Known(ranges: ranges, text: text, version: version) }
    }

    /// As far as it can be read, and no more than a device's ranges take.
    private func contents(of path: String, _ version: FileVersion) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        let byteCount = Int(clamping: min(version.byteCount, Self.maximumByteCount))
        return String(unsafeUninitializedCapacity: byteCount) { fread($0.baseAddress, 1, byteCount, file) }
    }
}

/// Tells whether a file is as it was.
private struct FileVersion: Equatable {
    let byteCount: Int64
    private let file: [UInt64]
    private let times: [Int]

    /// - Returns: `nil`: there is no such file.
    init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        byteCount = Int64(status.st_size)
        file = [UInt64(status.st_dev), UInt64(status.st_ino)]
        times = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
    }
}
