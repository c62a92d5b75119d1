import GateExpressions
import GateModel

/// The texts by which people distinguish the drafts of a form.
enum DraftLabel {
    static let separator = ", "

    /// - Throws: `INVALID_ARGUMENT` if it is too long, or is not one line of visible text.
    static func check(_ label: String) throws(GateError) {
        guard label.utf8.count <= Limits.labelByteCount, label.isSingleLine else { throw .badLabel }
    }

    /// The beginning of the texts, as much as can be visible in a label. The rest need not be processed.
    static func beginning(of texts: [String]) -> String {
        texts.prefix(10).map { String($0.unicodeScalars.prefix(Limits.labelByteCount)) }.joined(separator: " ")
    }

    /// The texts in one line, cut to the length of a label. Characters that people can't see become spaces.
    static func joined(_ texts: [String]) -> String {
        texts.map { text in
            text.replacingHidden.split { $0 == " " || $0 == "\u{FFFD}" }.joined(separator: " ")
        }
        .filter { !$0.isEmpty }.joined(separator: separator).cut(toByteCount: Limits.labelByteCount)
    }
}

extension FormDraft {
    /// The label made from the draft's answers, as the form describes it; empty if none of its questions is answered,
    /// or the form describes no label. Of a repeating group, the first instance counts.
    var label: String {
        let parts = filled.outline.label
        guard !parts.isEmpty else { return "" }
        // Labels are made during each change, so all other commands wait. What exceeds the small budget is left out.
        var enablement = Enablement(of: filled, budget: ExpressionBudget(steps: FormBounds.labelSteps))
        return DraftLabel.joined(
            parts.map { part in
                switch part {
                case .question(let item): text(of: item, &enablement)
                case .expression(let expression): enablement.text(of: expression)
                }
            })
    }

    private func text(of item: Int, _ enablement: inout Enablement) -> String {
        let question = ItemOccurrence(item, filled.outline.items[item].containers.map { _ in 0 })
        let answers = filled.answers(of: question)
        // Slow to find out, so only looked at if there is an answer.
        guard !answers.isEmpty, enablement.isEnabled(question) else { return "" }
        return DraftLabel.beginning(of: answers.map(\.displayText))
    }
}

extension Enablement {
    /// The results of an expression about the response, as people read them; empty if it has none or fails.
    fileprivate mutating func text(of expression: CompiledExpression) -> String {
        let results = try? results(of: expression, at: ExpressionPlace(item: nil, indices: []))
        return DraftLabel.beginning(of: (results ?? []).map(\.displayText))
    }
}
