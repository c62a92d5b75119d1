import GateCore
import GateForms
import GateModel

extension RecordTables {
    /// Forms that are being filled in, without their answers.
    static let drafts = EntryTable(
        Table(
            "draft",
            blank: (FormDraftKey(holder: .user(0), name: ""), FormDraftRecord(revision: 1, openedAt: .zero)),
            // Made of id, holder and form.
            key: { try StoredKey($0.key) }, where: { $0.value.enteredRevision <= $0.value.revision },
            Column("holder", .holder, \.key.holder), Column("form", .name, \.key.name),
            Column("revision", .number(1...maximumNumber), \.value.revision, "CHECK (revision >= 1)"),
            Column("opened_at", .time, \.value.openedAt),
            // The revision since which only suggestions, or other words around the same answers, have come.
            Column("entered_revision", .number, \.value.enteredRevision, "DEFAULT 0 CHECK (entered_revision >= 0)"),
            // 0: the draft that is opened when no other is named.
            Column("id", .draftID, \.key.id, "DEFAULT 0 CHECK (id >= 0)", step: 9),
            // The label that a person gave it; empty: its answers make one.
            Column("label", .words, \.value.label, "DEFAULT ''", step: 9)),
        of: \.drafts, atMost: 100_000)

    /// The answers in drafts, one row for each path, so that changing an answer writes one row. Their number is not
    /// limited here: the core limits a draft's bytes.
    static let draftRows = EntryTable<DraftRowKey, (key: DraftRowKey, value: FormRow)>(
        table: Table(
            "draft_row", hasRowID: true,
            blank: (DraftRowKey(FormDraftKey(holder: .user(0), name: ""), FormPath("")), .instances(0)),
            constraints: ["CHECK ((answers IS NULL) <> (instances IS NULL))"],
            // Made of id, holder, form and path.
            key: { try StoredKey($0.key.draft, path: $0.key.path.description) },
            Column("holder", .holder, \.key.draft.holder), Column("form", .name, \.key.draft.name),
            Column("path", .path, \.key.path),
            Column(
                \.value, blank: (answers: [FormValue]?.none, instances: Int?.none, isEntered: false),
                // The answers to a question.
                Column("answers", .optional(.answers), \.answers),
                // The number of instances of a repeating group.
                Column("instances", .optional(.instances), \.instances, "CHECK (instances >= 0)"),
                // Whether a person entered the answers in place of calculated ones.
                Column(
                    "is_entered", .flag, \.isEntered,
                    "DEFAULT 0 CHECK (is_entered IN (0, 1) AND (is_entered = 0 OR answers IS NOT NULL))", step: 8),
                part: { row in
                    switch row {
                    case .answers(let values): (values, nil, false)
                    case .entered(let values): (values, nil, true)
                    case .instances(let count): (nil, count, false)
                    }
                },
                value: { row in
                    switch (row?.answers, row?.instances, row?.isEntered) {
                    case (let values?, nil, let isEntered): isEntered == true ? .entered(values) : .answers(values)
                    case (nil, let count?, false): .instances(count)
                    case _: throw StoreError.damaged("a row of a form that is neither answers nor a number of times")
                    }
                }),
            Column("draft_id", .draftID, \.key.draft.id, "DEFAULT 0 CHECK (draft_id >= 0)", step: 9)),
        key: \.key,
        entries: { $0.draftRows.flatMap { key, rows in rows.map { (DraftRowKey(key, $0), $1) } } },
        add: { $0.draftRows[$1.key.draft, default: [:]].updateValue($1.value, forKey: $1.key.path) == nil })

