import GateModel

extension QuestionnaireItem {
    /// The question's name in a sentence: its text in quotes, shortened to one line, or else its linkId.
    var label: String { "'\((text ?? "").oneShortLine.nonempty ?? linkID.oneShortLine)'" }

    /// The label with the linkId, for refusals about another item than the caller named.
    var fullLabel: String { text == nil ? label : "\(label) (\(linkID.oneShortLine))" }

    func refusalParameters(_ parameters: [String: String]) -> [String: String] {
        parameters.merging(namingParameters) { ours, _ in ours }
    }
}

extension CompiledOutline {
    /// The issues for a refusal. The first ones get the texts of their questions.
    func told(_ issues: [FormIssue]) -> [ErrorIssue] {
        issues.enumerated().map { index, issue in
            var told = ErrorIssue(issue)
            if index < GateError.toldIssues, let position = issue.linkID.flatMap({ positions[$0] }) {
                told.parameters = items[position].item.refusalParameters(told.parameters)
            }
            return told
        }
    }
}

extension String {
    fileprivate var nonempty: String? { isEmpty ? nil : self }
}

extension Int {
    /// "1 answer", "3 answers".
    package func times(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
