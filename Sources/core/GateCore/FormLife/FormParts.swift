import GateModel

/// The commands about parts. A part holds the answers under one `definition`; it is kept for its holder, and any form
/// that asks for the same `definition` can take it over. `Forms/Drafts/FormDraft+Parts.swift` does that.
extension GateState {
    mutating func savePart(
        _ target: FormTarget, _ path: FormPath, over id: UInt64?, label: String, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        try DraftLabel.check(label)
        let key = try draftKey(of: target, for: context.peer)
        try countCopy(target, of: key.holder, context.peer)
        let open = try openDraft(key, at: nil)
        let content = try open.part(at: path, context.prepared)
        guard content.byteCount <= Limits.partByteCount else { throw .tooLargePart }
        let old = try id.map { id throws(GateError) in try ownPart(id, of: key.holder) }
        if let old, old.content.definition != content.definition {
            guard let item = open.form.outline.item(named: path.linkID) else { throw .noItem(path) }
            throw .otherDefinition(item)
        }
        // A label that a person gave the replaced part is kept.
        let kept = old.flatMap { $0.summary.label == $0.content.label ? nil : $0.summary.label } ?? ""
        let named = label.isEmpty ? kept : label
        let part = PartRecord(
            summary: PartSummary(
                id: old?.summary.id ?? records.nextPart, holder: key.holder, definition: content.definition ?? "",
                label: named.isEmpty ? content.label : named, isNamed: true, savedAt: context.wallTime),
            content: content)
        try makeRoom(for: part, &draft)
        put(part, &draft)
        return .keptPart(part.summary.id)
    }

    mutating func labelPart(
        _ id: UInt64, _ label: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        try DraftLabel.check(label)
        guard quarantinedFile == nil else { throw .storeDamaged }
        var part = try self.part(id, for: context.peer)
        part.summary.label = label.isEmpty ? part.content.label : label
        part.summary.isNamed = true
        if part != records.parts[id] { record(.forms(.partSet(part)), &draft) }
        return .done
    }

    mutating func removePart(
        _ id: UInt64, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        drop(try part(id, for: context.peer), &draft)
        return .done
    }

    func contents(of ids: [UInt64], for holder: FormHolder) throws(GateError) -> [QuestionnaireResponseItem] {
        guard ids.count <= Limits.takenParts, Set(ids).count == ids.count else { throw .tooManyTaken }
        var contents: [QuestionnaireResponseItem] = []
        for id in ids { contents.append(try ownPart(id, of: holder).content) }
        return contents
    }

    /// The holder's parts, oldest first.
    func parts(of holder: FormHolder) -> [PartRecord] {
        records.parts.values.filter { $0.summary.holder == holder }.sorted { $0.summary.id < $1.summary.id }
    }

    /// Keeps the answers under each `definition` of a completed response, if no part says as much already. A part is
    /// silently left out if there is no room.
    mutating func keepParts(
        of response: UInt64, _ form: CompiledForm, _ context: Context, _ draft: inout TransitionDraft
    ) {
        guard let kept = records.responses[response], !form.questionnaire.definitions.isEmpty else { return }
        var found: [QuestionnaireResponseItem] = []
        for item in kept.response.items { form.defined(item).collectParts(into: &found) }
        var known = parts(of: kept.summary.holder).map { (part: $0, statements: $0.content.statements) }
        for content in found.prefix(Limits.partsOfCompletion) where content.byteCount <= Limits.partByteCount {
            keep(content, of: kept.summary.holder, beside: &known, context, &draft)
        }
    }

    private mutating func keep(
        _ content: QuestionnaireResponseItem, of holder: FormHolder,
        beside known: inout [(part: PartRecord, statements: Set<PartStatement>)], _ context: Context,
        _ draft: inout TransitionDraft
    ) {
        guard let definition = content.definition else { return }
        let said = content.statements
        var outgrown: PartRecord?
        for (part, statements) in known where part.content.definition == definition {
            if statements.isSuperset(of: said) { return }
            if !part.summary.isNamed, statements.isSubset(of: said) { outgrown = part }
        }
        let part = PartRecord(
            summary: PartSummary(
                id: outgrown?.summary.id ?? records.nextPart, holder: holder, definition: definition,
                label: content.label, isNamed: false, savedAt: context.wallTime),
            content: content)
        do throws(GateError) {
            try makeRoom(for: part, &draft)
            put(part, &draft)
            known.append((part, said))
        } catch {
            // Ignored, since no program asked for this part.
        }
    }

