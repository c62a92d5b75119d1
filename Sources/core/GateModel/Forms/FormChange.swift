/// What a change to a draft did.
public struct FormChange: Hashable, Sendable {
    /// The draft after the change.
    public var summary: FormSummary
    /// Whether anything changed.
    public var isChanged: Bool
    /// The paths of the questions that were cleared because they depend on what changed, or because their answers no
    /// longer fit. At most the first 500.
    public var cleared: [FormPath]
    /// The number of questions that were cleared, including those that `cleared` leaves out.
    public var clearedCount: Int

    /// - Parameter clearedCount: `nil` if `cleared` lists all.
    package init(summary: FormSummary, isChanged: Bool, cleared: [FormPath] = [], clearedCount: Int? = nil) {
        self.summary = summary
        self.isChanged = isChanged
        self.cleared = cleared
        self.clearedCount = clearedCount ?? cleared.count
    }
}
