import GateModel

/// All drafts, ready to be read and changed, and the compiled forms. Both are computed from the configuration and from
/// the drafts' rows and apps' forms in `DurableRecords`. Pending suggestions are kept only here.
struct FormBook: Hashable, Sendable {
    private(set) var compiled: [String: CompiledForm] = [:]
    /// The drafts whose form exists.
    private(set) var drafts: [FormDraftKey: FormDraft] = [:]
    /// The labels made from answers, if not empty. Kept because drafts are listed far more often than answers change.
    private(set) var labels: [FormDraftKey: String] = [:]

    private var pendingByDraft: [FormDraftKey: PendingSuggestions] = [:]
    /// The revision of a draft since which only pending suggestions changed, but no answers or texts. A draft is
    /// missing here if its newest change was of another kind.
    private(set) var readRevisions: [FormDraftKey: UInt64] = [:]

    /// The rows of a draft that differ from the records; a `nil` row was removed.
    typealias RowChanges = (key: FormDraftKey, rows: [FormPath: FormRow?])

    init() {}

    init(restoring records: DurableRecords, configuration: Configuration) {
        _ = reformed(configuration, records)
    }

    subscript(key: FormDraftKey) -> FormDraft? { drafts[key] }

    /// A draft was opened or changed; `nil`: it was removed.
    mutating func changed(_ key: FormDraftKey, to draft: FormDraft?) {
        drafts[key] = draft
        label(key)
        readRevisions[key] = nil
        if draft == nil { pendingByDraft[key] = nil }
    }

    func pending(of key: FormDraftKey) -> PendingSuggestions { pendingByDraft[key] ?? PendingSuggestions() }

    var keysWithPending: [FormDraftKey] { Array(pendingByDraft.keys) }
    var nextDeadline: BootTime? { pendingByDraft.values.reduce(nil) { $0.earlier($1.nextDeadline) } }
    var connections: Set<UInt64> { pendingByDraft.values.reduce(into: []) { $0.formUnion($1.connections) } }

    mutating func forgetPending() {
        pendingByDraft = [:]
        readRevisions = [:]
    }

    /// - Parameter revision: the revision since which only pending suggestions changed; `nil`: answers changed, too.
    mutating func pendingChanged(_ key: FormDraftKey, to pending: PendingSuggestions, readAt revision: UInt64?) {
        pendingByDraft[key] = pending.isEmpty ? nil : pending
        readRevisions[key] = revision
    }

    private mutating func label(_ key: FormDraftKey) {
        let label = drafts[key]?.label ?? ""
        labels[key] = label.isEmpty ? nil : label
    }

    /// Compiles the forms of a new configuration and adapts the drafts. Returns the drafts whose form changed while it
    /// was in use, and those with rows that no longer fit or changed: their readers have to read them again. The drafts
    /// of a form that is gone rest until the form is back.
    mutating func reformed(
        _ configuration: Configuration, _ records: DurableRecords
    ) -> [RowChanges] {
        let before = compiled
        compiled = configuration.forms.merging(records.appForms) { installed, _ in installed }.mapValues { form in
            before[form.questionnaire.name].flatMap { $0.questionnaire == form.questionnaire ? $0 : nil }
                ?? CompiledForm(form.questionnaire)
        }
        drafts = drafts.filter { compiled[$0.key.name] != nil }
        labels = labels.filter { compiled[$0.key.name] != nil }
        pendingByDraft = pendingByDraft.filter { compiled[$0.key.name] != nil }
        var changes: [RowChanges] = []
        for key in records.drafts.keys {
            guard let form = compiled[key.name], drafts[key]?.form != form else { continue }
            let rows = records.draftRows[key] ?? [:]
            let moment = records.drafts[key].map { LocalTime($0.openedAt) }
            let draft = FormDraft(restoring: rows, of: form, moment: moment)
            let isOfOther = drafts.updateValue(draft, forKey: key) != nil
            label(key)
            pendingByDraft[key] = nil
            readRevisions[key] = nil
            let changed = draft.changes(since: rows)
            if isOfOther || !changed.isEmpty { changes.append((key: key, rows: changed)) }
        }
        return changes
    }

    mutating func brought(_ form: AppForm) { compiled[form.name] = form.compiled }

    mutating func forgot(_ name: String) { compiled[name] = nil }

    func byteCount(of name: String) -> Int {
        drafts.reduce(0) { $1.key.name == name ? $0 + $1.value.byteCount : $0 }
    }

    /// The drafts that have to be read again after a start or a restore: those with rows that did not fit any more,
    /// each with the changed rows, and those in which the date decides what is asked.
    func restoredChanges(_ records: DurableRecords) -> [RowChanges] {
        drafts.compactMap { key, draft in
            let changed = draft.changes(since: records.draftRows[key] ?? [:])
            // On another day the form may ask other questions than the person read before the restart.
            return changed.isEmpty && !draft.isEnabledByClock ? nil : (key: key, rows: changed)
        }
    }
}

extension FormDraft {
    /// The rows that differ from these; `nil`: removed.
    fileprivate func changes(since before: [FormPath: FormRow]) -> [FormPath: FormRow?] {
        // A local copy, because each access computes the rows anew.
        let rows = rows
        var changes: [FormPath: FormRow?] = [:]
        for (path, row) in rows where before[path] != row { changes[path] = .some(row) }
        for path in before.keys where rows[path] == nil { changes[path] = .some(nil) }
        return changes
    }
}
