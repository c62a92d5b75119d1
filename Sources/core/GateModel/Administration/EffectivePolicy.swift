/// The policy in force.
public struct EffectivePolicy: Hashable, Sendable {
    /// The policy and the roles for people, one line each.
    public var lines: [String]
    /// The same for programs; `nil`: the daemon does not tell it.
    public var summary: PolicySummary?

    /// Makes a value of these.
    package init(lines: [String], summary: PolicySummary?) {
        self.lines = lines
        self.summary = summary
    }
}
