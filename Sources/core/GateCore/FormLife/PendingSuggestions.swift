import GateExpressions
public import GateModel

/// The suggestions for one draft that are being fetched, that wait because something else is answered, or that became
/// the answer: at most one for each question. They are only in memory, so a restart forgets them.
struct PendingSuggestions: Hashable, Sendable {
    fileprivate enum State: Hashable, Sendable {
        /// A program announced over this connection that it fetches the answers. Can go to `filled` or `waiting`, or is
        /// dropped: withdrawn, its connection or time has ended, or what the question depends on has changed.
        case fetched(until: BootTime, by: UInt64)
        /// These came while the question had no answer, and became its answer. Can go to `fetched` or `waiting` (a
        /// person has answered otherwise, perhaps while they came), or is dropped (the answer was removed, or what the
        /// question depends on changed).
        case filled([FormValue])
        /// These came while the question had another answer, or a person replaced them. Can go to `fetched` or `filled`
        /// (a person took them over), or is dropped (the program withdrew them, the answer was removed, or what the
        /// question depends on changed).
        case waiting([FormValue])
    }

    private var states: [ItemOccurrence: State] = [:]
    /// The approximate bytes in memory, counted as for a draft's answers.
    private(set) var byteCount = 0

    var isEmpty: Bool { states.isEmpty }
    var nextDeadline: BootTime? { states.values.reduce(nil) { $0.earlier($1.deadline) } }
    var connections: Set<UInt64> { Set(states.values.compactMap(\.connection)) }

    func waiting(at question: ItemOccurrence) -> [FormValue]? {
        switch states[question] {
        case .waiting(let values): values
        case .fetched, .filled, nil: nil
        }
    }

    /// All fetched and waiting suggestions, in the order of the form.
    func all(of draft: FormDraft) -> [PendingSuggestion] {
        states.sorted { $0.key < $1.key }.compactMap { question, state in
            let path = draft.filled.outline.path(of: question)
            return switch state {
            case .fetched(let deadline, _): PendingSuggestion(path: path, deadline: deadline)
            case .waiting(let values): PendingSuggestion(path: path, answers: values)
            case .filled: nil
            }
        }
    }

    /// - Throws: RESOURCE_EXHAUSTED `.limit` if there are too many.
    mutating func fetchBegan(
        of question: ItemOccurrence, until deadline: BootTime, by connection: UInt64
    ) throws(GateError) {
        try set(.fetched(until: deadline, by: connection), for: question)
    }

    /// `waiting` has the values that could not be filled in and wait, `filled` those that were filled in.
    ///
    /// - Throws: RESOURCE_EXHAUSTED `.limit` if there are too many.
    mutating func suggestionCame(
        for question: ItemOccurrence, waiting: [FormValue], filled: [FormValue]
    ) throws(GateError) {
        if !waiting.isEmpty { return try set(.waiting(waiting), for: question) }
        if case .filled = states[question], filled.isEmpty { return }
        states[question] = nil
        count()
        // Suggested documents can't wait. If there is no room, the suggestion just can't be offered again.
        guard !filled.isEmpty, !filled.contains(where: { $0.attachment != nil }) else { return }
        var remembering = self
        if (try? remembering.set(.filled(filled), for: question)) != nil { self = remembering }
    }

    mutating func connectionLost(_ connection: UInt64) {
        drop { $0.connection == connection }
    }

    mutating func deadlineReached(_ now: BootTime) {
        drop { state in state.deadline.map { $0 <= now } ?? false }
    }

    /// Drops suggestions that were made for other answers, and finds out which of the others are answers now and which
    /// wait. `removed`: an instance that the change removed.
    mutating func answersChanged(
        from before: FormDraft, to after: FormDraft, removing removed: (group: ItemOccurrence, index: Int)? = nil
    ) {
        guard !isEmpty else { return }
        // All other commands wait for this, so the budget is small; what exceeds it counts as not enabled.
        var enablement = Enablement(of: after.filled, budget: ExpressionBudget(steps: FormBounds.labelSteps))
        let kept = states.compactMap { question, state -> (ItemOccurrence, State)? in
            guard let place = question.moved(by: removed, in: before.filled.outline),
                after.filled.isFor(place, as: question, in: before.filled, &enablement)
            else { return nil }
            let answers = after.filled.answers(of: place)
            switch state {
            case .fetched: return (place, state)
            case .filled(let values):
                return answers.isEmpty ? nil : (place, answers.isSame(as: values) ? state : .waiting(values))
            case .waiting(let values):
                return answers.isEmpty ? nil : (place, answers.isSame(as: values) ? .filled(values) : state)
            }
        }
        states = Dictionary(kept) { first, _ in first }
        count()
    }

    private mutating func set(_ state: State?, for question: ItemOccurrence) throws(GateError) {
        states[question] = state
        count()
        guard states.count <= Limits.pendingSuggestionsOfDraft, byteCount <= Limits.pendingSuggestionsByteCount else {
            throw .tooManySuggestions
        }
    }

    private mutating func drop(_ isGone: (State) -> Bool) {
        states = states.filter { !isGone($0.value) }
        count()
    }

    private mutating func count() {
        byteCount = states.values.reduce(0) { $0 + $1.byteCount }
    }
}

