import GateCore
import GateModel
import SQLite

/// The tables of the durable records, and what each change does to them.
enum RecordTables {
    /// A table in this list is part of the schema, of loading at a start, and of restoring a backup.
    static let all: [any RecordTable] = [
        meta, lockouts, keptGrants, secret, people, claims, customers, notifications, receipts, drafts, draftRows,
        responses, parts, appForms, attachments, whatsNewSeen, household, gateChoices,
    ]

    static let meta = MetaTable()
    static let attachments = AttachmentTable()

    /// As many as a million changes a second for a year. With larger numbers, the arithmetic of ids could overflow.
    static let maximumNumber: UInt64 = 1 << 45

    static func load(from database: Database) throws -> (records: DurableRecords, bootID: String) {
        var records = DurableRecords(revision: Revision(epoch: 0, number: 0))
        for table in all { try table.load(into: &records, from: database) }
        return (records, try meta.bootID(in: database))
    }

    static func apply(
        _ change: RecordChange, documentsFrom staged: StagedRestore? = nil, in database: Database
    ) throws {
        switch change {
        case .restored(let records):
            // The journal, the revision and the boot id stay those of this store.
            for table in all { try table.replaceAll(with: records, documentsFrom: staged, in: database) }
        case .lockoutSet(let key, let lockout): try lockouts.set(lockout, for: key, in: database)
        case .lockoutRemoved(let key): try lockouts.remove(key, in: database)
        case .damageSet, .nextPresentationSet, .nextManualClaimSet: try meta.apply(change, in: database)
        case .keptGrantSet(let key, let grant): try keptGrants.set(grant, for: key, in: database)
        case .keptGrantRemoved(let key): try keptGrants.remove(key, in: database)
        case .passcodeSet, .totpSet: try secret.apply(change, in: database)
        case .personSet(let person, let hash):
            try people.set(PersonRecord(person, passwordHash: hash), for: person.name, in: database)
        case .personRemoved(let name): try people.remove(name, in: database)
        case .claimSet(let claim): try claims.set(claim, for: claim.id, in: database)
        case .claimRemoved(let id): try claims.remove(id, in: database)
        case .customerHeard(let user, let time): try customers.set(time, for: user, in: database)
        case .customerForgotten(let user): try customers.remove(user, in: database)
        case .notificationTaken(let id, let order): try notifications.set(order, for: id, in: database)
        case .notificationForgotten(let id): try notifications.remove(id, in: database)
        case .receiptSet(let receipt): try receipts.set(receipt, for: receipt.number, in: database)
        case .receiptRemoved(let number): try receipts.remove(number, in: database)
        case .forms(let formChange): try apply(formChange, in: database)
        case .whatsNewSeen(let key, let version): try whatsNewSeen.set((), for: (key, version), in: database)
        case .whatsNewForgotten(let key): try StoredKey(key).deleteAll(from: whatsNewSeen.schema.name, in: database)
        case .householdListSet, .householdPolicySet, .deviceKeySet, .householdSeen:
            try household.apply(change, in: database)
        case .gateChoiceSet(let name, let notation): try gateChoices.set(notation, for: name, in: database)
        case .gateChoiceRemoved(let name): try gateChoices.remove(name, in: database)
        }
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
        case .responseSet(let record): try responses.set(record, for: record.summary.id, in: database)
        case .responseRemoved(let id): try responses.remove(id, in: database)
        case .nextResponseSet: try meta.apply(.forms(change), in: database)
        case .partSet(let part):
            try parts.set(part, for: part.summary.id, in: database)
            try meta.apply(.forms(change), in: database)
        case .partRemoved(let id): try parts.remove(id, in: database)
        case .appFormSet(let form): try appForms.set(form, for: form.questionnaire.name, in: database)
        case .appFormRemoved(let name): try appForms.remove(name, in: database)
        case .attachmentStored(let digest, let bytes): try attachments.insert(bytes, as: digest, in: database)
        case .attachmentRemoved(let digest): try attachments.remove(digest, in: database)
        }
    }

    /// Whether the row before this change may hold a secret.
    static func replacesSecret(_ change: RecordChange) -> Bool {
        switch change {
        case .passcodeSet, .totpSet, .personSet, .personRemoved, .deviceKeySet, .restored: true
        case .lockoutSet, .lockoutRemoved, .damageSet, .nextPresentationSet, .keptGrantSet, .keptGrantRemoved,
            .claimSet, .claimRemoved, .nextManualClaimSet, .customerHeard, .customerForgotten, .notificationTaken,
            .notificationForgotten, .receiptSet, .receiptRemoved, .forms, .whatsNewSeen, .whatsNewForgotten,
            .householdListSet, .householdPolicySet, .householdSeen, .gateChoiceSet, .gateChoiceRemoved:
            false
        }
    }
}

