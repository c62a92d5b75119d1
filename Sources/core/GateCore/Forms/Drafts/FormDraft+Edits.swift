import GateExpressions
package import GateModel

extension FormDraft {
    /// Sets a person's answers, or removes them if `values` is empty. If they differ from the present ones, everything
    /// that depends on them is cleared. If `path` is in the instance after the last one of a repeating group, that
    /// instance is made first.
    ///
    /// - Throws: leaving the draft unchanged, NOT_FOUND if there is no such item; INVALID_ARGUMENT `.badAnswer` for an
    ///   answer that the question can't have; FAILED_PRECONDITION `.notAnswerable` if the question is not enabled, is
    ///   read-only, or needs a parent's answer first; RESOURCE_EXHAUSTED `.limit` if there is no room for more groups.
    package mutating func set(_ path: FormPath, to values: [FormValue], now: LocalTime? = nil) throws(GateError)
        -> Change
    {
        try answer(path, with: values, isSuggested: false, now: now)
    }

    /// Fills in a program's suggestion if the question has no answer. Otherwise the suggestion may wait beside the
    /// answer, and is then in `Change.waiting`. Read-only questions take suggestions, too; calculated ones ignore them.
    ///
    /// - Throws: as `set`.
    package mutating func suggest(_ path: FormPath, _ values: [FormValue], now: LocalTime? = nil) throws(GateError)
        -> Change
    {
        try answer(path, with: values, isSuggested: true, now: now)
    }

    private mutating func answer(
        _ path: FormPath, with values: [FormValue], isSuggested: Bool, now: LocalTime?
    ) throws(GateError) -> Change {
        var (grown, question) = try grown(to: path)
        // A condition in the new instance may depend on an initial answer.
        _ = grown?.follow(.changes(isOtherDay: false))
        var asked = grown ?? filled
        if let now { asked.moment = now }
        switch try asked.accepts(values, at: question, path, isSuggested: isSuggested, now: now) {
        case .taken: if grown != nil, values.isEmpty { return Change() }
        case .waits: return Change(waiting: grown == nil ? values.map(asked.outline.items[question.item].worded) : [])
        case .dropped: return Change()
        }
        if let grown {
            filled = grown
        } else {
            filled.rows.beginWatching()
        }
        grown = nil
        let compiled = filled.outline.items[question.item]
        let isOther = !filled.answers(of: question).isSame(as: values)
        let answers = compiled.isFixed ? compiled.initial : values.map(compiled.worded)
        let cleared = isOther ? filled.replaceAnswers(of: question, with: answers) : []
        // An answer in place of a calculated one stays until the person removes it.
        if isOther, compiled.calculated != nil { filled.rows.setEntered(answers, of: question) }
        return change(cleared: cleared, now)
    }

    /// Removes one instance of a repeating group. Later instances move up; the only one is emptied instead.
    ///
    /// - Throws: NOT_FOUND if it does not exist; INVALID_ARGUMENT if it is not a repeating group; FAILED_PRECONDITION
    ///   `.notAnswerable` if it is not enabled or is read-only.
    package mutating func remove(_ path: FormPath, now: LocalTime? = nil) throws(GateError) -> Change {
        let (group, index) = try filled.instance(at: path)
        let compiled = filled.outline.items[group.item]
        if let around = filled.unansweredQuestion(around: group) {
            throw .answerFirst(filled.outline.items[around].item, before: compiled.item)
        }
        guard filled.isEnabled(group) else { throw .notEnabled(compiled.item) }
        guard !compiled.isReadOnly else { throw .readOnly(compiled.item) }
        filled.rows.beginWatching()
        return change(cleared: filled.removeInstance(index, of: group), now)
    }

    /// `grown` is a watched copy with a new instance, so that the instance does not remain if the edit is refused;
    /// `nil`: no new instance was needed.
    func grown(to path: FormPath) throws(GateError) -> (grown: FilledForm?, place: ItemOccurrence) {
        var grown: FilledForm?
        while true {
            switch try (grown ?? filled).place(of: path) {
            case .there(let place): return (grown, place)
            case .next(let group):
                var next = grown ?? filled
                if grown == nil { next.rows.beginWatching() }
                grown = nil
                try next.addInstance(of: group)
                grown = next
            }
        }
    }

    /// Ends an edit: computes the answers that follow from it, and returns all changes.
    mutating func change(cleared: [ItemOccurrence], _ now: LocalTime?) -> Change {
        let day = filled.moment.day
        if let now, filled.outline.hasExpressions { filled.moment = now }
        let isOtherDay = filled.moment.day != day
        let cleared = cleared + filled.follow(filled.isRestored ? .everything : .changes(isOtherDay: isOtherDay))
        filled.isRestored = false
        return Change(filled.rows.endWatching(), cleared: Set(cleared).sorted(), in: filled.outline)
    }
}

