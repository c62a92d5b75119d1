/// The policy in force.
public struct EffectivePolicy: Hashable, Sendable {
    /// The policy and its roles as English lines for people.
    public var lines: [String]
    /// The same policy for programs; `nil` if the daemon does not tell it.
    public var summary: PolicySummary?

    package init(lines: [String], summary: PolicySummary?) {
        self.lines = lines
        self.summary = summary
    }
}