/// The row of `meta`: the revision, the boot, the counters, and the counts of the journal.
struct MetaTable: RecordTable {
    /// A number that only grows: its column, and its property in the records.
    struct Counter: Sendable {
        let path: any WritableKeyPath<DurableRecords, UInt64> & Sendable
        fileprivate let column: Column<UInt64>

        fileprivate init(
            _ name: String, from start: UInt64, _ path: any WritableKeyPath<DurableRecords, UInt64> & Sendable,
            hasDefault: Bool = true, step: Int = 0
        ) {
            let constraint = (hasDefault ? "DEFAULT \(start) " : "") + "CHECK (\(name) >= \(start))"
            column = Column(name, .number(start...RecordTables.maximumNumber), constraint, step: step)
            self.path = path
        }
    }

    private static let nextPresentation = Counter(
        "next_presentation", from: 1, \.nextPresentation, hasDefault: false)
    private static let nextManualClaim = Counter("next_manual_claim", from: 1, \.nextManualClaim)
    private static let nextResponse = Counter("next_response", from: 1, \.nextResponse)
    private static let lastDraftRevision = Counter("last_draft_revision", from: 0, \.lastDraftRevision)
    private static let nextDraft = Counter("next_draft", from: 1, \.nextDraft, step: 9)
    private static let nextPart = Counter("next_part", from: 1, \.nextPart, step: 10)
    /// All counters. They are loaded at a start and restored from a backup.
    static let counters = [nextPresentation, nextManualClaim, nextResponse, lastDraftRevision, nextDraft, nextPart]

    private static let names = counters.map(\.column.schema.name)
    private static let selection = "epoch, number, set_aside, \(names.joined(separator: ", "))"
    private static let update = "UPDATE meta SET set_aside = ?, \(names.map { "\($0) = ?" }.joined(separator: ", "))"

    let schema = Table(
        "meta", hasRowID: true, Column("id", .rowID(1...1), "PRIMARY KEY CHECK (id = 1)"),
        // 64 random bits, stored as a signed number.
        Column("epoch", .int64),
        // The number of the last committed revision.
        Column("number", .number, "CHECK (number >= 0)"), Column("boot_id", .text),
        // The file that a damaged store was set aside to, while Gate is closed for that; NULL: not closed.
        Column("set_aside", .optional(.text)), nextPresentation.column,
        // The last revision of which journal entries were pruned; 0: none.
        Column("pruned_through", .number, "CHECK (pruned_through >= 0)"),
        // How many rows the journal has, so that they need not be counted.
        Column("audit_count", .count, "CHECK (audit_count >= 0)"), nextManualClaim.column, nextResponse.column,
        lastDraftRevision.column, nextDraft.column, nextPart.column
    ).schema

    func create(_ records: DurableRecords, bootID: String, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO meta (id, epoch, number, boot_id, next_presentation, pruned_through, audit_count)
                VALUES (1, ?, ?, ?, 1, 0, 0)
                """,
            arguments: [
                Int64(bitPattern: records.revision.epoch), Int64(clamping: records.revision.number), bootID,
            ])
        try replaceAll(with: records, documentsFrom: nil, in: database)
    }

    func load(into records: inout DurableRecords, from database: Database) throws {
        let row = try row(Self.selection, of: database)
        records.revision = Revision(
            epoch: UInt64(bitPattern: try Format.int64.read(row[0])), number: try Format.number.read(row[1]))
        records.quarantinedFile = try Format.optional(.text).read(row[2])
        for (index, counter) in Self.counters.enumerated() {
            records[keyPath: counter.path] = try counter.column.format.read(row[3 + index])
        }
    }

    func replaceAll(with records: DurableRecords, documentsFrom _: StagedRestore?, in database: Database) throws {
        let numbers = try Self.counters.map { try $0.column.format.stored(records[keyPath: $0.path]) }
        try database.cachedStatement(sql: Self.update).execute(arguments: [records.quarantinedFile] + numbers)
    }

    func bootID(in database: Database) throws -> String { try Format.text.read(row("boot_id", of: database)[0]) }

    /// Reads the tally of the journal without the shares, which are needed only when the journal is full.
    func tally(in database: Database) throws -> JournalTally {
        let row = try row("audit_count, pruned_through", of: database)
        let count = try Format.count.read(row[0])
        guard (0...Int(Int32.max)).contains(count) else { throw StoreError.damaged("a count that no journal reaches") }
        return JournalTally(count: count, prunedThrough: try Format.number.read(row[1]))
    }

    private func row(_ columns: String, of database: Database) throws -> Row {
        guard let row = try Row.fetchOne(database.cachedStatement(sql: "SELECT \(columns) FROM meta")) else {
            throw StoreError.damaged("no row in meta")
        }
        return row
    }

    func set(bootID: String, in database: Database) throws {
        try database.execute(sql: "UPDATE meta SET boot_id = ?", arguments: [bootID])
    }

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
