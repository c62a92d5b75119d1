/// A gated action that a user was granted, and is not asked for again until the deadline.
public struct KeptGrantSummary: Hashable, Sendable {
    /// The user who is not asked.
    public var uid: UInt32
    /// The name of the gated action.
    public var gatedAction: String
    /// When the user is asked again.
    public var deadline: BootTime

    package init(uid: UInt32, gatedAction: String, deadline: BootTime) {
        self.uid = uid
        self.gatedAction = gatedAction
        self.deadline = deadline
    }
}