extension FormDraft.Change {
    init(_ rows: [(place: ItemOccurrence, row: FormRow?)], cleared: [ItemOccurrence] = [], in outline: CompiledOutline)
    {
        self.init(
            rows: Dictionary(uniqueKeysWithValues: rows.map { (outline.path(of: $0.place), $0.row) }),
            cleared: cleared.map(outline.path))
    }
}

private enum Acceptance {
    case taken
    /// The values are suggested. The question has other answers, which a person may replace by them.
    case waits
    /// The values are suggested, and are ignored.
    case dropped
}

extension FilledForm {
    /// - Throws: why the question can't have these answers.
    fileprivate func accepts(
        _ values: [FormValue], at question: ItemOccurrence, _ path: FormPath, isSuggested: Bool, now: LocalTime?
    ) throws(GateError) -> Acceptance {
        let compiled = outline.items[question.item]
        let item = compiled.item
        guard item.kind.isQuestion else { throw .noQuestion(item) }
        guard path.index == nil else { throw .noIndex(item) }
        if let flaw = compiled.countFlaw(values.count) { throw .badAnswer(flaw, to: item) }
        guard canMatch(values, of: question) else { throw .tooMuchToMatch(item) }
        if let flaw = values.lazy.compactMap(compiled.flaw).first
            ?? compiled.flaws(ofAll: values).first
        {
            throw .badAnswer(flaw, to: item)
        }
        if isSuggested, values.isEmpty || compiled.calculated != nil { return .dropped }
        let present = answers(of: question)
        if isSuggested, !present.isEmpty {
            // Documents are stored only for answers, so a suggestion with one can't wait.
            guard !compiled.isReadOnly, !present.isSame(as: values), !values.contains(where: { $0.attachment != nil })
            else { return .dropped }
            do throws(GateError) {
                try checkCircumstances(of: question, values, isSuggested: true, now: now)
                return .waits
            } catch {
                return .dropped
            }
        }
        try checkCircumstances(of: question, values, isSuggested: isSuggested, now: now)
        return .taken
    }

    /// - Throws: why the question can't have these answers at present.
    private func checkCircumstances(
        of question: ItemOccurrence, _ values: [FormValue], isSuggested: Bool, now: LocalTime?
    ) throws(GateError) {
        let compiled = outline.items[question.item]
        let item = compiled.item
        if let around = unansweredQuestion(around: question) {
            throw .answerFirst(outline.items[around].item, before: item)
        }
        var enablement = Enablement(of: self)
        guard enablement.isEnabled(question) else { throw .notEnabled(item) }
        guard isSuggested || !compiled.isReadOnly else { throw .readOnly(item) }
        if compiled.isFixed, !values.isSame(as: compiled.initial) { throw .readOnly(item) }
        // An answer without its parents' answers can still be removed.
        if !values.isEmpty, let parent = missingParent(of: question, &enablement) {
            throw .answerFirst(outline.items[parent].item, before: item)
        }
        guard hasRoom(for: values, of: question) else { throw .noRoom(item) }
        if now != nil, let flaw = movingLimitFlaw(of: values, question, &enablement) {
            throw .badAnswer(flaw, to: item)
        }
    }
}

extension FilledForm {
    /// Checks limits that are expressions, with the answers from before the edit.
    private func movingLimitFlaw(
        of values: [FormValue], _ question: ItemOccurrence, _ enablement: inout Enablement
    ) -> AnswerFlaw? {
        let compiled = outline.items[question.item]
        guard !values.isEmpty, let limits = compiled.movingLimits else { return nil }
        var budget = ExpressionBudget(steps: FormBounds.expressionSteps)
        let item = QuestionnaireResponseItem(
            linkID: compiled.item.linkID, answers: values.map { QuestionnaireResponseAnswer($0) })
        let label = compiled.item.label
        do throws(ExpressionError) {
            let place = ExpressionPlace(item: question.item, indices: question.indices)
            var expressionContext = try enablement.expressionContext(of: limits.expressions, at: place)
            expressionContext.context = .node(item)
            return limits.flaws(of: values, label: label, expressionContext, &budget).first?.1
        } catch {
            return .limitsNotFound(label, error)
        }
    }
}

extension [FormValue] {
    /// Whether replacing one by the other is no change. Numbers and dates are compared as written, codings by meaning.
    func isSame(as others: [FormValue]) -> Bool {
        elementsEqual(others) { ours, theirs in
            if case .coding(let coding) = ours, case .coding(let other) = theirs { return coding.isSame(as: other) }
            return ours == theirs
        }
    }
}
