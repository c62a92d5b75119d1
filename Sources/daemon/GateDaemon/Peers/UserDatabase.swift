import Glibc

/// The databases of users and groups that nsswitch.conf(5) names. All of it blocks.
package struct UserDatabase: Sendable {
    /// The uid of a name; `nil` if no user has that name.
    var uid: @Sendable (String) -> UInt32?
    /// The name of a uid; `nil` if no user has it, or that can't be found out now.
    var name: @Sendable (UInt32) -> String? = { _ in nil }
    /// Whether a uid has an account; `nil` if that can't be found out now.
    var hasAccount: @Sendable (UInt32) -> Bool?

    package static let system = UserDatabase(uid: userID(named:), name: userName(of:), hasAccount: hasAccount(_:))

    /// The users of tests: user1000 has the uid 1000, and so on.
    package static let numbered = UserDatabase(
        uid: { name in name.hasPrefix("user") ? UInt32(name.dropFirst(4)) : nil }, name: { "user\($0)" },
        hasAccount: { _ in true })

    static func userID(named name: String) -> UInt32? {
        find(passwd(), \.pw_uid) { getpwnam_r(name, $0, $1, $2, $3) }.found
    }

    /// - Returns: `nil` if there is no such user, or if its name is not UTF-8, so that the list of people can't have
    ///   the name in the same bytes.
    private static func userName(of uid: UInt32) -> String? {
        find(passwd(), { String(validatingCString: $0.pw_name) }) { getpwuid_r(uid, $0, $1, $2, $3) }.found ?? nil
    }

    static func groupID(named name: String) -> UInt32? {
        find(group(), \.gr_gid) { getgrnam_r(name, $0, $1, $2, $3) }.found
    }

    /// Whether the databases have an account with this uid, other than those that systemd makes for containers; `nil`
    /// if the databases can't be asked.
    private static func hasAccount(_ uid: UInt32) -> Bool? {
        let entry = find(passwd(), { !isTransient(uid, $0.pw_name) }) { getpwuid_r(uid, $0, $1, $2, $3) }
        switch entry.problem {
        case 0: return entry.found ?? false
        case ENOENT, ESRCH: return false
        default: return nil
        }
    }

    /// Asks with `ask`, a function like getpwnam_r(3). Returns what `read` takes from it, and the error number or 0.
    private static func find<Entry, Value>(
        _ empty: Entry, _ read: (Entry) -> Value,
        _ ask: (
            UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int,
            UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
        ) -> CInt
    ) -> (found: Value?, problem: CInt) {
        // Enough for a group of a thousand members.
        let byteCount = 64 * 1024
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: byteCount)
        defer { buffer.deallocate() }
        var entry = empty
        var result: UnsafeMutablePointer<Entry>?
        let problem = ask(&entry, buffer, byteCount, &result)
        return (problem == 0 && result != nil ? read(entry) : nil, problem)
    }

    /// Whether systemd-nsresourced has lent this uid to a user namespace. A user may have 65,536 of those at a time.
    /// systemd names them in the databases, so they look like accounts.
    static func isTransient(_ uid: UInt32, _ name: UnsafePointer<CChar>?) -> Bool {
        // systemd's range for containers, from UIDS-GIDS.md of systemd.
        guard (524_288...1_879_048_191).contains(uid), let name else { return false }
        return strncmp(name, "ns-", 3) == 0
    }
}
