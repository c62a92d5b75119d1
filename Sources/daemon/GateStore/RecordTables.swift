import GateCore
import GateModel
import SQLite

protocol RecordTable: Sendable {
    var schema: TableSchema { get }

    /// - Throws: `StoreError.damaged` for a value that Gate never writes.
    func load(into records: inout DurableRecords, from database: Database) throws

    /// Replaces all rows with those of these records, which come from a backup.
    ///
    /// - Parameter documentsFrom: the backup. Its documents are not in the records.
    func replaceAll(with records: DurableRecords, documentsFrom: StagedRestore?, in database: Database) throws
}

/// The tables of the durable records, and what each change does to them.
enum RecordTables {
    /// A table in this list is part of the schema, of loading at a start, and of restoring a backup.
    static let all: [any RecordTable] = [
        meta, lockouts, keptGrants, secret, people, claims, customers, notifications, receipts, drafts, draftRows,
        responses, parts, appForms, attachments, whatsNewSeen, household, gateChoices,
    ]

    static let meta = MetaTable()
    static let secret = SecretTable()
    static let attachments = AttachmentTable()
    static let household = HouseholdTable()

    /// As many as a million changes a second for a year. With larger numbers, the arithmetic of ids could overflow.
    static let maximumNumber: UInt64 = 1 << 45

    /// - Throws: `StoreError.damaged` for a value that Gate never writes.
    static func load(from database: Database) throws -> (records: DurableRecords, bootID: String) {
        var records = DurableRecords(revision: Revision(epoch: 0, number: 0))
        for table in all { try table.load(into: &records, from: database) }
        return (records, try meta.bootID(in: database))
    }

    /// - Parameter documentsFrom: the backup that is being restored, if any. Its documents are not in the change.
    static func apply(
        _ change: RecordChange, documentsFrom staged: StagedRestore? = nil, in database: Database
    ) throws {
        switch change {
        case .restored(let records):
            // The journal, the revision and the boot id stay those of this store.
            for table in all { try table.replaceAll(with: records, documentsFrom: staged, in: database) }
        case .lockoutSet(let key, let lockout): try lockouts.set(lockout, for: key, in: database)
        case .lockoutRemoved(let key): try lockouts.remove(key, in: database)
        case .damageSet(let file): try meta.set(quarantinedFile: file, in: database)
        case .nextPresentationSet(let id): try MetaTable.nextPresentation.set(id, in: database)
        case .keptGrantSet(let key, let grant): try keptGrants.set(grant, for: key, in: database)
        case .keptGrantRemoved(let key): try keptGrants.remove(key, in: database)
        case .passcodeSet(let hash): try secret.set(passcodeHash: hash, in: database)
        case .totpSet(let enrolment): try secret.set(enrolment, in: database)
        case .personSet(let person, let hash):
            try people.set(PersonRecord(person, passwordHash: hash), for: person.name, in: database)
        case .personRemoved(let name): try people.remove(name, in: database)
        case .claimSet(let claim): try claims.set(claim, for: claim.id, in: database)
        case .claimRemoved(let id): try claims.remove(id, in: database)
        case .nextManualClaimSet(let number): try MetaTable.nextManualClaim.set(number, in: database)
        case .customerHeard(let user, let time): try customers.set(time, for: user, in: database)
        case .customerForgotten(let user): try customers.remove(user, in: database)
        case .notificationTaken(let id, let order): try notifications.set(order, for: id, in: database)
        case .notificationForgotten(let id): try notifications.remove(id, in: database)
        case .receiptSet(let receipt): try receipts.set(receipt, for: receipt.number, in: database)
        case .receiptRemoved(let number): try receipts.remove(number, in: database)
        case .forms(let change): try apply(change, in: database)
        case .whatsNewSeen(let key, let version): try whatsNewSeen.set((), for: (key, version), in: database)
        case .whatsNewForgotten(let key): try StoredKey(key).deleteAll(from: whatsNewSeen.schema.name, in: database)
        case .householdListSet(let list): try household.set(list, in: database)
        case .householdPolicySet(let policy): try household.set(policy, in: database)
        case .deviceKeySet(let key): try household.set(key, in: database)
        case .householdSeen(let time): try household.set(seenAt: time, in: database)
        case .gateChoiceSet(let name, let notation): try gateChoices.set(notation, for: name, in: database)
        case .gateChoiceRemoved(let name): try gateChoices.remove(name, in: database)
        }
    }

    private static func apply(_ change: FormRecordChange, in database: Database) throws {
        switch change {
        case .draftSet(let key, let draft):
            try drafts.set(draft, for: key, in: database)
            // As in `DurableRecords`: a later draft has a higher revision and id, also after this one is removed.
            try MetaTable.lastDraftRevision.raise(to: draft.revision, in: database)
            if key.id > 0 { try MetaTable.nextDraft.raise(to: key.id + 1, in: database) }
        case .draftRemoved(let key):
            try drafts.remove(key, in: database)
            try StoredKey(key).deleteAll(from: draftRows.schema.name, in: database)
        case .draftRowSet(let key, let path, let row):
            try draftRows.set(row, for: DraftRowKey(key, path), in: database)
        case .draftRowRemoved(let key, let path): try draftRows.remove(DraftRowKey(key, path), in: database)
        case .responseSet(let record): try responses.set(record, for: record.summary.id, in: database)
        case .responseRemoved(let id): try responses.remove(id, in: database)
        case .nextResponseSet(let id): try MetaTable.nextResponse.set(id, in: database)
        case .partSet(let part):
            try parts.set(part, for: part.summary.id, in: database)
            try MetaTable.nextPart.raise(to: part.summary.id + 1, in: database)
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