    /// The responses, as they were saved or completed.
    static let responses = EntryTable(
        Table(
            "response", hasRowID: true,
            blank: ResponseRecord(
                summary: ResponseSummary(
                    id: 1, name: "", version: nil, holder: .user(0), status: .inProgress, savedAt: .zero),
                response: QuestionnaireResponse(status: .inProgress)),
            Column("id", .rowID(1...maximumNumber), \.summary.id, "PRIMARY KEY CHECK (id >= 1)"),
            Column("holder", .holder, \.summary.holder), Column("form", .name, \.summary.name),
            // The version of the questionnaire when it was answered; NULL: it had none.
            Column("version", .optional(.words), \.summary.version),
            Column("status", .word(QuestionnaireResponse.Status.self, "a status"), \.summary.status),
            Column("saved_at", .time, \.summary.savedAt), Column("response", .response, \.response),
            // The label that its draft had.
            Column("label", .words, \.summary.label, "DEFAULT ''", step: 9)),
        of: \.responses, by: \.summary.id, atMost: 100_000)

    /// Answers that other forms can reuse, by the `definition` of the item.
    static let parts = EntryTable(
        Table(
            "part", step: 10, hasRowID: true,
            blank: PartRecord(
                summary: PartSummary(
                    id: 1, holder: .user(0), definition: "", label: "", isNamed: false, savedAt: .zero),
                content: QuestionnaireResponseItem(linkID: "")),
            where: { $0.content.definition == $0.summary.definition },
            Column("id", .rowID(1...(maximumNumber - 1)), \.summary.id, "PRIMARY KEY CHECK (id >= 1)"),
            Column("holder", .holder, \.summary.holder),
            // The definition of the item that was answered.
            Column("definition", .name, \.summary.definition), Column("label", .words, \.summary.label),
            // Whether a person has saved or named it, so that it is not removed automatically.
            Column("is_named", .flag, \.summary.isNamed, "CHECK (is_named IN (0, 1))"),
            Column("saved_at", .time, \.summary.savedAt), Column("content", .item, \.content)),
        of: \.parts, by: \.summary.id, atMost: 100_000)

    // MARK: - Apps

    /// Forms of apps that somebody fills in. A form that another version accepted and this one refuses is skipped: its
    /// drafts can't be used until the app sends it again.
    static let appForms = EntryTable<String, (key: String, value: [UInt8])>(
        table: Table(
            "app_form", step: 11, blank: ("", []), where: { AppsOwnName($0.key) != nil },
            // The name, followed by the user: weekly-plan@1000.
            Column("name", .name, \.key, "PRIMARY KEY"), Column("questionnaire", .json, \.value)),
        key: \.key, maximumCount: 10_000,
        entries: { $0.appForms.map { ($0, $1.json) } },
        add: { records, row in
            if let node = try? FHIRNode(json: row.value, maximumBytes: FormsLimits.resourceBytes),
                var form = QuestionnaireReader(fallbackName: row.key).form(node).form
            {
                form.questionnaire.name = row.key
                records.appForms[row.key] = form
            }
            return true
        })

    /// The versions whose news each person has seen.
    static let whatsNewSeen = EntryTable<(WhatsNewKey, AppVersion), (key: (WhatsNewKey, AppVersion), value: Void)>(
        table: Table(
            "whats_new", blank: ((WhatsNewKey(holder: .user(0), app: ""), AppVersion(0, 0, 0)), ()),
            // Made of holder, app and version.
            key: { try StoredKey($0.key.0, $0.key.1.description) },
            Column("holder", .holder, \.key.0.holder), Column("app", .name, \.key.0.app),
            Column("version", .version, \.key.1)),
        key: \.key, maximumCount: 1_000_000,
        entries: { $0.whatsNewSeen.flatMap { key, versions in versions.map { ((key, $0), ()) } } },
        add: { $0.whatsNewSeen[$1.key.0, default: []].insert($1.key.1).inserted })
}

struct DraftRowKey: Hashable {
    var draft: FormDraftKey
    var path: FormPath

    init(_ draft: FormDraftKey, _ path: FormPath) { (self.draft, self.path) = (draft, path) }
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

extension Format<QuestionnaireResponseItem> {
    /// A response with this one item.
    fileprivate static let item = Format(
        .response, "a response of one item", value: { $0.items.count == 1 ? $0.items[0] : nil },
        base: { QuestionnaireResponse(status: .inProgress, items: [$0]) })
}
