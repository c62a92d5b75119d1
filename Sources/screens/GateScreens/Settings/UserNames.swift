import Synchronization

/// The names of users, each looked up once: a page may have thousands of lines by the same ones.
package final class UserNames: Sendable {
    private let look: @Sendable (UInt32) -> String?
    /// Users without a name are kept too.
    private let known = Mutex<[UInt32: String?]>([:])

    /// - Parameter look: looks a name up; `nil`: the device has no user with that number.
    package init(_ look: @escaping @Sendable (UInt32) -> String?) {
        self.look = look
    }

    /// The name of a user; `nil`: the device has none with that number.
    package func name(of uid: UInt32) -> String? {
        known.withLock { known in
            if let name = known[uid] { return name }
            let name = look(uid)
            known.updateValue(name, forKey: uid)
            return name
        }
    }

    /// Users may have come and gone.
    package func forget() { known.withLock { $0 = [:] } }
}
