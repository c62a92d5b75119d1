import GateModel
import Glibc
import NIOConcurrencyHelpers

/// Says who is billed for a uid, from this device's databases of users.
protocol OwnerDirectory: Sendable {
    /// The owner of a uid in a range, as the ranges were last read; `nil` if `lookUp` must be called. Does not block.
    func owner(inRanges uid: UInt32) -> Owner?
    /// The owner of a uid; `nil` if it can't be found out now. Blocks for as long as a directory on the network takes.
    func lookUp(_ uid: UInt32) -> Owner?
    /// Reads the ranges again if the file has changed or names users that were unknown. Blocks.
    func refresh()
}

/// The owners of this device, from `/etc/subuid` and the databases of users that nsswitch.conf(5) names.
final class SystemOwners: OwnerDirectory {
    private struct Known {
        var ranges = SubordinateRanges.none
        /// The file's text and version that the ranges were read from. The version is `nil` if there was no file.
        var text = ""
        var version: FileVersion?
        /// False if the file was read so soon after a change that a further change may not be visible in its times.
        var isSettled = true
    }

    /// How much of the file is read. No real file has as much.
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
        // If the file can't be read now, the old ranges stay until the next look-up.
        guard let text = isAsRead ? old.text : version == nil ? "" : contents(of: path) else { return }
        let ranges = SubordinateRanges(text: text, user: users.uid)
        known.withLockedValue {
            $0 = Known(ranges: ranges, text: text, version: version, isSettled: version?.isSettled ?? true)
        }
    }

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
