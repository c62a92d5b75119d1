import GateModel

extension QuestionnaireItem {
    /// The name of the question in a sentence: its text in quotes, in one line and not too long; where it has none, its
    /// linkId.
    var label: String { "'\((text ?? "").oneShortLine.nonempty ?? linkID.oneShortLine)'" }

    /// The same, with the linkId: for refusals that name another item than was asked for.
    var fullLabel: String { text == nil ? label : "\(label) (\(linkID.oneShortLine))" }

    /// The parameters of a refusal, with the words for the question.
    func refusalParameters(_ parameters: [String: String]) -> [String: String] {
        parameters.merging(namingParameters) { ours, _ in ours }
    }
}

extension CompiledOutline {
    /// The issues as they are told: the first of them with the words for their questions.
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
    func times(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
