import GateCore
import GateModel
import SQLite

extension RecordTables {
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
        entry: { id, holder, form, version, status, savedAt, response, label in
            let summary = ResponseSummary(
                id: id, name: form, version: version, holder: holder, status: status, savedAt: savedAt, label: label)
            return (id, ResponseRecord(summary: summary, response: response))
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
            return (
                id, summary.holder, summary.definition, summary.label, summary.isNamed, summary.savedAt,
                QuestionnaireResponse(status: .inProgress, items: [part.content])
            )
        },
        entry: { id, holder, definition, label, isNamed, savedAt, response in
            guard let content = response.items.first, response.items.count == 1, content.definition == definition else {
                throw StoreError.damaged("a part of a form that is not of one item")
            }
            let summary = PartSummary(
                id: id, holder: holder, definition: definition, label: label, isNamed: isNamed, savedAt: savedAt)
            return (id, PartRecord(summary: summary, content: content))
        })
}
