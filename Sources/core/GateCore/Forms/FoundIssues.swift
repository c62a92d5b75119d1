import GateModel

/// The issues of a response in their order, up to a limit: a person with so many errors begins anew anyway.
struct FoundIssues {
    private(set) var all: [FormIssue] = []
    private var errorCount = 0

    /// Whether the number of errors has reached the limit. Later issues are dropped.
    var isFull: Bool { errorCount >= FormBounds.issues }

    /// Adds an issue. If there is no room, an error replaces the last issue that is not an error, so that errors are
    /// never hidden by others.
    mutating func add(_ issue: FormIssue) {
        if all.count >= FormBounds.issues {
            guard takes(issue.severity), let other = all.lastIndex(where: { $0.severity != .error }) else { return }
            all.remove(at: other)
        }
        if issue.severity == .error { errorCount += 1 }
        all.append(issue)
    }

    func takes(_ severity: FormIssue.Severity) -> Bool {
        all.count < FormBounds.issues || severity == .error && !isFull
    }
}
