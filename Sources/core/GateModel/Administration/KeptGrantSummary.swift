/// A gated action that a user is not asked for again for a while.
public struct KeptGrantSummary: Hashable, Sendable {
    /// The user.
    public var uid: UInt32
    /// The name of the gated action.
    public var gatedAction: String
    /// When it ends.
    public var deadline: BootTime

    /// Makes a summary of these values.
    package init(uid: UInt32, gatedAction: String, deadline: BootTime) {
        self.uid = uid
        self.gatedAction = gatedAction
        self.deadline = deadline
    }
}
