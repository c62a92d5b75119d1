import GateCore
import GateModel
import SQLite

/// The rows of durable state: `meta` and `lockout`; each of the other tables has a file of its own.
enum RecordTables {
    /// A million changes a second for a year. Past it the arithmetic of ids would come to its end.
    static let maximumNumber: UInt64 = 1 << 45

    /// The first row of a new store.
    static func create(_ records: DurableRecords, bootID: String, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO meta
                    (id, epoch, number, boot_id, set_aside, next_presentation, next_manual_claim, next_response,
                    last_draft_revision, next_draft, next_part, pruned_through, audit_count)
                VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)
                """,
            arguments: [
                Int64(bitPattern: records.revision.epoch), Int64(clamping: records.revision.number), bootID,
                records.quarantinedFile, Int64(clamping: records.nextPresentation),
                Int64(clamping: records.nextManualClaim), Int64(clamping: records.nextResponse),
                Int64(clamping: records.lastDraftRevision), Int64(clamping: records.nextDraft),
                Int64(clamping: records.nextPart),
            ])
    }

    /// - Throws: `StoreError.damaged` where a value is one that we never write.
    static func load(from database: Database) throws -> (records: DurableRecords, bootID: String) {
        guard
            let meta = try Row.fetchOne(
                database,
                sql: """
                    SELECT epoch, number, boot_id, set_aside, next_presentation, next_manual_claim, next_response,
                        last_draft_revision, next_draft, next_part
                    FROM meta
                    """)
        else { throw StoreError.damaged("no row in meta") }
        let number = try value(1, of: meta, as: UInt64.self)
        let nextPresentation = try value(4, of: meta, as: UInt64.self)
        let nextManualClaim = try value(5, of: meta, as: UInt64.self)
        let nextResponse = try value(6, of: meta, as: UInt64.self)
        let lastDraftRevision = try value(7, of: meta, as: UInt64.self)
        let nextDraft = try value(8, of: meta, as: UInt64.self)
        let nextPart = try value(9, of: meta, as: UInt64.self)
        guard
            max(number, nextPresentation, nextManualClaim, nextResponse, lastDraftRevision, nextDraft, nextPart)
                <= maximumNumber,
            min(nextManualClaim, nextResponse, nextDraft, nextPart) > 0
        else {
            throw StoreError.damaged("a number in meta that no device has")
        }
        let (passcodeHash, totp) = try SecretTable.load(from: database)
        let records = DurableRecords(
            revision: Revision(epoch: UInt64(bitPattern: try value(0, of: meta, as: Int64.self)), number: number),
            lockouts: try loadLockouts(from: database),
            quarantinedFile: try optionalValue(3, of: meta, as: String.self), nextPresentation: nextPresentation,
            keptGrants: try KeptGrantTable.load(from: database), passcodeHash: passcodeHash, totp: totp,
            accounts: try AccountTable.load(from: database), claims: try ClaimTable.load(from: database),
            nextManualClaim: nextManualClaim, customers: try CustomerTable.load(from: database),
            notifications: try NotificationTable.load(from: database),
            receipts: try ReceiptTable.load(from: database), drafts: try DraftTable.load(from: database),
            lastDraftRevision: lastDraftRevision, nextDraft: nextDraft,
            draftRows: try DraftRowTable.load(from: database),
            responses: try ResponseTable.load(from: database),
            nextResponse: nextResponse, parts: try PartTable.load(from: database), nextPart: nextPart,
            appForms: try AppFormTable.load(from: database),
            attachments: try AttachmentTable.load(from: database),
            whatsNewSeen: try WhatsNewTable.load(from: database),
            household: try HouseholdTable.load(from: database))
        return (records, try value(2, of: meta, as: String.self))
    }

    private static func loadLockouts(from database: Database) throws -> [Lockout.Key: Lockout] {
        var lockouts: [Lockout.Key: Lockout] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT uid, gate, wrong_answers, unanswered, locked_until, lock_duration FROM lockout")
        while let row = try rows.next() {
            let key = Lockout.Key(
                owner: Owner(stored: try value(0, of: row, as: UInt32.self)),
                gate: try value(1, of: row, as: String.self))
            lockouts[key] = Lockout(
                wrongAnswers: try value(2, of: row, as: Int.self),
                unanswered: try value(3, of: row, as: Int.self),
                lockedUntil: try optionalValue(4, of: row, as: Int64.self).map(BootTime.init(nanoseconds:)),
                lockDuration: .nanoseconds(try value(5, of: row, as: Int64.self)))
        }
        return lockouts
    }

    /// - Parameter documentsFrom: the backup that is being restored, if one is: its documents are in no record.
    static func apply(
        _ change: RecordChange, documentsFrom staged: StagedRestore? = nil, in database: Database
    ) throws {
        switch change {
        case .restored(let records):
            try RestoredRecords.replaceAll(with: records, documentsFrom: staged, in: database)
        case .lockoutSet(let key, let lockout):
            try set(lockout, for: key, in: database)
        case .lockoutRemoved(let key):
            try database.cachedStatement(sql: "DELETE FROM lockout WHERE uid = ? AND gate = ?")
                .execute(arguments: [Int64(key.owner.number), key.gate])
        case .damageSet(let quarantinedFile):
            try database.cachedStatement(sql: "UPDATE meta SET set_aside = ?").execute(arguments: [quarantinedFile])
        case .nextPresentationSet(let id):
            try database.cachedStatement(sql: "UPDATE meta SET next_presentation = ?")
                .execute(arguments: [Int64(clamping: id)])
        case .keptGrantSet(let key, let grant):
            try KeptGrantTable.set(grant, for: key, in: database)
        case .keptGrantRemoved(let key):
            try KeptGrantTable.remove(key, in: database)
        case .passcodeSet(let hash):
            try SecretTable.set(passcodeHash: hash, in: database)
        case .totpSet(let enrolment):
            try SecretTable.set(enrolment, in: database)
        case .accountSet(let account, let passwordHash):
            try AccountTable.set(account, passwordHash: passwordHash, in: database)
        case .accountRemoved(let name):
            try AccountTable.remove(name: name, in: database)
        case .claimSet(let claim):
            try ClaimTable.set(claim, in: database)
        case .claimRemoved(let id):
            try ClaimTable.remove(id, in: database)
        case .nextManualClaimSet(let number):
            try database.cachedStatement(sql: "UPDATE meta SET next_manual_claim = ?")
                .execute(arguments: [Int64(clamping: number)])
        case .customerHeard(let appUser, let time):
            try CustomerTable.set(time, for: appUser, in: database)
        case .customerForgotten(let appUser):
            try CustomerTable.remove(appUser, in: database)
        case .notificationTaken(let id, let order):
            try NotificationTable.set(order: order, of: id, in: database)
        case .notificationForgotten(let id):
            try NotificationTable.remove(id, in: database)
        case .receiptSet(let receipt):
            try ReceiptTable.set(receipt, in: database)
        case .receiptRemoved(let number):
            try ReceiptTable.remove(number, in: database)
        case .draftSet(let key, let draft):
            try DraftTable.set(draft, for: key, in: database)
        case .draftRemoved(let key):
            try DraftTable.remove(key, in: database)
            try DraftRowTable.removeAll(of: key, in: database)
        case .draftRowSet(let key, let path, let row):
            try DraftRowTable.set(row, at: path, of: key, in: database)
        case .draftRowRemoved(let key, let path):
            try DraftRowTable.remove(path, of: key, in: database)
        case .responseSet(let record):
            try ResponseTable.set(record, in: database)
        case .responseRemoved(let id):
            try ResponseTable.remove(id, in: database)
        case .nextResponseSet(let id):
            try database.cachedStatement(sql: "UPDATE meta SET next_response = ?")
                .execute(arguments: [Int64(clamping: id)])
        case .appFormSet(let form):
            try AppFormTable.set(form, in: database)
        case .appFormRemoved(let name):
            try AppFormTable.remove(name, in: database)
        case .partSet(let part):
            try PartTable.set(part, in: database)
        case .partRemoved(let id):
            try PartTable.remove(id, in: database)
        case .attachmentStored(let digest, let bytes):
            try AttachmentTable.insert(bytes, as: digest, in: database)
        case .attachmentRemoved(let digest):
            try AttachmentTable.remove(digest, in: database)
        case .householdListSet(let list):
            try HouseholdTable.set(list, in: database)
        case .householdPolicySet(let policy):
            try HouseholdTable.set(policy, in: database)
        case .deviceKeySet(let key):
            try HouseholdTable.set(key, in: database)
        case .householdSeen(let time):
            try HouseholdTable.set(seenAt: time, in: database)
        case .whatsNewSeen(let key, let version):
            try WhatsNewTable.insert(version, for: key, in: database)
        case .whatsNewForgotten(let key):
            try WhatsNewTable.remove(key, in: database)
        }
    }

    /// Whether the row before this change may hold a secret.
    static func replacesSecret(_ change: RecordChange) -> Bool {
        switch change {
        case .passcodeSet, .totpSet, .accountSet, .accountRemoved, .deviceKeySet, .restored: true
        case .lockoutSet, .lockoutRemoved, .damageSet, .nextPresentationSet, .keptGrantSet, .keptGrantRemoved,
            .claimSet, .claimRemoved, .nextManualClaimSet, .customerHeard, .customerForgotten, .notificationTaken,
            .notificationForgotten, .receiptSet, .receiptRemoved, .draftSet, .draftRemoved, .draftRowSet,
            .draftRowRemoved, .responseSet,
            .responseRemoved, .nextResponseSet, .partSet, .partRemoved, .appFormSet, .appFormRemoved, .attachmentStored,
            .attachmentRemoved,
            .whatsNewSeen, .whatsNewForgotten, .householdListSet, .householdPolicySet, .householdSeen:
            false
        }
    }

    static func set(_ lockout: Lockout, for key: Lockout.Key, in database: Database) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO lockout (uid, gate, wrong_answers, unanswered, locked_until, lock_duration)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            Int64(key.owner.number), key.gate, Int64(lockout.wrongAnswers), Int64(lockout.unanswered),
            lockout.lockedUntil?.nanoseconds, lockout.lockDuration.clampedNanoseconds,
        ])
    }

    static func set(bootID: String, in database: Database) throws {
        try database.execute(sql: "UPDATE meta SET boot_id = ?", arguments: [bootID])
    }

    /// Moves on to the last revision of a batch, with which the journal has come to this.
    static func set(_ revision: Revision, _ tally: JournalTally, in database: Database) throws {
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

    /// A column, or the store is damaged: what is in the file comes from outside, so nothing here may trap.
    static func value<Value: DatabaseValueConvertible>(
        _ column: Int, of row: Row, as type: Value.Type
    ) throws -> Value {
        let stored: DatabaseValue = row[column]
        guard let value = Value.fromDatabaseValue(stored) else { throw StoreError.damaged("\(stored) in a row") }
        return value
    }

    /// A column that may be NULL.
    static func optionalValue<Value: DatabaseValueConvertible>(
        _ column: Int, of row: Row, as type: Value.Type
    ) throws -> Value? {
        let stored: DatabaseValue = row[column]
        return stored.isNull ? nil : try value(column, of: row, as: type)
    }

    /// A column of 0 for no or 1 for yes.
    static func flag(_ column: Int, of row: Row) throws -> Bool {
        switch try value(column, of: row, as: Int64.self) {
        case 0: return false
        case 1: return true
        case let other: throw StoreError.damaged("\(other) for yes or no")
        }
    }

    /// A column of milliseconds since 1970-01-01T00:00:00Z.
    static func time(_ column: Int, of row: Row) throws -> WallTime {
        WallTime(unixMilliseconds: try value(column, of: row, as: Int64.self))
    }

    /// A column of such milliseconds that may be NULL.
    static func optionalTime(_ column: Int, of row: Row) throws -> WallTime? {
        try optionalValue(column, of: row, as: Int64.self).map(WallTime.init(unixMilliseconds:))
    }
}
