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
            return (key, .init(revision: revision, enteredRevision: enteredRevision, openedAt: openedAt, label: label))
        })

    /// The answers in drafts, one row for each path, so that changing an answer writes one row. Their number is not
    /// limited here: the core limits a draft's bytes.
    static let draftRows = EntryTable(
        table: Table(
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
        finding: .columns { try $0.stored.columns },
        entries: { $0.draftRows.flatMap { key, rows in rows.map { (DraftRowKey(key, $0), $1) } } },
        add: { $0.draftRows[$1.draft, default: [:]].updateValue($2, forKey: $1.path) == nil },
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

    /// The responses, as they were saved or completed.
    static let responses = EntryTable(
        Table(
            "response", hasRowID: true, Column("id", .rowID(1...maximumNumber), "PRIMARY KEY CHECK (id >= 1)"),
            Column("holder", .holder), Column("form", .name),
            // The version of the questionnaire when it was answered; NULL: it had none.
            Column("version", .optional(.words)),
            Column("status", .word(QuestionnaireResponse.Status.self, "a status")), Column("saved_at", .time),
            Column("response", .response),
            // The label that its draft had.
            Column("label", .words, "DEFAULT ''", step: 9)),
        of: \.responses, atMost: 100_000, foundBy: .columns { [Int64(clamping: $0)] },
        row: { id, record in
            let summary = record.summary
            return (
                id, summary.holder, summary.name, summary.version, summary.status, summary.savedAt, record.response,
                summary.label
            )
        },
        entry: {
            let summary = ResponseSummary(
                id: $0, name: $2, version: $3, holder: $1, status: $4, savedAt: $5, label: $7)
            return ($0, ResponseRecord(summary: summary, response: $6))
        })

    /// Answers that other forms can reuse, by the `definition` of the item.
    static let parts = EntryTable(
        Table(
            "part", step: 10, hasRowID: true,
            Column("id", .rowID(1...(maximumNumber - 1)), "PRIMARY KEY CHECK (id >= 1)"), Column("holder", .holder),
            // The definition of the item that was answered.
            Column("definition", .name), Column("label", .words),
            // Whether a person has saved or named it, so that it is not removed automatically.
            Column("is_named", .flag, "CHECK (is_named IN (0, 1))"), Column("saved_at", .time),
            // A response with this one item.
            Column("content", .response)),
        of: \.parts, atMost: 100_000, foundBy: .columns { [Int64(clamping: $0)] },
        row: { id, part in
            let summary = part.summary
            guard part.content.definition == summary.definition else {
                throw StoreError.failed("a part of another definition than its item's can't be stored")
            }
            let content = QuestionnaireResponse(status: .inProgress, items: [part.content])
            return (id, summary.holder, summary.definition, summary.label, summary.isNamed, summary.savedAt, content)
        },
        entry: { id, holder, definition, label, isNamed, savedAt, response in
            guard let content = response.items.first, response.items.count == 1, content.definition == definition else {
                throw StoreError.damaged("a part of a form that is not of one item")
            }
            let summary = PartSummary(
                id: id, holder: holder, definition: definition, label: label, isNamed: isNamed, savedAt: savedAt)
            return (id, PartRecord(summary: summary, content: content))
        })

    // MARK: - Apps

    /// Forms of apps that somebody fills in. A form that another version accepted and this one refuses is skipped: its
    /// drafts can't be used until the app sends it again.
    static let appForms = EntryTable(
        Table(
            "app_form", step: 11,
            // The name, followed by the user: weekly-plan@1000.
            Column("name", .name, "PRIMARY KEY"), Column("questionnaire", .json)),
        of: \.appForms, atMost: 10_000, mayRepeat: true, foundBy: .columns { [$0] },
        row: { name, form in
            guard appForm(form.json, named: name) == form else {
                throw StoreError.failed("the form of an app can't be stored")
            }
            return (name, form.json)
        },
        entry: { name, json in
            guard AppsOwnName(name) != nil else { throw StoreError.damaged("a form of an app without a user") }
            return appForm(json, named: name).map { (name, $0) }
        })

    private static func appForm(_ json: [UInt8], named name: String) -> FormDescription? {
        guard let node = try? FHIRNode(json: json, maximumBytes: FormsLimits.resourceBytes) else { return nil }
        var form = QuestionnaireReader(fallbackName: name).form(node).form
        form?.questionnaire.name = name
        return form
    }

    /// The versions whose news each person has seen.
    static let whatsNewSeen = EntryTable(
        table: Table(
            "whats_new",
            // Made of holder, app and version.
            Column("key", .text, "PRIMARY KEY"), Column("holder", .holder), Column("app", .name),
            Column("version", .version)),
        maximumCount: 1_000_000, finding: .columns { try StoredKey($0.0, $0.1.description).columns },
        entries: { $0.whatsNewSeen.flatMap { key, versions in versions.map { ((key, $0), ()) } } },
        add: { records, key, _ in records.whatsNewSeen[key.0, default: []].insert(key.1).inserted },
        row: { key, _ in (try StoredKey(key.0, key.1.description).text, key.0.holder, key.0.app, key.1) },
        entry: { storedKey, holder, app, version in
            let key = WhatsNewKey(holder: holder, app: app)
            try StoredKey(key, version.description).check(storedKey)
            return ((key, version), ())
        })
}

struct DraftRowKey: Hashable {
    let draft: FormDraftKey
    let path: FormPath

    init(_ draft: FormDraftKey, _ path: FormPath) { (self.draft, self.path) = (draft, path) }

    var stored: StoredKey { get throws { try StoredKey(draft, path: path.description) } }
}

extension Format<UInt64> {
    fileprivate static let draftID = number(0...(RecordTables.maximumNumber - 1))
}

extension Format<Int> {
    /// At most as many as a group may repeat.
    fileprivate static let instances = Format("INTEGER NOT NULL", "a number of times") {
        (0...FormPath.maximumInstanceCount).contains($0)
    }
}

extension Format<FormPath> {
    /// A path has only one spelling.
    fileprivate static let path = Format(
        .line(1...FormPath.maximumByteCount), "a path in a form",
        value: { text in FormPath(text: text).flatMap { $0.description == text ? $0 : nil } },
        base: { path in FormPath(text: path.description) == path ? path.description : nil })
}

extension Format<AppVersion> {
    /// A version has only one spelling.
    fileprivate static let version = Format(
        .text, "a version", value: { text in AppVersion(text).flatMap { $0.description == text ? $0 : nil } },
        base: \.description)
}
