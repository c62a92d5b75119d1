import GateExpressions
import GateModel

/// The texts that tell the drafts of a form from one another (F-74).
enum DraftLabel {
    /// Between the answers that make one.
    static let separator = ", "

    /// Whether a person or a program may give a draft this label.
    ///
    /// - Throws: `INVALID_ARGUMENT` where it is too long, or not one line of what people see.
    static func check(_ label: String) throws(GateError) {
        guard label.utf8.count <= Limits.labelByteCount, label.isSingleLine else { throw .badLabel }
    }

    /// So much of several texts as could be seen in a label: the rest is not looked at.
    static func beginning(of texts: [String]) -> String {
        texts.prefix(10).map { String($0.unicodeScalars.prefix(Limits.labelByteCount)) }.joined(separator: " ")
    }

    /// One line of these texts, cut to the length of a label. What people do not see has a space in its place.
    static func joined(_ texts: [String]) -> String {
        texts.map { text in
            text.replacingHidden.split { $0 == " " || $0 == "\u{FFFD}" }.joined(separator: " ")
        }
        .filter { !$0.isEmpty }.joined(separator: separator).cut(toByteCount: Limits.labelByteCount)
    }
}

extension FormDraft {
    /// The label that its answers make, as the form says; empty: nothing is answered there, or the form says nothing. In a group
    /// that repeats, the first one counts.
    var label: String {
        let parts = filled.outline.label
        guard !parts.isEmpty else { return "" }
        // A label is made with each change, where everybody waits: what takes long is left out.
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
        // What it hangs on is looked at only where there is something to say.
        guard !answers.isEmpty, enablement.isEnabled(question) else { return "" }
        return DraftLabel.beginning(of: answers.map(\.displayText))
    }
}

extension Enablement {
    /// The results of an expression about the response, as people read them; empty where it has none.
    fileprivate mutating func text(of expression: CompiledExpression) -> String {
        let results = try? results(of: expression, at: ExpressionPlace(item: nil, indices: []))
        return DraftLabel.beginning(of: (results ?? []).map(\.displayText))
    }
}
