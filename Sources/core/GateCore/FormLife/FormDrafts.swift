import GateModel

/// The commands about drafts. The rules of their answers are in `Forms/`.
extension GateState {
    /// An existing draft keeps its own label.
    mutating func openForm(
        _ target: FormTarget, beginsAnother: Bool, label: String, own: AppForm?, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        try DraftLabel.check(label)
        if let own { try bring(own, for: context.peer, &draft) }
        var key = try draftKey(of: target, for: context.peer)
        if beginsAnother {
            guard key.id == 0 else { throw .anotherOfOne }
            guard reachesOthers(of: key.holder, context.peer) else { throw .noOthersForOthers }
            key.id = records.nextDraft
        }
        try open(key, label: label, context, &draft) { FormDraft.opened($0, now: context.localTime, context.prepared) }
        return .form(FormChange(summary: summary(of: key), isChanged: false))
    }

    /// The draft's answers and revision stay.
    mutating func labelDraft(
        _ target: FormTarget, _ label: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        try DraftLabel.check(label)
        guard quarantinedFile == nil else { throw .storeDamaged }
        let key = try draftKey(of: target, for: context.peer)
        guard var kept = records.drafts[key] else { throw noDraft(key) }
        if kept.label != label {
            kept.label = label
            record(.forms(.draftSet(key, kept)), &draft)
        }
        return .done
    }

    mutating func editForm(
        _ target: FormTarget, at revision: UInt64?, _ edit: FormEdit, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let key = try draftKey(of: target, for: context.peer)
        let before = try changeableDraft(key, at: revision)
        let measured = try measured(edit, for: key.holder)
        let (after, change) = try edited(before, key, measured, context)
        let isSuggested = if case .suggest = edit { true } else { false }
        let pending = try pending(of: key, after: measured, change, from: before, to: after)
        return try replace(by: after, key, change, pending, isSuggested: isSuggested, edit.attachments, &draft)
    }

    private func edited(
        _ before: FormDraft, _ key: FormDraftKey, _ edit: FormEdit, _ context: Context
    ) throws(GateError) -> (FormDraft, FormDraft.Change) {
        var after = before
        if let filling = fillingWhatIsLeftEmpty(edit, of: key),
            let change = try? after.apply(filling, now: context.localTime, context.prepared)
        {
            return (after, change)
        }
        // No suggestion waits, or it does not fit any more. Then the edit is applied as it is.
        let change = try after.apply(edit, now: context.localTime, context.prepared)
        return (after, change)
    }

    /// - Throws: RESOURCE_EXHAUSTED `.limit` if too many suggestions would be fetched or wait after the edit.
    private func pending(
        of key: FormDraftKey, after edit: FormEdit, _ change: FormDraft.Change, from before: FormDraft,
        to after: FormDraft
    ) throws(GateError) -> PendingSuggestions {
        var pending = forms.pending(of: key)
        switch edit {
        // The suggestions were made for other answers.
        case .fill, .reset: return PendingSuggestions()
        case .set, .take, .amend: pending.answersChanged(from: before, to: after)
        case .remove(let path):
            pending.answersChanged(from: before, to: after, removing: try? before.filled.instance(at: path))
        case .suggest(let path, _, _):
            pending.answersChanged(from: before, to: after)
            if let question = try? after.filled.occurrence(at: path) {
                let filled = change.isChanged ? after.filled.answers(of: question) : []
                try pending.suggestionCame(for: question, waiting: change.waiting, filled: filled)
            }
        }
        return pending
    }

    mutating func loadForm(
        _ target: FormTarget, at revision: UInt64?, response id: UInt64?, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let key = try draftKey(of: target, for: context.peer)
        guard quarantinedFile == nil else { throw .storeDamaged }
        let kept = try response(id, for: key)
        // A new draft is opened without the answers from expressions, because those are computed after the load.
        try open(key, context, &draft) { FormDraft.opened($0, now: context.localTime, follows: false) }
        var after = try changeableDraft(key, at: revision)
        let change = after.load(from: kept, now: context.localTime, context.prepared)
        return try replace(by: after, key, change, PendingSuggestions(), isSuggested: false, [:], &draft)
    }

    /// - Parameter id: the response to reuse; `nil`: the newest one with which the form was completed.
    func response(_ id: UInt64?, for key: FormDraftKey) throws(GateError) -> QuestionnaireResponse {
        if let id {
            guard let kept = records.responses[id], kept.summary.holder == key.holder else { throw .noResponse(id) }
            guard kept.summary.name == key.name else { throw .responseToOtherForm(id, kept.summary.name) }
            return kept.response
        }
        let completed = completed(key.name, by: key.holder)
        guard let newest = completed.max(by: { $0.summary.id < $1.summary.id }) else {
            throw .nothingToReuse(key.name)
        }
        return newest.response
    }

