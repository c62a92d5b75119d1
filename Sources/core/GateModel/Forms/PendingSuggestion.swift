/// Answers that a program suggests for a question of a draft. They are still being fetched, or wait for the person
/// because the question has another answer.
public struct PendingSuggestion: Hashable, Sendable {
    /// The path of the question.
    public var path: FormPath
    /// The suggested answers. Empty while they are being fetched.
    public var answers: [FormValue]
    /// When the suggestion expires; `nil` if it stays until it is accepted or withdrawn, or until an answer that it
    /// depends on changes.
    public var deadline: BootTime?

    /// Whether the answers are still being fetched.
    public var isBeingFetched: Bool { answers.isEmpty }

    public init(path: FormPath, answers: [FormValue] = [], deadline: BootTime? = nil) {
        self.path = path
        self.answers = answers
        self.deadline = deadline
    }

    /// How long a program may announce that fetching takes, in milliseconds.
    package static let maximumMilliseconds: Int64 = 60_000
}
