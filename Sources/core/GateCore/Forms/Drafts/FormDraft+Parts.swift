package import GateModel

/// Parts: the answers under one `definition`, shared by all forms that ask for it.
extension FormDraft {
    /// The answers at an item with a `definition`, with the definitions of the items in it. For a question only its
    /// answers, without the questions below them.
    ///
    /// - Throws: as `set` if there is nothing at this path; INVALID_ARGUMENT if the item has no `definition`, if it
    ///   repeats and the path does not say which instance, or if nothing is answered; FAILED_PRECONDITION
    ///   `.notAnswerable` if it is not enabled.
    func part(at path: FormPath) throws(GateError) -> QuestionnaireResponseItem {
        let place = try filled.occurrence(at: path)
        let compiled = filled.outline.items[place.item]
        guard let definition = compiled.item.definition else { throw .noDefinition(compiled.item) }
        guard filled.unansweredQuestion(around: place) == nil, filled.isEnabled(place) else {
            throw .notEnabled(compiled.item)
        }
        var part = QuestionnaireResponseItem(
            linkID: compiled.item.linkID, definition: definition, text: compiled.item.text)
        switch compiled.item.kind {
        case .group:
            let indices = compiled.item.repeats ? place.indices + [try filled.instance(at: path).index] : place.indices
            part.items = filled.answered(within: place.item, at: indices).map(form.defined)
        case .display, .boolean, .decimal, .integer, .date, .dateTime, .time, .string, .text, .url, .choice,
            .openChoice,
            .attachment, .reference, .quantity:
            guard path.index == nil else { throw .noIndex(compiled.item) }
            part.answers = filled.answers(of: place).map { QuestionnaireResponseAnswer($0) }
        }
        guard part.hasAnswer else { throw .nothingToKeep(compiled.item) }
        return part
    }

    /// Takes parts over into an item. In a group, a part replaces all answers as far as it fits, like `load`: read-only
    /// and calculated answers stay. In a repeating group, each part becomes a further instance; the first one fills the
    /// only instance if nothing is answered there, or replaces the instance that the path names. A question's answers
    /// are replaced; if it repeats, answers that it lacks are added.
    ///
    /// - Throws: as `set`; INVALID_ARGUMENT for parts of another `definition`, for an item without one, and for none or
    ///   several parts if the item takes one. Nothing has changed if it throws.
    package mutating func take(_ parts: [QuestionnaireResponseItem], at path: FormPath, now: LocalTime? = nil)
        throws(GateError)
        -> Change
    {
        guard let position = filled.outline.positions[path.linkID] else { throw .noItem(path) }
        let compiled = filled.outline.items[position]
        let item = compiled.item
        guard let definition = item.definition else { throw .noDefinition(item) }
        guard parts.allSatisfy({ $0.definition == definition }) else { throw .otherDefinition(item) }
        guard !parts.isEmpty, parts.count == 1 || item.repeats && path.index == nil else { throw .onePart(item) }
        guard item.kind == .group else {
            let old = item.repeats ? values(at: path) ?? [] : []
            let new = parts.flatMap(\.answers).compactMap(\.value).filter { !old.contains($0) }
            return try set(path, to: old + new, now: now)
        }
        let (grown, group) = try grown(to: path)
        var taken = grown ?? filled
        if grown == nil { taken.rows.beginWatching() }
        if let unanswered = taken.unansweredQuestion(around: group) {
            throw .answerFirst(taken.outline.items[unanswered].item, before: item)
        }
        var asked = taken
        if let now { asked.moment = now }
        guard asked.isEnabled(group) else { throw .notEnabled(item) }
        guard !compiled.isReadOnly else { throw .readOnly(item) }
        var cleared: [ItemOccurrence] = []
        var leftOut: [FormPath] = []
        var index = path.index
        for part in parts {
            var place = group.indices
            if item.repeats {
                let count = taken.count(of: group.item, at: group.indices)
                let isFresh = count == 1 && !taken.hasAnswers(within: group.item, at: group.indices + [0])
                let next = index ?? (isFresh ? 0 : count)
                guard next <= count else { throw .noItem(path) }
                if next == count { try taken.addInstance(of: group) }
                place.append(next)
                index = nil
            }
            let (gone, unfit) = taken.replaceGroup(group.item, at: place, with: part)
            cleared += gone
            leftOut += unfit
        }
        filled = taken
        var change = change(cleared: cleared, now)
        change.cleared = leftOut + change.cleared
        return change
    }
}

extension FilledForm {
    /// Whether a group has answers other than its initial ones.
    fileprivate func hasAnswers(within group: Int, at indices: [Int]) -> Bool {
        rowsWithin(group, at: indices).contains { place, row in
            guard let values = row.values else { return true }
            let compiled = outline.items[place.item]
            return !compiled.isReadOnly && compiled.calculated == nil && compiled.initialExpression == nil
                && !values.isSame(as: compiled.initial)
        }
    }

