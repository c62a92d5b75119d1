import GateModel

/// Forms that are being filled in: everybody's drafts, and the forms of the configuration made ready for them. The rows of a
/// draft are in `DurableRecords`; here it is what they come to.
struct FormBook: Hashable, Sendable {
    private(set) var compiled: [String: CompiledForm] = [:]
    /// The drafts whose form the configuration still has.
    private(set) var drafts: [FormDraftKey: FormDraft] = [:]
    /// The labels that their answers make: lists are asked for far more often than answers change. Only those that are not empty.
    private(set) var labels: [FormDraftKey: String] = [:]

    /// The suggestions that are being fetched, or wait. Only those of drafts that have some.
    private var pendingByDraft: [FormDraftKey: PendingSuggestions] = [:]
    /// The revisions since which the answers of drafts, and their words, are as they were: nothing came but pending suggestions.
    private(set) var readRevisions: [FormDraftKey: UInt64] = [:]

    /// The rows of a draft that differ from the records; `nil`: gone.
    typealias RowChanges = (key: FormDraftKey, rows: [FormPath: FormRow?])

    init() {}

    init(restoring records: DurableRecords, configuration: Configuration) {
        _ = reformed(configuration, records)
    }

    subscript(key: FormDraftKey) -> FormDraft? { drafts[key] }

    /// A draft was opened or changed; `nil`: it is gone.
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

    /// After a restart.
    mutating func forgetPending() {
        pendingByDraft = [:]
        readRevisions = [:]
    }

    /// - Parameter revision: since which nothing came but pending suggestions; `nil`: the answers have changed, too.
    mutating func pendingChanged(_ key: FormDraftKey, to pending: PendingSuggestions, readAt revision: UInt64?) {
        pendingByDraft[key] = pending.isEmpty ? nil : pending
        readRevisions[key] = revision
    }

    private mutating func label(_ key: FormDraftKey) {
        let label = drafts[key]?.label ?? ""
        labels[key] = label.isEmpty ? nil : label
    }

    /// The configuration has other forms. Returns the drafts that were worked on for another form of that name, and those with
    /// rows that no longer fit, or changed: who reads them reads something else now. The drafts of a form that is gone rest until
    /// it is back.
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

    /// An app brought it.
    mutating func brought(_ form: AppForm) { compiled[form.name] = form.compiled }

    /// It is gone; it has no drafts.
    mutating func forgot(_ name: String) { compiled[name] = nil }

    /// About so many bytes are answered in the drafts of a form.
    func byteCount(of name: String) -> Int {
        drafts.reduce(0) { $1.key.name == name ? $0 + $1.value.byteCount : $0 }
    }

    /// The rows that no longer fitted when the drafts were restored.
    func restoredChanges(_ records: DurableRecords) -> [RowChanges] {
        drafts.compactMap { key, draft in
            let changed = draft.changes(since: records.draftRows[key] ?? [:])
            // On another day other questions may be asked: what was read before the restart is not what would be completed.
            return changed.isEmpty && !draft.isEnabledByClock ? nil : (key: key, rows: changed)
        }
    }
}

extension FormDraft {
    /// The rows that differ from these; `nil`: gone.
    fileprivate func changes(since before: [FormPath: FormRow]) -> [FormPath: FormRow?] {
        // Gathered with each reading.
        let rows = rows
        var changes: [FormPath: FormRow?] = [:]
        for (path, row) in rows where before[path] != row { changes[path] = .some(row) }
        for path in before.keys where rows[path] == nil { changes[path] = .some(nil) }
        return changes
    }
}
