import GateModel

/// The problems that were found so far. Reading goes on after a problem, so that all are found at once.
struct PolicyProblems {
    private(set) var found: [PolicyProblem] = []

    var isEmpty: Bool { found.isEmpty }

    /// - Parameter parameters: the limits that were broken, or the name that is unknown. The key is added from `place`.
    mutating func add(
        _ message: String, kind: FormIssue.Code, parameters: [String: String] = [:], at place: PolicyNode.Place
    ) {
        var parameters = parameters
        if let key = place.key, parameters["key"] == nil { parameters["key"] = key.shortened }
        add(
            PolicyProblem(
                file: place.file, line: place.line, column: place.column, message: message, kind: kind,
                parameters: parameters))
    }

    mutating func add(_ problem: PolicyProblem) {
        // Two settings can lead to the same problem at the same place: two holds that do not fit into 'answer-time'.
        guard found.count < PolicyLimits.problems,
            !found.contains(where: {
                $0.file == problem.file && $0.line == problem.line && $0.column == problem.column
                    && $0.message == problem.message
            })
        else { return }
        found.append(problem)
    }

    /// Adds a message like "'colour' is no difficulty. Did you mean …? There are: easy, medium, hard."
    mutating func addUnknown(_ written: String, _ what: String, among words: [String], at place: PolicyNode.Place) {
        guard found.count < PolicyLimits.problems else { return }
        add(
            "'\(written.shortened)' is no \(what).\(Self.hint(written, among: words))", kind: .notFound,
            parameters: ["name": written.shortened], at: place)
    }

    private static func hint(_ written: String, among words: [String]) -> String {
        let nearest = NearestWord.question(written, among: words, orBeginning: true)
        return "\(nearest) There \(words.count == 1 ? "is" : "are"): \(words.joined(separator: ", "))."
    }

    /// The problems in the order of the files, and from top to bottom in each.
    func sorted(orderOfFiles files: [String]) -> [PolicyProblem] {
        let ranks = Dictionary(zip(files, files.indices)) { first, _ in first }
        func rank(_ problem: PolicyProblem) -> (Int, Int, Int) {
            (ranks[problem.file] ?? files.count, problem.line ?? 0, problem.column ?? 0)
        }
        return found.sorted { rank($0) < rank($1) }
    }
}
