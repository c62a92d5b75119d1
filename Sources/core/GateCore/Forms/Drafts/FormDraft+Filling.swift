package import GateModel

extension FormDraft {
    /// A whole response in place of all answers (F-40). Its status does not matter, and it may lack what is required. It may
    /// answer what is read-only; but what people have to read before they complete a form for grown-ups stays as it is.
    ///
    /// - Throws: INVALID_ARGUMENT `.badAnswer` where anything else is wrong with it, with the first issues;
    ///   RESOURCE_EXHAUSTED `.limit` where it has too many groups. Nothing has changed then.
    ///
    /// - Parameter now: the device's clock, for limits that are expressions. `nil`: they are not looked at.
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
        filled.furnish(filled.outline.roots, at: [], filled.outline.leastFurnishing)
        if filled.outline.isForGrownUps { _ = filled.clearWithoutParents() }
        _ = filled.follow(.response)
        return replace(by: filled)
    }

    /// An earlier response in place of all answers, as far as it fits (F-39): of an earlier version of the form, too. What
    /// is read-only gets its initial value.
    ///
    /// - Parameter now: the device's clock. `nil`: as before.
    package mutating func load(from response: QuestionnaireResponse, now: LocalTime? = nil) -> Change {
        var rows = ResponseRows(form, keeping: .fitting, moment: now ?? filled.moment)
        rows.read(response)
        var filled = rows.filled
        filled.furnish(filled.outline.roots, at: [], .readOnly)
        let cleared = filled.clearWithoutParents() + filled.follow(.everything)
        var change = replace(by: filled)
        change.cleared = rows.leftOut + cleared.map(filled.outline.path)
        return change
    }

    /// Initial values, and nothing else (F-34).
    ///
    /// - Parameter now: the device's clock. `nil`: as before.
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
    /// Clears what is answered without its parents, and what hangs on that.
    ///
    /// - Returns: what was cleared, in the order of the form.
    fileprivate mutating func clearWithoutParents() -> [ItemOccurrence] {
        var changed: [ChangedQuestion] = []
        var known = AnsweredSights()
        for (item, compiled) in outline.items.enumerated() where !compiled.parents.isEmpty {
            for question in occurrences(of: item, within: [])
            where !answers(of: question).isEmpty && hasParentWithoutAnswer(question, &known) {
                changed += clear(question)
            }
        }
        // What hangs on these, and was found to have all its parents before they were cleared.
        let cleared = changed.map(\.question) + clearDependants(of: changed, sparing: nil)
        return Set(cleared).sorted()
    }
}
