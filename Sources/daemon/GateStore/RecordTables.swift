import GateCore
import GateModel
import SQLite

/// The tables of the durable records, and what each change does to them.
enum RecordTables {
    /// A table in this list is part of the schema, of loading at a start, and of restoring a backup.
    static let all: [any RecordTable] = [
        meta, lockouts, keptGrants, secret, people, claims, customers, notifications, receipts, drafts, draftRows,
        responses, parts, appForms, attachments, whatsNewSeen, household, gateChoices, answers,
        asks, usage,
        householdAnswers, usageElsewhere, ageChoices,
    ]

    static let attachments = AttachmentTable()

    /// As many as a million changes a second for a year. With larger numbers, the arithmetic of ids could overflow.
    static let maximumNumber: UInt64 = 1 << 45

    static func load(from database: Database) throws -> (records: DurableRecords, bootID: String) {
        var records = DurableRecords.empty
        for table in all { try table.load(into: &records, from: database) }
        return (records, try meta.table.row(in: database).bootID)
    }

    /// Makes a change. Returns whether what it replaced may have been a secret.
    @discardableResult
    static func apply(
        _ change: RecordChange, documentsFrom backup: DatabaseQueue? = nil, in database: Database
    ) throws -> Bool {
        switch change {
        case .restored(let records):
            // The journal, the revision and the boot id stay those of this store.
            for table in all { try table.replaceAll(with: records, in: database) }
            try attachments.copy(records.attachments.keys, from: backup, in: database)
            return true
        case .passcodeSet, .totpSet:
            try secret.apply(change, in: database)
            return true
        case .personSet, .personRemoved:
            try people.apply(change, in: database)
            return true
        case .householdListSet, .householdPolicySet, .deviceKeySet, .householdSeen:
            try household.apply(change, in: database)
            return true
        case .answerToAskSet(let name, let answer): try householdAnswers.set(answer, for: name, in: database)
        case .answerToAskRemoved(let name): try householdAnswers.remove(name, in: database)
        case .lockoutSet(let key, let lockout): try lockouts.set(lockout, for: key, in: database)
        case .lockoutRemoved(let key): try lockouts.remove(key, in: database)
        case .damageSet, .nextPresentationSet, .nextManualClaimSet, .ageSettingsSet:
            try meta.apply(change, in: database)
        case .keptGrantSet(let key, let grant) where key.ask != nil: try answers.set(grant, for: key, in: database)
        case .keptGrantSet(let key, let grant): try keptGrants.set(grant, for: key, in: database)
        case .keptGrantRemoved(let key) where key.ask != nil: try answers.remove(key, in: database)
        case .keptGrantRemoved(let key): try keptGrants.remove(key, in: database)
        case .askSet(let number, let ask): try asks.set(ask, for: number, in: database)
        case .askRemoved(let number): try asks.remove(number, in: database)
        case .claimSet(let claim): try claims.set(claim, in: database)
        case .claimRemoved(let id): try claims.remove(id, in: database)
        case .customerHeard(let user, let time): try customers.set(time, for: user, in: database)
        case .customerForgotten(let user): try customers.remove(user, in: database)
        case .notificationTaken(let id, let order): try notifications.set(order, for: id, in: database)
        case .notificationForgotten(let id): try notifications.remove(id, in: database)
        case .receiptSet(let receipt): try receipts.set(receipt, in: database)
        case .receiptRemoved(let number): try receipts.remove(number, in: database)
        case .forms(let formChange): try apply(formChange, in: database)
        case .whatsNewSeen(let key, let version): try whatsNewSeen.set((), for: (key, version), in: database)
        case .whatsNewForgotten(let key): try StoredKey(key).deleteAll(from: whatsNewSeen.schema.name, in: database)
        case .gateChoiceSet(let name, let notation): try gateChoices.set(notation, for: name, in: database)
        case .gateChoiceRemoved(let name): try gateChoices.remove(name, in: database)
        case .usageSet(let meter, let day, let milliseconds):
            try usage.set(milliseconds, for: (meter, day), in: database)
        case .usageRemoved(let meter, let day): try usage.remove((meter, day), in: database)
        case .usageElsewhereSet(let key, let milliseconds):
            try usageElsewhere.set(milliseconds, for: key, in: database)
        case .usageElsewhereRemoved(let key): try usageElsewhere.remove(key, in: database)
        case .ageChoiceSet(let key, let choice): try ageChoices.set(choice, for: key, in: database)
        case .ageChoiceRemoved(let key): try ageChoices.remove(key, in: database)
        }
        return false
    }

