package import GateModel

/// Parts: what is answered under one `definition`, shared by all forms that ask for it (F-72, F-73).
extension FormDraft {
    /// The answers at an item that has a `definition`, with the definitions of what is in it. Of a question its answers alone,
    /// without what is asked below them.
    ///
    /// - Throws: as `set` where there is nothing at this path; INVALID_ARGUMENT where the item has no `definition`, where it repeats and
    ///   the path does not say which one, and where nothing is answered; FAILED_PRECONDITION `.notAnswerable` where it is not enabled.
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

    /// Takes parts into an item. In a group, a part takes the place of all answers, as far as it fits, as `load` does it: what is
    /// read-only or calculated stays. In a group that repeats, each part becomes one more of it, the first one where nothing is
    /// answered in the only one; where the path says which one, a part takes the place of that. The answers of a question are replaced;
    /// where it takes several, they come to those that are there.
    ///
    /// - Parameters:
    ///   - parts: in order.
    ///   - now: the device's clock. `nil`: as before.
    /// - Throws: as `set`; INVALID_ARGUMENT for parts of another `definition`, for an item without one, and for other than one part
    ///   where one fits. Nothing has changed then.
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
    /// Whether anything is answered in a group beside what it begins with.
    fileprivate func hasAnswers(within group: Int, at indices: [Int]) -> Bool {
        rowsWithin(group, at: indices).contains { place, row in
            guard let values = row.values else { return true }
            let compiled = outline.items[place.item]
            return !compiled.isReadOnly && compiled.calculated == nil && compiled.initialExpression == nil
                && !values.isSame(as: compiled.initial)
        }
    }

    /// Puts a part in the place of all answers in a group, as far as it fits. What is read-only or calculated stays.
    ///
    /// - Returns: what was cleared since it depends on something that is another answer now, and what did not fit.
    fileprivate mutating func replaceGroup(
        _ group: Int, at indices: [Int], with part: QuestionnaireResponseItem
    ) -> (cleared: [ItemOccurrence], leftOut: [FormPath]) {
        let before = rowsWithin(group, at: indices)
        remove(before)
        var unknown: [FormPath] = []
        let items = form.translated(part.items, into: group, &unknown)
        let read = ResponseRows(items, in: group, at: indices, of: self)
        rows = read.filled.rows
        furnish(outline.items[group].children, at: indices, .readOnly)
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

    /// Clears what is outside of a group and depends on what is another answer in it. What is in it came together, and stays.
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

    /// Clears what is answered in a group without its parents, and what hangs on that.
    private mutating func clearOrphans(_ group: Int, at indices: [Int]) -> [ItemOccurrence] {
        var cleared: [ItemOccurrence] = []
        // As long as nothing is cleared, what was found out about the form holds.
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
    /// The same answers, with the definitions of their items.
    func defined(_ item: QuestionnaireResponseItem) -> QuestionnaireResponseItem {
        var defined = item
        defined.definition = outline.positions[item.linkID].flatMap { outline.items[$0].item.definition }
        defined.items = item.items.map(self.defined)
        for index in item.answers.indices { defined.answers[index].items = item.answers[index].items.map(self.defined) }
        return defined
    }

    /// The same answers with the linkIds of this form: an item is the one of the same `definition` in that group, or else the one of
    /// the same linkId that has no other.
    ///
    /// - Parameter unknown: gets what is answered and has no place here.
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
