/// A suggestion for a question of a draft that is still to come, or that waits since something else is answered (F-75, F-76).
public struct PendingSuggestion: Hashable, Sendable {
    /// The path of the question.
    public var path: FormPath
    /// The answers that wait. Empty: they are being fetched.
    public var answers: [FormValue]
    /// When it goes by itself; `nil`: when it is taken, or the questions that it depends on are answered otherwise.
    public var deadline: BootTime?

    /// Whether the answers are being fetched.
    public var isBeingFetched: Bool { answers.isEmpty }

    /// Makes a suggestion of these values.
    public init(path: FormPath, answers: [FormValue] = [], deadline: BootTime? = nil) {
        self.path = path
        self.answers = answers
        self.deadline = deadline
    }

    /// The longest time that a program may announce, in milliseconds.
    package static let maximumMilliseconds: Int64 = 60_000
}
