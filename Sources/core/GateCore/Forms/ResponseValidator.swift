import GateExpressions
public import GateModel

/// Validates a whole response against its form, as the official validators do.
///
/// In a draft (`in-progress`) required answers may be missing, and rules that are expressions may be broken; all other
/// errors are the same as in a completed response. A stopped or withdrawn response is checked like a draft.
public struct ResponseValidator {
    private let form: CompiledForm
    private let now: LocalTime?
    private let moment: LocalTime?

    /// `now` is the device's clock, for rules and limits that are expressions; `nil`: they are not checked. `moment`
    /// decides which items are enabled; `nil`: `now`.
    package init(_ form: CompiledForm, now: LocalTime?, enabledAt moment: LocalTime? = nil) {
        self.form = form
        self.now = now
        self.moment = moment ?? now
    }

    /// - Returns: the issues in the order of the response; missing answers in an item come last. The response is valid
    ///   if none is an error. At most 501, preferably errors: 501 mean that there are more than 500.
    public func issues(of response: QuestionnaireResponse) -> [FormIssue] {
        var rows = ResponseRows(form, keeping: .everything, moment: moment)
        rows.read(response)
        guard !rows.isTooLarge else { return canonicalIssues(response.questionnaire) + [Self.tooLarge] }
        guard rows.filled.rows.matchingStepCount <= FormBounds.matchingSteps else {
            return canonicalIssues(response.questionnaire) + [Self.tooLong]
        }
        let severity = response.status.severityOfMissing
        let rules = form.outline.hasExpressions ? now.map { ExpressionRules(response, now: $0) } : nil
        var walk = ResponseWalk(rows.filled, missingIs: severity, rules)
        walk.check(response)
        let issues = canonicalIssues(response.questionnaire) + walk.issues
        // Notes are left out if there are very many issues.
        return Array((issues + (issues.count < FormBounds.issues ? standingIssues : [])).prefix(FormBounds.issues))
    }

    private static let tooLarge = FormIssue(
        .error, .tooLong, at: "QuestionnaireResponse", linkID: nil,
        "A response has room for \(FormBounds.repeatedItems.times("item")) in repeated groups. Leave some out."
    )

    private static let tooLong = FormIssue(
        .error, .tooLong, at: "QuestionnaireResponse", linkID: nil,
        "The answers are too long to check them all against their patterns. Shorten some.")

    /// Versions are compared only if both are stated.
    private func canonicalIssues(_ stated: String?) -> [FormIssue] {
        guard let stated, let url = form.questionnaire.url else { return [] }
        let parts = stated.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let version = parts.count == 2 ? parts[1] : nil
        let isSameVersion = version.map { form.questionnaire.version ?? String($0) == $0 } ?? true
        guard parts[0] != url || !isSameVersion else { return [] }
        return [
            FormIssue(
                .error, .invariant, at: "QuestionnaireResponse.questionnaire", linkID: nil,
                "This response answers another questionnaire, or another version of it. Answer "
                    + "\(form.questionnaire.canonical ?? url).")
        ]
    }
}

extension ResponseValidator {
    /// Notes if the questionnaire is a draft or retired, or is not in its period of use.
    private var standingIssues: [FormIssue] {
        let standing = form.questionnaire.standing
        var notes: [String] = []
        switch standing.status {
        case .draft: notes.append("The questionnaire is a draft.")
        case .retired: notes.append("The questionnaire is retired.")
        case .active, .unknown: break
        }
        if let now = now.map({ CalendarMoment($0) }) {
            if let start = standing.start, let first = CalendarMoment(start),
                CalendarMoment.compare(now, first) ?? 0 < 0
            {
                notes.append("The questionnaire is meant to be used from \(start.displayText) on.")
            }
            if let end = standing.end, let last = CalendarMoment(end), CalendarMoment.compare(now, last) ?? 0 > 0 {
                notes.append("The questionnaire was meant to be used until \(end.displayText).")
            }
        }
        return notes.map {
            FormIssue(.information, .businessRule, at: "QuestionnaireResponse.questionnaire", linkID: nil, $0)
        }
    }
}

extension QuestionnaireResponse.Status {
    fileprivate var severityOfMissing: FormIssue.Severity {
        switch self {
        case .completed, .amended: .error
        case .inProgress, .enteredInError, .stopped: .information
        }
    }
}