    /// Removes a draft, even if its form is gone.
    mutating func discardForm(
        _ target: FormTarget, of holder: FormHolder?, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard quarantinedFile == nil else { throw .storeDamaged }
        let key: FormDraftKey
        if let holder {
            key = try othersDraft(target, of: holder)
        } else {
            key = try draftKey(of: target, for: context.peer)
        }
        guard records.drafts[key] != nil else { throw noDraft(key) }
        let rows = records.draftRows[key] ?? [:]
        remove(key, &draft)
        draft.journal(.formDiscarded, by: context.peer, key.text)
        forget(rows.values.reduce(into: []) { $0.formUnion($1.attachments) }, &draft)
        return .done
    }

    /// Finds the draft without comparing the owner who is billed, which programs outside don't know.
    private func othersDraft(_ target: FormTarget, of holder: FormHolder) throws(GateError) -> FormDraftKey {
        let key = records.drafts.keys.first {
            $0.name == target.name && $0.id == target.draftID && $0.holder.told == holder.told
        }
        guard let key else { throw .noDraft(FormDraftKey(holder: holder, name: target.name, id: target.draftID)) }
        return key
    }

    // MARK: - Drafts

    func summary(of key: FormDraftKey) -> FormSummary {
        FormSummary(
            name: key.name, holder: key.holder, revision: records.drafts[key]?.revision ?? 0, draftID: key.id,
            label: label(of: key), openedAt: records.drafts[key]?.openedAt)
    }

    /// The label that a person gave the draft, or else the one made from its answers.
    func label(of key: FormDraftKey) -> String {
        let given = records.drafts[key]?.label ?? ""
        return given.isEmpty ? forms.labels[key] ?? "" : given
    }

    /// All drafts share one counter, so a revision names one draft with certain answers, and never another.
    private var nextDraftRevision: UInt64 { records.lastDraftRevision + 1 }

    /// - Parameter revision: the revision that the draft has to have, or one since which only pending suggestions
    ///   changed; `nil`: any.
    func openDraft(_ key: FormDraftKey, at revision: UInt64?) throws(GateError) -> FormDraft {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard let open = forms[key], let record = records.drafts[key] else { throw noDraft(key) }
        let read = forms.readRevisions[key] ?? record.revision
        if let revision, !(read...record.revision).contains(revision) { throw .formChanged(now: record.revision) }
        return open
    }

    /// The error for a draft that does not exist. If the target names no id, and the holder has other drafts of the
    /// form, it names one of them.
    func noDraft(_ key: FormDraftKey) -> GateError {
        let others = records.drafts.keys.filter { $0.name == key.name && $0.holder == key.holder }.map(\.id)
        guard key.id == 0, let number = others.min() else { return .noDraft(key) }
        return .otherDraft(than: key, number: number)
    }

    /// The draft to change. An edit for an earlier revision is accepted if since then only suggestions came, or other
    /// words around the same answers: those should not disturb a person who is entering something.
    func changeableDraft(_ key: FormDraftKey, at revision: UInt64?) throws(GateError) -> FormDraft {
        let isUndisturbed = revision.flatMap { revision in
            records.drafts[key].map { ($0.enteredRevision...$0.revision).contains(revision) }
        }
        return try openDraft(key, at: isUndisturbed ?? false ? nil : revision)
    }

    private mutating func open(
        _ key: FormDraftKey, label: String = "", _ context: Context, _ draft: inout TransitionDraft,
        as opened: (CompiledForm) -> FormDraft
    ) throws(GateError) {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard forms[key] == nil else { return }
        guard let form = forms.compiled[key.name] else { throw .noForm(key.name) }
        guard records.drafts.keys.count(where: { $0.holder.sharesBill(with: key.holder) }) < Limits.draftsOfHolder
        else {
            throw .tooManyDraftsOfHolder
        }
        guard records.drafts.count < Limits.drafts || context.peer.isAdministrator else { throw .tooManyDrafts }
        let opened = opened(form)
        record(
            .forms(
                .draftSet(
                    key, FormDraftRecord(revision: nextDraftRevision, openedAt: context.wallTime, label: label))),
            &draft)
        write(opened.rows.mapValues { .some($0) }, of: key, &draft)
        forms.changed(key, to: opened)
        draft.journal(.formOpened, by: context.peer, key.text)
    }

