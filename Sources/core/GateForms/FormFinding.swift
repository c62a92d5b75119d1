import GateModel

/// One thing that is wrong with a resource, or that Gate leaves unused.
struct FormFinding {
    var severity: FormIssue.Severity
    var code: FormIssue.Code
    var place: FHIRNode.Place?
    /// "Questionnaire.item[3]".
    var path: String
    var linkID: String?
    var message: String

    var problem: FormProblem { FormProblem(severity, at: place, path: path, linkID: linkID, message) }

    /// Its linkId may come from a response, and be anything.
    var issue: FormIssue { FormIssue(severity, code, at: path, linkID: linkID?.asLinkID, message) }
}

/// All that is found in a resource.
struct FormFindings {
    private var errors: [FormFinding] = []
    private var others: [FormFinding] = []

    /// How many words were told with the nearest one that there is.
    private var suggestionCount = 0

    var errorCount: Int { errors.count }
    var hasErrors: Bool { !errors.isEmpty }
    /// Whether another error would be dropped, and what it says need not be thought about.
    var isFull: Bool { errors.count >= FormsLimits.foundProblems }

    mutating func add(_ finding: FormFinding) {
        switch finding.severity {
        case .error: if errors.count < FormsLimits.foundProblems { errors.append(finding) }
        case .warning, .information: if others.count < FormsLimits.foundProblems { others.append(finding) }
        }
    }

    /// " Did you mean 'linkId'?", or nothing: also where that was told often enough, as looking for the nearest word takes its
    /// time.
    mutating func suggestion(_ written: String, among words: [String]) -> String {
        guard mayLookForWords() else { return "" }
        return NearestWord.question(written, among: words)
    }

    /// Counts.
    mutating func mayLookForWords() -> Bool {
        suggestionCount += 1
        return suggestionCount <= FormsLimits.suggestions
    }

    /// In the order in which they stand there, errors before the rest where there is not room for all.
    func first(_ count: Int) -> [FormFinding] {
        let sorted = Self.inOrder(errors).prefix(count)
        return Self.inOrder(sorted + Self.inOrder(others).prefix(count - sorted.count))
    }

    private static func inOrder(_ findings: some Collection<FormFinding>) -> [FormFinding] {
        findings.enumerated().sorted { left, right in
            switch (left.element.place, right.element.place) {
            case (let one?, let other?) where one != other: one < other
            case (nil, _?): true
            case (_?, nil): false
            case (_?, _?), (nil, nil): left.offset < right.offset
            }
        }.map(\.element)
    }
}

/// Where something is in a resource, for the one who reports it.
struct FormPosition {
    /// "Questionnaire.item[3]".
    var path: String
    /// The linkId of the item that this is in.
    var linkID: String?

    func below(_ key: String, _ index: Int? = nil) -> FormPosition {
        FormPosition(path: index.map { "\(path).\(key)[\($0)]" } ?? "\(path).\(key)", linkID: linkID)
    }

    func finding(_ severity: FormIssue.Severity, _ code: FormIssue.Code, _ place: FHIRNode.Place?, _ message: String)
        -> FormFinding
    { FormFinding(severity: severity, code: code, place: place, path: path, linkID: linkID, message: message) }
}
