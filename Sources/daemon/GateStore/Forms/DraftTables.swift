import GateCore
import GateForms
import GateModel
import SQLite

extension RecordTables {
    /// Forms that are being filled in, without their answers.
    static let drafts = EntryTable(
        Table(
            "draft",
            // Made of id, holder and form.
            Column("key", .text, "PRIMARY KEY"), Column("holder", .holder), Column("form", .name),
            Column("revision", .number(1...maximumNumber), "CHECK (revision >= 1)"), Column("opened_at", .time),
            // The revision since which only suggestions, or other words around the same answers, have come.
            Column("entered_revision", .number(0...maximumNumber), "DEFAULT 0 CHECK (entered_revision >= 0)"),
            // 0: the draft that is opened when no other is named.
            Column("id", .draftID, "DEFAULT 0 CHECK (id >= 0)", step: 9),
            // The label that a person gave it; empty: its answers make one.
            Column("label", .words, "DEFAULT ''", step: 9)),
        of: \.drafts, atMost: 100_000, foundBy: .columns { try StoredKey($0).columns },
        row: { key, draft in
            guard draft.enteredRevision <= draft.revision else {
                throw StoreError.failed("a draft's revision \(draft.revision) can't be stored")
            }
            return (
                try StoredKey(key).text, key.holder, key.name, draft.revision, draft.openedAt, draft.enteredRevision,
                key.id, draft.label
            )
        },
        entry: { storedKey, holder, form, revision, openedAt, enteredRevision, id, label in
            let key = FormDraftKey(holder: holder, name: form, id: id)
            try StoredKey(key).check(storedKey)
            guard enteredRevision <= revision else { throw StoreError.damaged("a draft without a revision") }
            return (
                key,
                FormDraftRecord(
                    revision: revision, enteredRevision: enteredRevision, openedAt: openedAt, label: label)
            )
        })

    /// The answers in drafts, one row for each path, so that changing an answer writes one row. Their number is not
    /// limited here: the core limits a draft's bytes.
    static let draftRows = EntryTable(
        Table(
            "draft_row", hasRowID: true, constraints: ["CHECK ((answers IS NULL) <> (instances IS NULL))"],
            // Made of id, holder, form and path.
            Column("key", .text, "PRIMARY KEY"), Column("holder", .holder), Column("form", .name),
            Column("path", .path),
            // The answers to a question.
            Column("answers", .optional(.answers)),
            // How many times a repeating group is there.
            Column("instances", .optional(.instances), "CHECK (instances >= 0)"),
            // Whether a person entered the answers in place of calculated ones.
            Column(
                "is_entered", .flag,
                "DEFAULT 0 CHECK (is_entered IN (0, 1) AND (is_entered = 0 OR answers IS NOT NULL))", step: 8),
            Column("draft_id", .draftID, "DEFAULT 0 CHECK (draft_id >= 0)", step: 9)),
        foundBy: .columns { try $0.stored.columns },
        entries: { $0.draftRows.flatMap { key, rows in rows.map { (DraftRowKey(key, $0), $1) } } },
        add: { records, key, row in
            records.draftRows[key.draft, default: [:]].updateValue(row, forKey: key.path) == nil
        },
        row: { key, row in
            let (instances, isEntered): (Int?, Bool) =
                switch row {
                case .answers: (nil, false)
                case .entered: (nil, true)
                case .instances(let count): (count, false)
                }
            return (
                try key.stored.text, key.draft.holder, key.draft.name, key.path, row.values, instances, isEntered,
                key.draft.id
            )
        },
        entry: { storedKey, holder, form, path, answers, instances, isEntered, id in
            let key = DraftRowKey(FormDraftKey(holder: holder, name: form, id: id), path)
            try key.stored.check(storedKey)
            switch (answers, instances) {
            case (let answers?, nil): return (key, isEntered ? .entered(answers) : .answers(answers))
            case (nil, let instances?) where !isEntered: return (key, .instances(instances))
            case (nil, _), (_?, _?):
                throw StoreError.damaged("a row of a form that is neither answers nor a number of times")
            }
        })
}

struct DraftRowKey: Hashable {
    let draft: FormDraftKey
    let path: FormPath

    init(_ draft: FormDraftKey, _ path: FormPath) { (self.draft, self.path) = (draft, path) }

    /// - Throws: `StoreError.failed` if such a holder can't be stored.
    var stored: StoredKey { get throws { try StoredKey(draft, path: path.description) } }
}

extension Format<UInt64> {
    fileprivate static let draftID = number(0...(RecordTables.maximumNumber - 1))
}

extension Format<FormPath> {
    /// A path has only one spelling.
    fileprivate static let path = Format(
        .line(1...FormPath.maximumByteCount), "a path in a form",
        value: { text in FormPath(text: text).flatMap { $0.description == text ? $0 : nil } },
        base: { path in FormPath(text: path.description) == path ? path.description : nil })
}

extension Format<Int> {
    /// At most as many as a group may repeat.
    fileprivate static let instances = Format("INTEGER NOT NULL", "a number of times") {
        (0...FormPath.maximumInstanceCount).contains($0)
    }
}
