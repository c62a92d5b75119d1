/// The result of a change to a draft.
public struct FormChange: Hashable, Sendable {
    /// The draft after the change.
    public var summary: FormSummary
    /// Whether anything is different from before.
    public var isChanged: Bool
    /// The paths of the questions that were cleared because they depend on what was changed, or because their answers no longer
    /// fit: the first 500.
    public var cleared: [FormPath]
    /// The number of questions that were cleared, those that are not in `cleared` too.
    public var clearedCount: Int

    /// Makes a result of these values.
    ///
    /// - Parameters:
    ///   - summary: the draft after the change.
    ///   - isChanged: whether anything is different from before.
    ///   - cleared: the paths of the questions that were cleared, or the first of them.
    ///   - clearedCount: the number of questions that were cleared; `nil`: all are in `cleared`.
    package init(summary: FormSummary, isChanged: Bool, cleared: [FormPath] = [], clearedCount: Int? = nil) {
        self.summary = summary
        self.isChanged = isChanged
        self.cleared = cleared
        self.clearedCount = clearedCount ?? cleared.count
    }
}
