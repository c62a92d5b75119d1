import Synchronization

/// The names of users, each looked up once, because a page can have thousands of lines about the same users.
package final class UserNames: Sendable {
    private let look: @Sendable (UInt32) -> String?
    /// Users without a name are in it too.
    private let known = Mutex<[UInt32: String?]>([:])

    /// - Parameter look: looks a name up; `nil` if the device has no user with that uid.
    package init(_ look: @escaping @Sendable (UInt32) -> String?) {
        self.look = look
    }

    /// The name of a user; `nil` if the device has no user with that uid.
    package func name(of uid: UInt32) -> String? {
        known.withLock { known in
            if let name = known[uid] { return name }
            let name = look(uid)
            known.updateValue(name, forKey: uid)
            return name
        }
    }

    /// Looks all names up again, because users may have been added or removed.
    package func forget() { known.withLock { $0 = [:] } }
}