extension PendingSuggestions.State {
    fileprivate var deadline: BootTime? {
        switch self {
        case .fetched(let deadline, _): deadline
        case .filled, .waiting: nil
        }
    }

    fileprivate var connection: UInt64? {
        switch self {
        case .fetched(_, let connection): connection
        case .filled, .waiting: nil
        }
    }

    fileprivate var byteCount: Int {
        switch self {
        case .fetched: FormRow.answers([]).byteCount
        case .filled(let values), .waiting(let values): FormRow.answers(values).byteCount
        }
    }
}

extension ItemOccurrence {
    /// The question's place after an instance of a group was removed, because later instances move up; `nil` if the
    /// question was in the removed one.
    fileprivate func moved(
        by removed: (group: ItemOccurrence, index: Int)?, in outline: CompiledOutline
    ) -> ItemOccurrence? {
        guard let (group, index) = removed else { return self }
        let depth = group.indices.count
        let containers = outline.items[item].containers
        guard containers.count > depth, containers[depth] == group.item, indices.starts(with: group.indices),
            indices[depth] >= index
        else { return self }
        guard indices[depth] > index else { return nil }
        var moved = indices
        moved[depth] -= 1
        return ItemOccurrence(item, moved)
    }
}

extension FilledForm {
    /// Whether a question exists and is enabled, and everything that it depends on is answered as before.
    fileprivate func isFor(
        _ question: ItemOccurrence, as old: ItemOccurrence, in before: FilledForm, _ enablement: inout Enablement
    ) -> Bool {
        let compiled = outline.items[question.item]
        for (depth, container) in compiled.containers.enumerated() {
            let around = ItemOccurrence(container, Array(question.indices.prefix(depth)))
            guard question.indices[depth] < count(of: container, at: around.indices) else { return false }
            guard outline.items[container].item.kind.isQuestion else { continue }
            // The question is below one of several answers, which may have moved.
            let answers = before.answers(of: container, at: old.indices.prefix(depth))
            guard self.answers(of: around).isSame(as: answers) else { return false }
        }
        guard unansweredQuestion(around: question) == nil, enablement.isEnabled(question) else { return false }
        return compiled.parents.allSatisfy {
            seen($0, from: question.indices).isSame(as: before.seen($0, from: old.indices))
        }
    }

    private func seen(_ sight: Sight, from indices: [Int]) -> [FormValue] {
        var values: [FormValue] = []
        forEachSeen(sight, from: indices) { values += $1 }
        return values
    }
}

extension GateState {
    mutating func announceSuggestion(
        _ target: FormTarget, at revision: UInt64?, _ path: FormPath, for duration: Duration, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let key = try draftKey(of: target, for: context.peer)
        let open = try changeableDraft(key, at: revision)
        var pending = forms.pending(of: key)
        if let question = try open.questionToSuggest(path) {
            let deadline = context.now.advanced(by: duration)
            try pending.fetchBegan(of: question, until: deadline, by: context.peer.connection)
        }
        return try replace(
            by: open, key, FormDraft.Change(), pending, isSuggested: true, [:], &draft)
    }

    /// Lets `settle` remove the pending suggestions of each draft that are of no use any more. A draft that loses some
    /// gets a new revision.
    mutating func settlePending(_ draft: inout TransitionDraft, _ settle: (inout PendingSuggestions) -> Void) {
        for key in forms.keysWithPending.sorted(by: { $0.text < $1.text }) {
            var pending = forms.pending(of: key)
            settle(&pending)
            pendingChanged(key, to: pending, &draft)
        }
    }

    public func pendingSuggestions(for summary: FormSummary) -> [PendingSuggestion] {
        let key = FormDraftKey(holder: summary.holder, name: summary.name, id: summary.draftID)
        guard let draft = forms[key] else { return [] }
        return forms.pending(of: key).all(of: draft)
    }

    /// Replaces an edit that empties a question: the question gets the waiting suggestion. `nil` if none waits.
    func fillingWhatIsLeftEmpty(_ edit: FormEdit, of key: FormDraftKey) -> FormEdit? {
        guard case .set(let path, let values, _) = edit, values.isEmpty, let open = forms[key],
            let question = try? open.filled.occurrence(at: path),
            let waiting = forms.pending(of: key).waiting(at: question)
        else { return nil }
        return .set(path, waiting, attachments: [:])
    }
}

extension FormDraft {
    /// The question at a path, with the errors of `set`; `nil` if the form itself gives the answers.
    func questionToSuggest(_ path: FormPath) throws(GateError) -> ItemOccurrence? {
        let question = try filled.occurrence(at: path)
        let compiled = filled.outline.items[question.item]
        guard compiled.item.kind.isQuestion else { throw .noQuestion(compiled.item) }
        guard path.index == nil else { throw .noIndex(compiled.item) }
        guard compiled.calculated == nil, !compiled.isFixed else { return nil }
        if let around = filled.unansweredQuestion(around: question) {
            throw .answerFirst(filled.outline.items[around].item, before: compiled.item)
        }
        var enablement = Enablement(of: filled, budget: ExpressionBudget(steps: FormBounds.labelSteps))
        guard enablement.isEnabled(question) else { throw .notEnabled(compiled.item) }
        if let parent = filled.missingParent(of: question, &enablement) {
            throw .answerFirst(filled.outline.items[parent].item, before: compiled.item)
        }
        return question
    }
}
