/// The process that asked for a grant, as the kernel attests it.
public struct GrantRequester: Hashable, Sendable {
    /// The user of the process.
    public var uid: UInt32
    /// The process id.
    public var pid: Int32

    package init(uid: UInt32, pid: Int32) {
        self.uid = uid
        self.pid = pid
    }
}
