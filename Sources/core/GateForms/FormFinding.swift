import GateModel

/// Something that is wrong with a resource, or that Gate does not use.
struct FormFinding {
    var severity: FormIssue.Severity
    var code: FormIssue.Code
    var place: FHIRNode.Place?
    /// Like "Questionnaire.item[3]".
    var path: String
    var linkID: String?
    var message: String

    var problem: FormProblem { FormProblem(severity, at: place, path: path, linkID: linkID, message) }

    /// The linkId is shortened, because one from a response may be anything.
    var issue: FormIssue { FormIssue(severity, code, at: path, linkID: linkID?.asLinkID, message) }
}

/// Everything that is found in a resource.
struct FormFindings {
    private var errors: [FormFinding] = []
    private var others: [FormFinding] = []

    private var suggestionCount = 0

    var errorCount: Int { errors.count }
    var hasErrors: Bool { !errors.isEmpty }
    /// Whether another error would be dropped, so that its message need not be made.
    var isFull: Bool { errors.count >= FormsLimits.foundProblems }

    mutating func add(_ finding: FormFinding) {
        switch finding.severity {
        case .error: if errors.count < FormsLimits.foundProblems { errors.append(finding) }
        case .warning, .information: if others.count < FormsLimits.foundProblems { others.append(finding) }
        }
    }

    /// " Did you mean 'linkId'?", or an empty text if no word is near. It is also empty after `FormsLimits.suggestions`
    /// calls, because looking for the nearest word takes its time.
    mutating func suggestion(_ written: String, among words: [String]) -> String {
        guard mayLookForWords() else { return "" }
        return NearestWord.question(written, among: words)
    }

    /// Counts the calls, and returns whether the nearest word may still be looked for.
    mutating func mayLookForWords() -> Bool {
        suggestionCount += 1
        return suggestionCount <= FormsLimits.suggestions
    }

    /// The findings in the order of the file. If there are more than `count`, errors are chosen first.
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

/// Where something is in a resource, for a finding about it.
struct FormPosition {
    /// Like "Questionnaire.item[3]".
    var path: String
    var linkID: String?

    func below(_ key: String, _ index: Int? = nil) -> FormPosition {
        FormPosition(path: index.map { "\(path).\(key)[\($0)]" } ?? "\(path).\(key)", linkID: linkID)
    }

    func finding(_ severity: FormIssue.Severity, _ code: FormIssue.Code, _ place: FHIRNode.Place?, _ message: String)
        -> FormFinding
    { FormFinding(severity: severity, code: code, place: place, path: path, linkID: linkID, message: message) }
}