    // MARK: - Limits

    /// Removes the holder's oldest unnamed parts until there is room for one more. Throws if there still is none.
    private mutating func makeRoom(for part: PartRecord, _ draft: inout TransitionDraft) throws(GateError) {
        while true {
            let others = records.parts.values.filter { $0.summary.id != part.summary.id }
            let billed = others.filter { $0.summary.holder.sharesBill(with: part.summary.holder) }
            let byteCount = billed.reduce(part.content.byteCount) { $0 + $1.content.byteCount }
            if billed.count < Limits.partsOfHolder, byteCount <= Limits.partByteCountOfHolder {
                guard others.count < Limits.parts else { throw .tooManyParts }
                return
            }
            let unnamed = billed.filter { !$0.summary.isNamed && $0.summary.holder == part.summary.holder }
            guard let oldest = unnamed.min(by: { $0.summary.id < $1.summary.id }) else { throw .tooManyPartsOfHolder }
            drop(oldest, &draft)
        }
    }

    private func ownPart(_ id: UInt64, of holder: FormHolder) throws(GateError) -> PartRecord {
        guard let part = records.parts[id], part.summary.holder == holder else { throw .noPart(id) }
        return part
    }

    private mutating func put(_ part: PartRecord, _ draft: inout TransitionDraft) {
        let dropped = records.parts[part.summary.id]?.content.attachments ?? []
        record(.forms(.partSet(part)), &draft)
        forget(dropped, &draft)
    }

    private mutating func drop(_ part: PartRecord, _ draft: inout TransitionDraft) {
        record(.forms(.partRemoved(part.summary.id)), &draft)
        forget(part.content.attachments, &draft)
    }
}

/// One answer in a part, identified by the meaning of its question.
struct PartStatement: Hashable {
    /// The definitions of the items from the part down to the question. Items without one have their linkId.
    let question: [String]
    let value: FormValue
}

extension QuestionnaireResponseItem {
    var statements: Set<PartStatement> {
        var statements: Set<PartStatement> = []
        collectStatements(below: [], into: &statements)
        return statements
    }

    /// The label made from its answers, or else from its text or linkId.
    var label: String {
        var texts: [String] = []
        collectTexts(into: &texts)
        let label = DraftLabel.joined(Array(texts.prefix(3)))
        return label.isEmpty ? DraftLabel.joined([text ?? linkID]) : label
    }

    /// Collects this item and the items in it that have a `definition` and an answer. A definition with a fragment,
    /// `…/person#person.name`, names an element of another definition (`…/person`): its answers belong to a part of
    /// that definition, and are no part of their own.
    fileprivate func collectParts(into parts: inout [QuestionnaireResponseItem]) {
        if let definition, !definition.utf8.contains(UInt8(ascii: "#")), hasAnswer {
            var part = self
            for index in answers.indices { part.answers[index].items = [] }
            parts.append(part)
        }
        for item in items + answers.flatMap(\.items) { item.collectParts(into: &parts) }
    }

    private func collectStatements(below around: [String], into statements: inout Set<PartStatement>) {
        // The part's own definition is left out, since all compared parts have it in common.
        let here = around + [around.isEmpty ? "" : definition ?? linkID]
        for answer in answers {
            if let value = answer.value { statements.insert(PartStatement(question: here, value: value)) }
            for item in answer.items { item.collectStatements(below: here, into: &statements) }
        }
        for item in items { item.collectStatements(below: here, into: &statements) }
    }

    private func collectTexts(into texts: inout [String]) {
        texts += answers.compactMap { $0.value?.displayText }
        for item in items + answers.flatMap(\.items) where texts.count < 3 { item.collectTexts(into: &texts) }
    }
}

extension CompiledOutline {
    func item(named linkID: String) -> QuestionnaireItem? { positions[linkID].map { items[$0].item } }
}
