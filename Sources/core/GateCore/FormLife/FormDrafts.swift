import GateModel

/// The life of a draft. The rules of its answers are in `Forms/`.
extension GateState {
    /// The draft that is there, or a new one with initial values (F-30).
    ///
    /// - Parameters:
    ///   - beginsAnother: one more beside those that are there (F-84).
    ///   - label: of a new one. One that is there keeps its own.
    ///   - own: the form that the app brings with it (F-85).
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

    /// Gives a draft another label (F-74). Its answers are as they were, and so is its revision.
    mutating func labelDraft(
        _ target: FormTarget, _ label: String, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        try DraftLabel.check(label)
        guard quarantinedFile == nil else { throw .storeDamaged }
        let key = try draftKey(of: target, for: context.peer)
        guard var kept = records.drafts[key] else { throw noDraft(key) }
        if kept.label != label {
            kept.label = label
            record(.draftSet(key, kept), &draft)
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
        // What waited no longer fits: then it is empty.
        let change = try after.apply(edit, now: context.localTime, context.prepared)
        return (after, change)
    }

    /// The suggestions that are being fetched, or wait, after an edit.
    ///
    /// - Throws: RESOURCE_EXHAUSTED `.limit`.
    private func pending(
        of key: FormDraftKey, after edit: FormEdit, _ change: FormDraft.Change, from before: FormDraft,
        to after: FormDraft
    ) throws(GateError) -> PendingSuggestions {
        var pending = forms.pending(of: key)
        switch edit {
        // They were for other answers.
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

    /// Puts a kept response in the place of all answers, as far as it fits (F-39).
    mutating func loadForm(
        _ target: FormTarget, at revision: UInt64?, response id: UInt64?, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        let key = try draftKey(of: target, for: context.peer)
        guard quarantinedFile == nil else { throw .storeDamaged }
        let kept = try response(id, for: key)
        // All that expressions give is worked out with what is loaded.
        try open(key, context, &draft) { FormDraft.opened($0, now: context.localTime, follows: false) }
        var after = try changeableDraft(key, at: revision)
        let change = after.load(from: kept, now: context.localTime, context.prepared)
        return try replace(by: after, key, change, PendingSuggestions(), isSuggested: false, [:], &draft)
    }

    /// `nil`: the newest that was completed.
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

    /// Also where its form is gone meanwhile.
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

    /// The owner who is billed for it: holders are told without that.
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

    /// The label that somebody gave it, or else the one that its answers make (F-74).
    func label(of key: FormDraftKey) -> String {
        let given = records.drafts[key]?.label ?? ""
        return given.isEmpty ? forms.labels[key] ?? "" : given
    }

    /// One for all drafts: anyone who names a revision names this draft with these answers, and no other ever.
    private var nextDraftRevision: UInt64 { records.lastDraftRevision + 1 }

    /// - Parameter revision: that it must be at; `nil`: whichever.
    func openDraft(_ key: FormDraftKey, at revision: UInt64?) throws(GateError) -> FormDraft {
        guard quarantinedFile == nil else { throw .storeDamaged }
        guard let open = forms[key], let record = records.drafts[key] else { throw noDraft(key) }
        let read = forms.readRevisions[key] ?? record.revision
        if let revision, !(read...record.revision).contains(revision) { throw .formChanged(now: record.revision) }
        return open
    }

    /// That nobody fills in the draft that is meant when nothing is said, though the holder may fill in others.
    func noDraft(_ key: FormDraftKey) -> GateError {
        let others = records.drafts.keys.filter { $0.name == key.name && $0.holder == key.holder }.map(\.id)
        guard key.id == 0, let number = others.min() else { return .noDraft(key) }
        return .otherDraft(than: key, number: number)
    }

    /// The draft to change. It may have more suggestions, or other words around it, by now than at that revision:
    /// anyone who enters something meanwhile is not refused for them.
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
            .draftSet(
                key, FormDraftRecord(revision: nextDraftRevision, openedAt: context.wallTime, label: label)), &draft)
        write(opened.rows.mapValues { .some($0) }, of: key, &draft)
        forms.changed(key, to: opened)
        draft.journal(.formOpened, by: context.peer, key.text)
    }

    /// - Parameter pending: the suggestions that are being fetched, or wait, from now on.
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

    /// The next revision of a draft whose answers stay as they are, so that anyone who shows it reads it again. What is entered, and what
    /// is completed, for the revision before is taken.
    mutating func pendingChanged(
        _ key: FormDraftKey, to pending: PendingSuggestions, _ draft: inout TransitionDraft
    ) {
        guard var kept = records.drafts[key], pending != forms.pending(of: key) else { return }
        forms.pendingChanged(key, to: pending, readAt: forms.readRevisions[key] ?? kept.revision)
        kept.revision = nextDraftRevision
        record(.draftSet(key, kept), &draft)
    }

    mutating func remove(_ key: FormDraftKey, _ draft: inout TransitionDraft) {
        record(.draftRemoved(key), &draft)
        forms.changed(key, to: nil)
        forgetAppForm(key.name, &draft)
    }

    /// In one order, whatever the dictionary's is.
    private mutating func write(
        _ rows: [FormPath: FormRow?], of key: FormDraftKey, _ draft: inout TransitionDraft
    ) {
        let changes = rows.map { (text: $0.key.description, path: $0.key, row: $0.value) }
        for change in changes.sorted(by: { $0.text < $1.text }) {
            record(
                change.row.map { .draftRowSet(key, change.path, $0) } ?? .draftRowRemoved(key, change.path), &draft)
        }
    }

    /// The configuration has other forms: what no longer fits is gone, and anyone who works on it hears of it.
    mutating func reformDrafts(_ draft: inout TransitionDraft) {
        take(forms.reformed(configuration, records), &draft)
    }

    /// The same after a start or a restore, where the forms may be others than before it.
    mutating func settleRestoredDrafts(_ draft: inout TransitionDraft) {
        take(forms.restoredChanges(records), &draft)
        // Nobody is asked to fill anything in any more.
        for name in records.appForms.keys.sorted() { forgetAppForm(name, &draft) }
    }

    private mutating func take(_ changes: [FormBook.RowChanges], _ draft: inout TransitionDraft) {
        // In the order of before: the draft that was worked on last is still the last.
        let revisions = changes.map { (change: $0, revision: records.drafts[$0.key]?.revision ?? 0) }
        for (change, _) in revisions.sorted(by: { $0.revision < $1.revision }) {
            // Other words around the same answers: what was entered before is taken, and what was read before not completed.
            take(change.rows, of: change.key, disturbs: !change.rows.isEmpty, &draft)
        }
    }

    /// The next revision of a draft, with these rows as they are now; documents that nothing names any more are gone.
    ///
    /// - Parameter disturbs: whether what somebody enters for the revision before is refused.
    private mutating func take(
        _ rows: [FormPath: FormRow?], of key: FormDraftKey, disturbs: Bool, _ draft: inout TransitionDraft
    ) {
        guard var kept = records.drafts[key] else { return }
        // Those of the records: the draft itself would gather all of its rows.
        let before = records.draftRows[key] ?? [:]
        let dropped = rows.keys.reduce(into: Set<AttachmentDigest>()) { $0.formUnion(before[$1]?.attachments ?? []) }
        kept.revision = nextDraftRevision
        if disturbs { kept.enteredRevision = kept.revision }
        record(.draftSet(key, kept), &draft)
        write(rows, of: key, &draft)
        forget(dropped, &draft)
    }
}
