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

    /// One line of these texts, cut to the length of a label. What people do not see has a space in its place.
    static func joined(_ texts: [String]) -> String {
        texts.map { text in
            text.replacingHidden.split { $0 == " " || $0 == "\u{FFFD}" }.joined(separator: " ")
        }
        .filter { !$0.isEmpty }.joined(separator: separator).cut(toByteCount: Limits.labelByteCount)
    }
}

extension FormDraft {
    /// The label that its answers make, by the questions that the form names for it; empty: nothing is answered there, or the
    /// form names none. In a group that repeats, the first one counts.
    var label: String {
        let questions = form.questionnaire.labelItems
        guard !questions.isEmpty else { return "" }
        return DraftLabel.joined(questions.map(text))
    }

    private func text(of linkID: String) -> String {
        guard let item = filled.outline.positions[linkID] else { return "" }
        let question = ItemOccurrence(item, filled.outline.items[item].containers.map { _ in 0 })
        // A label is made with each change, where everybody waits.
        var enablement = Enablement(of: filled, steps: FormBounds.labelSteps)
        guard enablement.isEnabled(question) else { return "" }
        return filled.answers(of: question).map(\.displayText).joined(separator: " ")
    }
}
