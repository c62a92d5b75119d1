import GateModel

/// The problems so far, as a policy is read on to its end.
struct PolicyProblems {
    private(set) var found: [PolicyProblem] = []

    var isEmpty: Bool { found.isEmpty }

    mutating func add(
        _ message: String, kind: FormIssue.Code, parameters: [String: String] = [:], at place: PolicyNode.Place
    ) {
        add(
            PolicyProblem(
                file: place.file, line: place.line, column: place.column, message: message, kind: kind,
                parameters: parameters))
    }

    mutating func add(_ problem: PolicyProblem) {
        // An anchor is met again at each of its aliases.
        guard found.count < PolicyLimits.problems, !found.contains(problem) else { return }
        found.append(problem)
    }

    /// "'colour' is no difficulty. Did you mean …? There are: easy, medium, hard."
    mutating func addUnknown(_ written: String, _ what: String, among words: [String], at place: PolicyNode.Place) {
        guard found.count < PolicyLimits.problems else { return }
        add(
            PolicyProblem(
                file: place.file, line: place.line, column: place.column,
                message: "'\(written.shortened)' is no \(what).\(Self.hint(written, among: words))", kind: .notFound,
                parameters: ["name": written.shortened]))
    }

    private static func hint(_ written: String, among words: [String]) -> String {
        let nearest = NearestWord.question(written, among: words, orBeginning: true)
        return "\(nearest) There \(words.count == 1 ? "is" : "are"): \(words.joined(separator: ", "))."
    }

    /// In the order of the files, and within each from the top down.
    func sorted(orderOfFiles files: [String]) -> [PolicyProblem] {
        let ranks = Dictionary(zip(files, files.indices)) { first, _ in first }
        func rank(_ problem: PolicyProblem) -> (Int, Int, Int) {
            (ranks[problem.file] ?? files.count, problem.line ?? 0, problem.column ?? 0)
        }
        return found.sorted { rank($0) < rank($1) }
    }
}