    mutating func replace(
        by after: FormDraft, _ key: FormDraftKey, _ change: FormDraft.Change, _ pending: PendingSuggestions,
        isSuggested: Bool, _ attachments: [AttachmentDigest: [UInt8]], _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        guard change.isChanged else {
            pendingChanged(key, to: pending, &draft)
            return .form(FormChange(summary: summary(of: key), isChanged: false, cleared: change.cleared))
        }
        guard after.byteCount <= Limits.draftByteCount else { throw .tooMuchAnswered }
        let named = change.rows.values.reduce(into: Set<AttachmentDigest>()) { $0.formUnion($1?.attachments ?? []) }
        let isMore = named.contains { !self.attachments.isNamed($0, by: key.holder) }
        try store(named, attachments, &draft)
        forms.changed(key, to: after)
        forms.pendingChanged(key, to: pending, readAt: nil)
        take(change.rows, of: key, disturbs: !isSuggested, &draft)
        if isMore { try checkRoom(for: key.holder) }
        return .form(FormChange(summary: summary(of: key), isChanged: true, cleared: change.cleared))
    }

    /// Sets the pending suggestions, and gives the draft a new revision, so that screens read it again. Its answers
    /// stay, so edits and completions for the revision before are still accepted.
    mutating func pendingChanged(
        _ key: FormDraftKey, to pending: PendingSuggestions, _ draft: inout TransitionDraft
    ) {
        guard var kept = records.drafts[key], pending != forms.pending(of: key) else { return }
        forms.pendingChanged(key, to: pending, readAt: forms.readRevisions[key] ?? kept.revision)
        kept.revision = nextDraftRevision
        record(.forms(.draftSet(key, kept)), &draft)
    }

    mutating func remove(_ key: FormDraftKey, _ draft: inout TransitionDraft) {
        record(.forms(.draftRemoved(key)), &draft)
        forms.changed(key, to: nil)
        forgetAppForm(key.name, &draft)
    }

    /// Writes the rows in a fixed order, independent of the dictionary's.
    private mutating func write(
        _ rows: [FormPath: FormRow?], of key: FormDraftKey, _ draft: inout TransitionDraft
    ) {
        let changes = rows.map { (text: $0.key.description, path: $0.key, row: $0.value) }
        for change in changes.sorted(by: { $0.text < $1.text }) {
            record(
                change.row.map { .forms(.draftRowSet(key, change.path, $0)) }
                    ?? .forms(.draftRowRemoved(key, change.path)), &draft)
        }
    }

    /// Adapts the drafts to a new configuration. Drops rows that no longer fit, and has screens read the drafts again.
    mutating func reformDrafts(_ draft: inout TransitionDraft) {
        take(forms.reformed(configuration, records), &draft)
    }

    /// Adapts the drafts after a start or a restore, when forms may have changed.
    mutating func settleRestoredDrafts(_ draft: inout TransitionDraft) {
        take(forms.restoredChanges(records), &draft)
        // No request is open any more, so only drafts keep an app's form.
        for name in records.appForms.keys.sorted() { forgetAppForm(name, &draft) }
    }

    private mutating func take(_ changes: [FormBook.RowChanges], _ draft: inout TransitionDraft) {
        // In the order of their revisions, so that the draft that was changed last remains the last.
        let revisions = changes.map { (change: $0, revision: records.drafts[$0.key]?.revision ?? 0) }
        for (change, _) in revisions.sorted(by: { $0.revision < $1.revision }) {
            // If only words around the answers changed, edits for the earlier revision are accepted, but no completion.
            take(change.rows, of: change.key, disturbs: !change.rows.isEmpty, &draft)
        }
    }

    /// Gives a draft a new revision with these rows, and removes documents that no answer names any more. With
    /// `disturbs`, edits for an earlier revision are refused from now on.
    private mutating func take(
        _ rows: [FormPath: FormRow?], of key: FormDraftKey, disturbs: Bool, _ draft: inout TransitionDraft
    ) {
        guard var kept = records.drafts[key] else { return }
        // The rows from the records, because the draft would have to compute all of its rows.
        let before = records.draftRows[key] ?? [:]
        let dropped = rows.keys.reduce(into: Set<AttachmentDigest>()) { $0.formUnion(before[$1]?.attachments ?? []) }
        kept.revision = nextDraftRevision
        if disturbs { kept.enteredRevision = kept.revision }
        record(.forms(.draftSet(key, kept)), &draft)
        write(rows, of: key, &draft)
        forget(dropped, &draft)
    }
}
