public import GateModel

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

    /// Fills in a program's suggestion, if nothing is answered (F-41). Read-only questions too.
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
        var place = try filled.place(of: path)
        // A new instance is tried on a copy: where the answer is refused, the instance is not there either.
        var grown: FilledForm?
        while case .next(let group) = place {
            var next = grown ?? filled
            if grown == nil { next.rows.beginWatching() }
            grown = nil
            try next.addInstance(of: group)
            place = try next.place(of: path)
            grown = next
        }
        guard case .there(let question) = place else { return Change() }
        let isAccepted = try (grown ?? filled).accepts(values, at: question, path, isSuggested: isSuggested, now: now)
        guard isAccepted, grown == nil || !values.isEmpty else { return Change() }
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
        return change(cleared: cleared)
    }

    /// Removes one instance of a repeating group; later ones move up, and the only one is emptied instead (F-35).
    ///
    /// - Throws: NOT_FOUND where it is not there; INVALID_ARGUMENT for what is no repeating group;
    ///   FAILED_PRECONDITION `.notAnswerable` where it is not enabled or read-only.
    public mutating func remove(_ path: FormPath) throws(GateError) -> Change {
        let (group, index) = try filled.instance(at: path)
        let compiled = filled.outline.items[group.item]
        if let around = filled.unansweredQuestion(around: group) {
            throw .answerFirst(filled.outline.items[around].item, before: compiled.item)
        }
        guard filled.isEnabled(group) else { throw .notEnabled(compiled.item) }
        guard !compiled.isReadOnly else { throw .readOnly(compiled.item) }
        filled.rows.beginWatching()
        return change(cleared: filled.removeInstance(index, of: group))
    }

    private mutating func change(cleared: [ItemOccurrence]) -> Change {
        Change(filled.rows.endWatching(), cleared: Set(cleared).sorted(), in: filled.outline)
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

extension FilledForm {
    /// Whether a question may get these answers.
    ///
    /// - Returns: `false`: it may, but has one already that a suggestion does not replace.
    /// - Throws: why not.
    fileprivate func accepts(
        _ values: [FormValue], at question: ItemOccurrence, _ path: FormPath, isSuggested: Bool, now: LocalTime?
    ) throws(GateError) -> Bool {
        let compiled = outline.items[question.item]
        let item = compiled.item
        guard item.kind.isQuestion else { throw .noQuestion(item) }
        guard path.index == nil else { throw .noIndex(item) }
        if let flaw = compiled.countFlaw(values.count) { throw .badAnswer(flaw, to: item) }
        let steps = rows.matchingStepCount - compiled.matchingStepCount(for: answers(of: question))
        guard steps + compiled.matchingStepCount(for: values) <= FormBounds.matchingSteps else {
            throw .tooMuchToMatch(item)
        }
        if let flaw = values.lazy.compactMap(compiled.flaw).first
            ?? compiled.flaws(ofAll: values).first
        {
            throw .badAnswer(flaw, to: item)
        }
        if isSuggested, values.isEmpty || !answers(of: question).isEmpty { return false }
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
        if let flaw = movingLimitFlaw(of: values, compiled, now) { throw .badAnswer(flaw, to: item) }
        return true
    }
}

extension FilledForm {
    /// By the answers as they are before these.
    private func movingLimitFlaw(of values: [FormValue], _ compiled: CompiledItem, _ now: LocalTime?) -> AnswerFlaw? {
        guard !values.isEmpty, let limits = compiled.movingLimits, let now else { return nil }
        let response =
            limits.readsAnswers
            ? response(.inProgress, authored: nil, includingUnanswered: false)
            : QuestionnaireResponse(status: .inProgress)
        var rules = ExpressionRules(response, now: now)
        let item = QuestionnaireResponseItem(
            linkID: compiled.item.linkID, answers: values.map { QuestionnaireResponseAnswer($0) })
        return rules.flaws(of: values, limits, label: compiled.item.label, at: item).first?.1
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
