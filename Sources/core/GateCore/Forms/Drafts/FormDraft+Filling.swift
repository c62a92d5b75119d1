package import GateModel

extension FormDraft {
    /// Replaces all answers by those of a response. Its status does not matter, and required answers may be missing. It
    /// may answer read-only questions, except those that people have to read before they complete a form for grown-ups.
    ///
    /// - Throws: INVALID_ARGUMENT `.badAnswer` with the first issues if anything else is wrong with it;
    ///   RESOURCE_EXHAUSTED `.limit` if it has too many groups. Nothing has changed if it throws.
    package mutating func fill(from response: QuestionnaireResponse, now: LocalTime? = nil) throws(GateError) -> Change
    {
        var rows = ResponseRows(form, keeping: .everything, moment: now ?? filled.moment)
        rows.read(response)
        guard !rows.isTooLarge else { throw .tooManyItems }
        var draft = response
        draft.status = .inProgress
        let errors = ResponseValidator(form, now: now).issues(of: draft).filter { $0.severity == .error }
        guard errors.isEmpty else { throw .badResponse(errors, to: filled.outline) }
        var filled = rows.filled
        filled.setInitialContents(of: filled.outline.roots, at: [], filled.outline.leastInitialContents)
        if filled.outline.isForGrownUps { _ = filled.clearWithoutParents() }
        _ = filled.follow(.response)
        return replace(by: filled)
    }

    /// Replaces all answers by those of an earlier response, as far as they fit, perhaps to an earlier version of the
    /// form. Read-only questions get their initial values.
    package mutating func load(from response: QuestionnaireResponse, now: LocalTime? = nil) -> Change {
        var rows = ResponseRows(form, keeping: .fitting, moment: now ?? filled.moment)
        rows.read(response)
        var filled = rows.filled
        filled.setInitialContents(of: filled.outline.roots, at: [], .readOnly)
        let cleared = filled.clearWithoutParents() + filled.follow(.everything)
        var change = replace(by: filled)
        change.cleared = rows.leftOut + cleared.map(filled.outline.path)
        return change
    }

    package mutating func reset(now: LocalTime? = nil) -> Change {
        replace(by: FormDraft.opened(form, now: now ?? filled.moment).filled)
    }

    private mutating func replace(by other: FilledForm) -> Change {
        let change = Change(filled.rows.changes(to: other.rows), in: filled.outline)
        filled = other
        return change
    }
}

extension FilledForm {
    /// Clears answers whose parents have none, and what depends on them. Returns those questions in the form's order.
    fileprivate mutating func clearWithoutParents() -> [ItemOccurrence] {
        var changed: [ChangedQuestion] = []
        var known = AnsweredSights()
        for (item, compiled) in outline.items.enumerated() where !compiled.parents.isEmpty {
            for question in occurrences(of: item, within: [])
            where !answers(of: question).isEmpty && hasParentWithoutAnswer(question, &known) {
                changed += clear(question)
            }
        }
        // Some questions had all their parents' answers when they were checked, and lost one afterwards.
        let cleared = changed.map(\.question) + clearDependants(of: changed, sparing: nil)
        return Set(cleared).sorted()
    }
}
