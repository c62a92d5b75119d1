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
        /// The text that they were read from.
        var text = ""
    }

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
        let text = contents(of: path)
        guard known.withLockedValue({ $0.text != text || !$0.ranges.isComplete }) else { return }
        let ranges = SubordinateRanges(text: text, user: users.uid)
        known.withLockedValue { $0 = Known(ranges: ranges, text: text) }
    }
}

/// The databases of users. Blocks.
struct UserDatabase: Sendable {
    /// The uid of a name; `nil`: there is none.
    var uid: @Sendable (String) -> UInt32?
    /// Whether a uid has an account; `nil`: nobody can say.
    var hasAccount: @Sendable (UInt32) -> Bool?

    static let system = UserDatabase(uid: userID(named:), hasAccount: hasAccount(_:))
}

/// As far as it can be read, and no more than a device's ranges take; nothing where there is no such file.
private func contents(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
}

/// - Returns: `nil` where the databases can't be asked.
private func hasAccount(_ uid: UInt32) -> Bool? {
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: entryByteCount)
    defer { buffer.deallocate() }
    switch getpwuid_r(uid, &entry, buffer, entryByteCount, &result) {
    case 0: return result != nil && !isTransient(uid, entry.pw_name)
    case ENOENT, ESRCH: return false
    default: return nil
    }
}

/// Whether systemd-nsresourced has lent this uid to a user namespace of somebody's, who may have 65,536 of them at a time. It names
/// them in the databases, so that they look like accounts.
func isTransient(_ uid: UInt32, _ name: UnsafePointer<CChar>?) -> Bool {
    // systemd's range for containers, from its UIDS-GIDS.md.
    guard (524_288...1_879_048_191).contains(uid), let name else { return false }
    return strncmp(name, "ns-", 3) == 0
}