    private static func apply(_ change: FormRecordChange, in database: Database) throws {
        switch change {
        case .draftSet(let key, let draft):
            try drafts.set(draft, for: key, in: database)
            // A later draft has a higher revision and id, also after this one is removed.
            try meta.apply(.forms(change), in: database)
        case .draftRemoved(let key):
            try drafts.remove(key, in: database)
            try StoredKey(key).deleteAll(from: draftRows.schema.name, in: database)
        case .draftRowSet(let key, let path, let row):
            try draftRows.set(row, for: DraftRowKey(key, path), in: database)
        case .draftRowRemoved(let key, let path): try draftRows.remove(DraftRowKey(key, path), in: database)
        case .responseSet(let record): try responses.set(record, in: database)
        case .responseRemoved(let id): try responses.remove(id, in: database)
        case .nextResponseSet: try meta.apply(.forms(change), in: database)
        case .partSet(let part):
            try parts.set(part, in: database)
            try meta.apply(.forms(change), in: database)
        case .partRemoved(let id): try parts.remove(id, in: database)
        case .appFormSet(let form): try appForms.set(form.json, for: form.questionnaire.name, in: database)
        case .appFormRemoved(let name): try appForms.remove(name, in: database)
        case .attachmentStored(let digest, let bytes): try attachments.insert(bytes, as: digest, in: database)
        case .attachmentRemoved(let digest): try attachments.remove(digest, in: database)
        }
    }
}

/// The row of `meta`: the revision and the counters, the boot, and the counts of the journal.
typealias MetaRow = (records: DurableRecords, bootID: String, tally: JournalTally)

extension RecordTables {
    /// A number that only grows.
    private static func counter(
        _ name: String, from start: UInt64, _ path: any WritableKeyPath<MetaRow, UInt64> & Sendable,
        hasDefault: Bool = true, step: Int = 0
    ) -> Column<MetaRow> {
        let constraint = (hasDefault ? "DEFAULT \(start) " : "") + "CHECK (\(name) >= \(start))"
        return Column(name, .number(start...maximumNumber), path, constraint, step: step)
    }

    static let meta = RowTable(
        table: Table(
            "meta", isOneRow: true, blank: (.empty, "", JournalTally(count: 0, prunedThrough: 0)),
            // 64 random bits.
            Column("epoch", .bits, \.records.revision.epoch),
            // The number of the last committed revision.
            Column("number", .number, \.records.revision.number, "CHECK (number >= 0)"),
            Column("boot_id", .text, \.bootID),
            // The file that a damaged store was set aside to, while Gate is closed for that; NULL: not closed.
            Column("set_aside", .optional(.text), \.records.quarantinedFile),
            counter("next_presentation", from: 1, \.records.nextPresentation, hasDefault: false),
            // The last revision of which journal entries were pruned; 0: none.
            Column("pruned_through", .number, \.tally.prunedThrough, "CHECK (pruned_through >= 0)"),
            // How many rows the journal has, so that they need not be counted.
            Column("audit_count", .entryCount, \.tally.count, "CHECK (audit_count >= 0)"),
            counter("next_manual_claim", from: 1, \.records.nextManualClaim),
            counter("next_response", from: 1, \.records.nextResponse),
            counter("last_draft_revision", from: 0, \.records.lastDraftRevision),
            counter("next_draft", from: 1, \.records.nextDraft, step: 9),
            counter("next_part", from: 1, \.records.nextPart, step: 10),
            Column(
                "age_settings", .ageSettings, \.records.ages.settings, "DEFAULT 'off 13 16 18'", step: 24)),
        records: \MetaRow.records)

    /// The largest number in the row, except the epoch: the revision's, a counter, or a count of the journal.
    static func largestNumber(in database: Database) throws -> UInt64? {
        let columns = "SELECT name FROM pragma_table_info('meta') WHERE type = 'INTEGER' AND name <> 'epoch'"
        let names = try String.fetchAll(database, sql: columns).joined(separator: ", ")
        return try UInt64.fetchOne(database, sql: "SELECT max(\(names)) FROM meta")
    }
}

extension RowTable where Row == MetaRow {
    /// Fills the row of a new store.
    func create(_ records: DurableRecords, bootID: String, in database: Database) throws {
        try table.write((records, bootID, table.blank.tally), in: database)
    }

    /// The tally of the journal without the shares, which are needed only when the journal is full.
    func tally(in database: Database) throws -> JournalTally { try table.row(in: database).tally }

    /// Records the last revision of a batch, and the tally of the journal after it.
    func set(_ revision: Revision, _ tally: JournalTally, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                UPDATE meta SET number = ?1, audit_count = ?2, pruned_through = ?3
                WHERE id = 1 AND epoch = ?4 AND number < ?1
                """
        ).execute(arguments: [
            Int64(clamping: revision.number), tally.count, Int64(clamping: tally.prunedThrough),
            Int64(bitPattern: revision.epoch),
        ])
        guard database.changesCount == 1 else {
            throw StoreError.damaged("revision \(revision) does not follow the last one in meta")
        }
    }
}

extension DurableRecords {
    /// Records without any entry, to which tables add what they read.
    static let empty = DurableRecords(revision: Revision(epoch: 0, number: 0))
}

extension WallTime { static let zero = WallTime(unixMilliseconds: 0) }

extension Format<Int> {
    /// More entries than a journal ever has would be damage.
    fileprivate static let entryCount = Format("INTEGER NOT NULL", "a count of entries") {
        (0...Int(Int32.max)).contains($0)
    }
}
