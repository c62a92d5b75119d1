package import GateModel

extension FormDraft {
    /// Sets the answers that a response names, either all or none. Answers that it does not name stay, even those that
    /// are not enabled now and can't be read. A question that it names without an answer is cleared. A repeating group
    /// that it names is replaced with all its instances, each of which begins with its initial values. The response may
    /// answer read-only questions, except those whose words are fixed.
    ///
    /// - Throws: NOT_FOUND for an item that does not exist; INVALID_ARGUMENT `.badAnswer` if any answer of the form
    ///   would be wrong afterwards; FAILED_PRECONDITION `.notAnswerable` for an answer to a question that is not
    ///   enabled then; RESOURCE_EXHAUSTED `.limit` if there are too many groups. Nothing has changed if it throws.
    package mutating func amend(by response: QuestionnaireResponse, now: LocalTime? = nil) throws(GateError) -> Change {
        var amending = Amending(filled)
        try amending.amend(response.items, in: nil, at: [])
        // An answer that precedes the one it depends on was cleared by that. The second pass sets it again.
        if !Set(amending.cleared).isDisjoint(with: amending.answered) {
            try amending.amend(response.items, in: nil, at: [])
        }
        var draft = self
        draft.filled = amending.filled
        var change = draft.change(cleared: amending.cleared, now)
        var enablement = Enablement(of: draft.filled)
        for question in amending.answered where !enablement.isEnabled(question) {
            throw .notEnabled(draft.filled.outline.items[question.item].item)
        }
        let whole = draft.response(.inProgress, authored: nil, includingUnanswered: false)
        let errors = ResponseValidator(form, now: now).issues(of: whole).filter { $0.severity == .error }
        guard errors.isEmpty else { throw .badResponse(errors, to: draft.filled.outline) }
        let outline = draft.filled.outline
        let named = Set(amending.named.map(outline.path))
        change.cleared.removeAll { named.contains($0) }
        self = draft
        return change
    }
}

/// Sets the answers of a response in the order of the form. An answer usually comes after the one that it depends on,
/// so it is not cleared by that.
private struct Amending {
    private(set) var filled: FilledForm
    private(set) var named: [ItemOccurrence] = []
    private(set) var answered: [ItemOccurrence] = []
    private(set) var cleared: [ItemOccurrence] = []

    init(_ filled: FilledForm) {
        self.filled = filled
        self.filled.rows.beginWatching()
    }

    mutating func amend(
        _ items: [QuestionnaireResponseItem], in parent: Int?, at indices: [Int]
    ) throws(GateError) {
        let outline = filled.outline
        var times: [Int: [QuestionnaireResponseItem]] = [:]
        for item in items {
            guard let position = outline.positions[item.linkID], outline.items[position].parent == parent else {
                throw .noItem(FormPath(item.linkID))
            }
            times[position, default: []].append(item)
        }
        for (position, written) in times.sorted(by: { $0.key < $1.key }) {
            let compiled = outline.items[position]
            guard written.count == 1 || compiled.item.kind == .group && compiled.item.repeats else {
                throw .namedTwice(compiled.item)
            }
            switch compiled.item.kind {
            case .group where compiled.item.repeats:
                try replace(ItemOccurrence(position, indices), by: written)
            case .group: try amend(written[0].items, in: position, at: indices)
            case .display: break
            case .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice, .openChoice,
                .attachment, .reference, .quantity:
                try answer(ItemOccurrence(position, indices), with: written[0].answers)
            }
        }
    }

    private mutating func replace(_ group: ItemOccurrence, by times: [QuestionnaireResponseItem]) throws(GateError) {
        let compiled = filled.outline.items[group.item]
        while filled.count(of: group.item, at: group.indices) > 1 {
            cleared += filled.removeInstance(filled.count(of: group.item, at: group.indices) - 1, of: group)
        }
        cleared += filled.emptyOnlyInstance(of: group)
        for (time, written) in times.enumerated() {
            if time > 0 { try filled.addInstance(of: group) }
            try amend(written.items, in: group.item, at: group.indices + (compiled.isContainer ? [time] : []))
        }
    }

    private mutating func answer(
        _ question: ItemOccurrence, with answers: [QuestionnaireResponseAnswer]
    ) throws(GateError) {
        let compiled = filled.outline.items[question.item]
        // The words of a fixed answer are the form's own; a response can't change them.
        let values = compiled.isFixed ? compiled.initial : answers.compactMap(\.value).map(compiled.worded)
        guard filled.hasRoom(for: values, of: question) else { throw .noRoom(compiled.item) }
        named.append(question)
        if !values.isEmpty { answered.append(question) }
        if !filled.answers(of: question).isSame(as: values) {
            cleared += filled.replaceAnswers(of: question, with: values)
            if compiled.calculated != nil { filled.rows.setEntered(values, of: question) }
        }
        for (time, answer) in answers.enumerated() where answer.value != nil && !answer.items.isEmpty {
            try amend(answer.items, in: question.item, at: question.indices + (compiled.isContainer ? [time] : []))
        }
    }
}

extension FilledForm {
    /// Empties the only instance of a group, which then has its initial values again. Returns the questions elsewhere
    /// that were cleared because they depend on its answers.
    fileprivate mutating func emptyOnlyInstance(of group: ItemOccurrence) -> [ItemOccurrence] {
        let indices = group.indices + [0]
        let gone = rowsWithin(group.item, at: indices)
        remove(gone)
        let cleared = clearDependants(of: gone.changes(sharedAtMost: group.indices.count), sparing: nil)
        setInitialContents(of: outline.items[group.item].children, at: indices, .everything)
        return cleared
    }
}
