import GateCore
import GateModel
import SQLite

/// Puts a backup's rows into the place of all rows, within the transaction of the transition that says so. The journal, the
/// revision and the boot stay those of this store.
enum RestoredRecords {
    private static let replacedTables = [
        "account", "app_form", "claim", "customer", "draft", "draft_row", "kept_grant", "lockout", "notification",
        "part", "receipt", "response", "whats_new",
    ]

    /// - Parameter documentsFrom: where the bytes are that this store does not have.
    /// - Throws: `StoreError.failed` where a document is nowhere.
    static func replaceAll(
        with records: DurableRecords, documentsFrom staged: StagedRestore?, in database: Database
    ) throws {
        for table in replacedTables { try database.execute(sql: "DELETE FROM \(table)") }
        try replaceDocuments(with: records, documentsFrom: staged, in: database)
        try database.execute(
            sql: """
                UPDATE meta SET set_aside = ?, next_presentation = ?, next_manual_claim = ?, next_response = ?,
                    last_draft_revision = ?, next_draft = ?, next_part = ?
                """,
            arguments: [
                records.quarantinedFile, Int64(clamping: records.nextPresentation),
                Int64(clamping: records.nextManualClaim),
                Int64(clamping: records.nextResponse), Int64(clamping: records.lastDraftRevision),
                Int64(clamping: records.nextDraft), Int64(clamping: records.nextPart),
            ])
        try SecretTable.set(passcodeHash: records.passcodeHash, in: database)
        try SecretTable.set(records.totp, in: database)
        try HouseholdTable.set(records.household, in: database)
        for (key, lockout) in records.lockouts { try RecordTables.set(lockout, for: key, in: database) }
        for (key, grant) in records.keptGrants { try KeptGrantTable.set(grant, for: key, in: database) }
        for record in records.accounts.values {
            try AccountTable.set(record.account, passwordHash: record.passwordHash, in: database)
        }
        for claim in records.claims.values { try ClaimTable.set(claim, in: database) }
        for (appUser, time) in records.customers { try CustomerTable.set(time, for: appUser, in: database) }
        for (id, order) in records.notifications { try NotificationTable.set(order: order, of: id, in: database) }
        for receipt in records.receipts.values { try ReceiptTable.set(receipt, in: database) }
        for (key, draft) in records.drafts { try DraftTable.set(draft, for: key, in: database) }
        for (key, rows) in records.draftRows {
            for (path, row) in rows { try DraftRowTable.set(row, at: path, of: key, in: database) }
        }
        for response in records.responses.values { try ResponseTable.set(response, in: database) }
        for form in records.appForms.values { try AppFormTable.set(form, in: database) }
        for part in records.parts.values { try PartTable.set(part, in: database) }
        for (key, versions) in records.whatsNewSeen {
            for version in versions { try WhatsNewTable.insert(version, for: key, in: database) }
        }
    }

    private static func replaceDocuments(
        with records: DurableRecords, documentsFrom staged: StagedRestore?, in database: Database
    ) throws {
        let here = try AttachmentTable.load(from: database)
        for digest in here.keys where records.attachments[digest] == nil {
            try AttachmentTable.remove(digest, in: database)
        }
        for digest in records.attachments.keys where here[digest] == nil {
            guard let bytes = try staged?.document(digest) else {
                throw StoreError.failed("a document of the backup is not there")
            }
            try AttachmentTable.insert(bytes, as: digest, in: database)
        }
    }
}
