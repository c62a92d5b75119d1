import GateModel

/// The issues of a response, in its order, up to a limit: somebody with so many errors begins anew anyway.
struct FoundIssues {
    private(set) var all: [FormIssue] = []
    private var errorCount = 0

    /// There are as many errors as are told. Nothing that is found after that is told.
    var isFull: Bool { errorCount >= FormBounds.issues }

    /// Where there is no room, an error takes the place of the last issue that is none: anyone who asks whether there is an
    /// error hears the truth.
    mutating func add(_ issue: FormIssue) {
        if all.count >= FormBounds.issues {
            guard takes(issue.severity), let other = all.lastIndex(where: { $0.severity != .error }) else { return }
            all.remove(at: other)
        }
        if issue.severity == .error { errorCount += 1 }
        all.append(issue)
    }

    /// Whether there is room for one of this severity.
    func takes(_ severity: FormIssue.Severity) -> Bool {
        all.count < FormBounds.issues || severity == .error && !isFull
    }
}
