import GateModel

@testable import GateCore
@testable import GateDaemon

/// What must hold of a backup that was brought back, whatever happens.
enum RestorePromises {
    /// - Parameter backups: all that were ever made.
    static func check(
        _ transition: Transition, from before: GateState, to after: GateState, _ backups: [SimulatedDisk.Content]
    ) throws {
        guard let records = transition.restored else { return }
        try hold(transition.audit.count { $0.kind == .restored } == 1, "a restore that is not in the journal")
        // Open presentations and grants from before are not valid under the records that are kept now.
        try hold(after.modeState == .closed, "\(after.modeState) after a restore")
        try hold(after.signIn.session == nil, "somebody is signed in after a restore")
        let open = after.presentations(visibleTo: .daemon)
        try hold(open.allSatisfy { $0.purpose == .signIn }, "a question is open after a restore")
        let isGrantGood = after.grants.nextDeadline != nil || !after.records.keptGrants.isEmpty
        try hold(!isGrantGood, "a grant is good after a restore")
        // All records come from one backup.
        let sources = backups.map(\.records).filter { isFrom($0, before.records, records) }
        try hold(!sources.isEmpty, "what was restored is not what was backed up")
        try hold(sources.contains { keeps($0, in: records) }, "a restore went behind its backup")
        try hold(keeps(before.records, in: records), "a restore undid what must stay")
        let people = before.records.people.keys
        try hold(people.allSatisfy { records.people[$0] != nil }, "a restore took somebody off the list")
        for (key, lockout) in before.records.lockouts {
            let later = try hold(records.lockouts[key], "a restore forgot a lockout")
            let end = (lockout.lockedUntil, later.lockedUntil)
            try hold(end.0.map { until in end.1.map { $0 >= until } ?? false } ?? true, "a restore shortened a lock")
        }
        for draft in records.drafts.values {
            try hold(draft.revision > before.records.lastDraftRevision, "the revision of a draft comes again")
        }
    }

    /// Whether the records that only a backup decides are from this one.
    private static func isFrom(_ backup: DurableRecords, _ before: DurableRecords, _ records: DurableRecords) -> Bool {
        records.people.values.allSatisfy { isFrom(backup, before, $0) } && records.passcodeHash == backup.passcodeHash
            && records.responses == backup.responses && records.draftRows == backup.draftRows
            && Set(records.drafts.keys) == Set(backup.drafts.keys) && records.attachments == backup.attachments
            && records.whatsNewSeen == backup.whatsNewSeen
    }

    /// Whether the password is the backup's, or the person is only on this device's list, and as before.
    private static func isFrom(_ backup: DurableRecords, _ before: DurableRecords, _ record: PersonRecord) -> Bool {
        guard let old = backup.people[record.person.name] else { return before.people[record.person.name] == record }
        return record.passwordHash == old.passwordHash || record.person.kind == .shared
    }

    /// Whether the later records keep what neither the backup nor the device may lose.
    private static func keeps(_ earlier: DurableRecords, in later: DurableRecords) -> Bool {
        later.nextPresentation >= earlier.nextPresentation && later.nextResponse >= earlier.nextResponse
            && later.nextManualClaim >= earlier.nextManualClaim && later.nextDraft >= earlier.nextDraft
            && later.lastDraftRevision >= earlier.lastDraftRevision
            && earlier.notifications.allSatisfy { id, old in
                later.notifications[id].map { $0 >= old } ?? false
            }
            && earlier.lockouts.allSatisfy { key, old in
                later.lockouts[key].map {
                    $0.wrongAnswers >= old.wrongAnswers && $0.unanswered >= old.unanswered
                        && $0.lockDuration >= old.lockDuration
                } ?? false
            }
            && earlier.claims.allSatisfy { id, old in
                later.claims[id].map {
                    $0.purchase.saidAt >= old.purchase.saidAt && ($0.revokedHere != nil || old.revokedHere == nil)
                } ?? false
            }
    }
}

extension Transition {
    /// The records that a restore put in place of all others; `nil` if it is no restore.
    var restored: DurableRecords? {
        for case .restored(let records) in records { return records }
        return nil
    }
}
