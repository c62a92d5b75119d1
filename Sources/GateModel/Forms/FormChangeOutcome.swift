/// The result of a change to a draft.
public struct FormChangeOutcome: Hashable, Sendable {
    /// The draft after the change.
    public var summary: FormSummary
    /// Whether anything is different from before.
    public var isChanged: Bool
    /// The paths of the questions that were cleared because they depend on what was changed, or because their answers no longer
    /// fit; at most 500.
    public var cleared: [String]

    /// Makes a result of these values.
    package init(summary: FormSummary, isChanged: Bool, cleared: [String] = []) {
        self.summary = summary
        self.isChanged = isChanged
        self.cleared = cleared
    }
}
