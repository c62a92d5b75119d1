/// The process that had asked for a grant, as the kernel says.
public struct GrantRequester: Hashable, Sendable {
    /// Its user.
    public var uid: UInt32
    /// Its process id.
    public var pid: Int32

    /// Makes a requester of these values.
    package init(uid: UInt32, pid: Int32) {
        self.uid = uid
        self.pid = pid
    }
}