    /// Replaces all answers in a group by a part, as far as it fits. Read-only and calculated answers stay. Returns the
    /// questions that were cleared because they depend on changed answers, and the paths of answers that did not fit.
    fileprivate mutating func replaceGroup(
        _ group: Int, at indices: [Int], with part: QuestionnaireResponseItem
    ) -> (cleared: [ItemOccurrence], leftOut: [FormPath]) {
        let before = rowsWithin(group, at: indices)
        remove(before)
        var unknown: [FormPath] = []
        let items = form.translated(part.items, into: group, &unknown)
        let read = ResponseRows(items, in: group, at: indices, of: self)
        rows = read.filled.rows
        setInitialContents(of: outline.items[group].children, at: indices, .readOnly)
        for (place, row) in before where place.indices == indices {
            let compiled = outline.items[place.item]
            if compiled.isReadOnly || compiled.calculated != nil { rows[place] = row }
        }
        beginning.removeAll { !rows.answers(of: $0).isEmpty }
        let after = rowsWithin(group, at: indices)
        let cleared =
            clearDependants(onChangesFrom: before, to: after, within: group) + clearOrphans(group, at: indices)
        return (cleared, unknown + read.leftOut)
    }

    /// Clears questions outside the group that depend on changed answers in it. Those inside came together and stay.
    private mutating func clearDependants(
        onChangesFrom before: NestedRows, to after: NestedRows, within group: Int
    ) -> [ItemOccurrence] {
        let old = Dictionary(uniqueKeysWithValues: before.map { ($0.place, $0.row) })
        let new = Dictionary(uniqueKeysWithValues: after.map { ($0.place, $0.row) })
        let changed = Set(old.keys).union(new.keys).filter { place in
            !(old[place]?.values ?? []).isSame(as: new[place]?.values ?? [])
        }
        let cleared = clearDependants(of: changed.sorted().map { ChangedQuestion($0) }, sparing: nil)
        for (place, row) in after { rows[place] = row }
        let inside = (group + 1)..<outline.items[group].end
        return cleared.filter { !inside.contains($0.item) || new[$0] == nil }
    }

    private mutating func clearOrphans(_ group: Int, at indices: [Int]) -> [ItemOccurrence] {
        var cleared: [ItemOccurrence] = []
        // Enablement stays valid as long as nothing is cleared.
        var known: Enablement?
        for item in (group + 1)..<outline.items[group].end where !outline.items[item].parents.isEmpty {
            for question in occurrences(of: item, within: indices) where !answers(of: question).isEmpty {
                var enablement = known ?? Enablement(of: self)
                known = nil
                guard missingParent(of: question, &enablement) != nil else {
                    known = enablement
                    continue
                }
                let gone = clear(question)
                cleared += gone.map(\.question) + clearDependants(of: gone, sparing: nil)
            }
        }
        return cleared
    }
}

extension CompiledForm {
    func defined(_ item: QuestionnaireResponseItem) -> QuestionnaireResponseItem {
        var defined = item
        defined.definition = outline.positions[item.linkID].flatMap { outline.items[$0].item.definition }
        defined.items = item.items.map(self.defined)
        for index in item.answers.indices { defined.answers[index].items = item.answers[index].items.map(self.defined) }
        return defined
    }

    /// The answers with the linkIds that this form gives to the same questions. A question of the group is the same if it
    /// has the answer's `definition`; if one of the two has none, their linkIds are compared. `unknown` gets the paths of
    /// answers to questions that the group does not have.
    fileprivate func translated(
        _ items: [QuestionnaireResponseItem], into parent: Int, _ unknown: inout [FormPath]
    ) -> [QuestionnaireResponseItem] {
        let children = outline.items[parent].children
        var translated: [QuestionnaireResponseItem] = []
        for item in items {
            let sameMeaning = children.first { child in
                item.definition != nil && outline.items[child].item.definition == item.definition
            }
            let child =
                sameMeaning
                ?? children.first { child in
                    let here = outline.items[child].item
                    return here.linkID == item.linkID && (here.definition == nil || item.definition == nil)
                }
            guard let child else {
                if item.hasAnswer { unknown.append(FormPath(item.linkID)) }
                continue
            }
            var here = item
            here.linkID = outline.items[child].item.linkID
            here.items = self.translated(item.items, into: child, &unknown)
            for index in item.answers.indices {
                here.answers[index].items = self.translated(item.answers[index].items, into: child, &unknown)
            }
            translated.append(here)
        }
        return translated
    }
}
