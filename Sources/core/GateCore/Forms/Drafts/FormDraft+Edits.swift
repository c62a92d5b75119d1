import GateExpressions
package import GateModel

extension FormDraft {
    /// Sets a person's answer. Everything that depends on it is cleared, if it is another answer than before (F-36).
    ///
    /// - Parameters:
    ///   - path: of a question. In the instance behind the last one of a repeating group: that is made first.
    ///   - values: in order; empty: no answer any more.
    ///   - now: the device's clock, for limits that are expressions. `nil`: they are not looked at.
    /// - Throws: NOT_FOUND where there is no such item (F-31); INVALID_ARGUMENT `.badAnswer` for an answer that it can't
    ///   have; FAILED_PRECONDITION `.notAnswerable` for a question that is not enabled, read-only, or waits for the answer
    ///   of a parent (F-37); RESOURCE_EXHAUSTED `.limit` where there is no room for more groups. Nothing has changed then.
    package mutating func set(_ path: FormPath, to values: [FormValue], now: LocalTime? = nil) throws(GateError)
        -> Change
    {
        try answer(path, with: values, isSuggested: false, now: now)
    }

    /// Fills in a program's suggestion, if nothing is answered (F-41). Read-only questions too. Otherwise `Change.waiting` says
    /// whether it may wait.
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
        // A condition in it may hang on what it begins with.
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
        // In place of a calculated answer, it stays until the person takes it back.
        if isOther, compiled.calculated != nil { filled.rows.setEntered(answers, of: question) }
        return change(cleared: cleared, now)
    }

    /// Removes one instance of a repeating group; later ones move up, and the only one is emptied instead (F-35).
    ///
    /// - Throws: NOT_FOUND where it is not there; INVALID_ARGUMENT for what is no repeating group;
    ///   FAILED_PRECONDITION `.notAnswerable` where it is not enabled or read-only.
    ///
    /// - Parameter now: the device's clock. `nil`: as before.
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

    /// The item that a path leads to, with the groups around it there. A new one is tried on a copy, which is watched: where the edit is
    /// refused, the group is not there either.
    ///
    /// - Returns: `grown` is the copy; `nil`: nothing is new.
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

    /// Ends an edit with what follows from it.
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

/// How answers to a question are received.
private enum Acceptance {
    /// They are its answers.
    case taken
    /// They are suggested, and others are there that a person may exchange for them.
    case waits
    /// They are suggested, and come to nothing.
    case dropped
}

extension FilledForm {
    /// Whether a question may get these answers.
    ///
    /// - Throws: why not.
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
            // Documents are kept for what is answered alone.
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

    /// - Throws: why the question gets no such answers with the others as they are.
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
        // What is there without its parents can still be taken back.
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
    /// By the answers as they are before these.
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
    /// Whether it is no change to have these instead (F-36): numbers and dates are compared as they are written, a coding by
    /// what it means.
    func isSame(as others: [FormValue]) -> Bool {
        elementsEqual(others) { ours, theirs in
            if case .coding(let coding) = ours, case .coding(let other) = theirs { return coding.isSame(as: other) }
            return ours == theirs && ours.hasSameBytes(as: theirs)
        }
    }
}
